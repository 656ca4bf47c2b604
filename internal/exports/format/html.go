package format

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/site"
)

// HTML is the format of a zip that holds a site, which opens from a disk.
type HTML struct {
	cache     *site.Cache // nil disables it
	address   string      // of sites, with a trailing slash; "" if unknown
	languages *highlight.Languages
}

// NewHTML returns the format. It caches rendered pages if cache is not nil.
// Its sites will be at an address, if that is not "".
func NewHTML(cache *site.Cache, address string) HTML {
	return HTML{cache, address, highlight.NewLanguages()}
}

// Tidy removes old entries from the cache.
func (h HTML) Tidy() {
	if h.cache != nil {
		h.cache.Tidy()
	}
}

// File implements Format.
func (HTML) File() (suffix, mediaType string) { return ".zip", "application/zip" }

// Write implements Format.
func (h HTML) Write(ctx context.Context, out io.Writer, b *book.Book, done func()) error {
	in := site.Book{Title: b.Title, Language: b.Language, Made: made(b), Address: h.address, Pages: h.pages(ctx, b, done)}
	for _, p := range b.Pages {
		in.Contents = append(in.Contents, site.Entry{Key: p.Slug, Slug: p.Slug, Title: p.Title, Level: p.Level, Former: p.Former})
	}
	for _, a := range b.Assets {
		if a.Named && b.Request.Rendering.EmbedAssets {
			in.Assets = append(in.Assets, fileOf(b, a))
		}
	}
	theme := b.Request.Rendering.Theme
	report, err := site.Write(ctx, out, in, site.Options{
		Highlighter: h.languages.Highlighter(remembered), Theme: html.Theme{Name: theme.Base(), Tokens: theme.Tokens}, Cache: h.cache,
		Link: func(page site.Page, href string) (site.Target, bool) {
			p := b.Page(page.Key)
			to, fragment, ok := b.Link(ctx, p, href)
			if ok {
				return site.Target{Key: to.Slug, Fragment: fragment}, true
			}
			if _, asset := b.Asset(p, href); asset {
				return site.Target{}, false // the site finds it
			}
			address := b.Address(href)
			return site.Target{Address: address}, address != ""
		},
		Asset: func(page site.Page, href string) (site.Asset, bool) {
			a, ok := b.Asset(b.Page(page.Key), href)
			if !ok {
				return site.Asset{}, false
			}
			return fileOf(b, a), true
		},
	})
	for _, n := range report.Notices {
		notice(b, n.Key, n.Notice)
	}
	for _, w := range report.Warnings {
		b.Warn(octavo.ExportWarning{Message: w})
	}
	return err
}

func fileOf(b *book.Book, a *book.Asset) site.Asset {
	out := site.Asset{Key: string(a.ID), Name: a.Name, Address: a.URL}
	if b.Request.Rendering.EmbedAssets {
		out.Open = func(ctx context.Context) (io.ReadCloser, error) {
			file, err := b.Open(ctx, a)
			if book.Gone(err) {
				err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
			}
			return file, err
		}
	}
	return out
}

func (h HTML) pages(ctx context.Context, b *book.Book, done func()) iter.Seq2[site.Page, error] {
	return func(yield func(site.Page, error) bool) {
		for text, err := range b.Texts(ctx) {
			if err != nil {
				yield(site.Page{}, err)
				return
			}
			if !kept(b, text) { // the contents list every page
				if !yield(site.Page{Key: text.Slug, Document: removed}, nil) {
					return
				}
				continue
			}
			page := site.Page{
				Key: text.Slug, Language: octavo.PageLanguage(text.Frontmatter, text.Page.Language), Description: octavo.FrontText(text.Frontmatter, "description"), Updated: b.LastUpdated(text),
				Document: func() *document.Document {
					d := text.Document()
					b.Describe(ctx, text.Page, d)
					return d
				},
			}
			if h.cache != nil && !borrows(text) {
				page.Digest = digest(b, text)
			}
			if !yield(page, nil) {
				return
			}
			done()
		}
	}
}

// removed replaces a page that was purged while the site is made.
func removed() *document.Document {
	return document.Parse("This page was removed.", document.Options{})
}

// borrows reports whether a page may have titles of other pages, or texts and links of
// other pages or files.
func borrows(t book.Text) bool {
	includes := slices.ContainsFunc(t.Assets, func(r book.Reference) bool { return importer.IsPage(r.Href) })
	return includes || t.Stub.Dialect == octavo.DialectMyST || t.Stub.Dialect == octavo.DialectObsidian && bytes.Contains(t.Content, []byte("![["))
}

func digest(b *book.Book, t book.Text) (sum [sha256.Size]byte) {
	h := sha256.New()
	say := func(text *string) {
		if text == nil {
			site.AddText(h, "")
		} else {
			site.AddText(h, "="+*text)
		}
	}
	for _, text := range []string{t.Path, string(t.Stub.Dialect), t.Page.Title, t.Stub.Title, string(t.Frontmatter), string(t.RawFront), string(t.Content)} {
		site.AddText(h, text)
	}
	say(b.Request.Rendering.Metadata.Alt)
	say(b.Request.Rendering.Metadata.Caption)
	for _, r := range t.Assets {
		if a, ok := b.Asset(t.Page, r.Href); ok {
			site.AddText(h, r.Href)
			say(a.Metadata.Alt)
			say(a.Metadata.Caption)
		}
	}
	h.Sum(sum[:0])
	return sum
}
