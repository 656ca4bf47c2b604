package book

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/site"
)

// HTML is the format of a zip that holds a site, which opens from a disk.
type HTML struct {
	cache     *site.Cache // nil keeps nothing
	languages *highlight.Languages
}

// NewHTML returns the format, which keeps in a cache what pages became, if that
// is not nil.
func NewHTML(cache *site.Cache) HTML { return HTML{cache, highlight.NewLanguages()} }

// tidy drops what was kept for too long.
func (h HTML) tidy() {
	if h.cache != nil {
		h.cache.Tidy()
	}
}

// File implements Format.
func (HTML) File() (suffix, mediaType string) { return ".zip", "application/zip" }

// Write implements Format.
func (h HTML) Write(ctx context.Context, out io.Writer, b *Book, done func()) error {
	book := site.Book{Made: b.made(), Address: b.maker.SiteURL, Pages: h.pages(ctx, b, done)}
	for _, p := range b.Pages {
		book.Contents = append(book.Contents, site.Entry{Key: p.Slug, Slug: p.Slug, Title: p.Title, Level: p.Level, Former: b.Former[p.ID]})
	}
	language, err := b.language(ctx)
	if err != nil {
		return err
	}
	book.Language, book.Title = language, b.title(language)
	if b.Request.Rendering.EmbedAssets {
		for _, id := range b.named {
			if a := b.assets[id]; a != nil {
				book.Assets = append(book.Assets, b.file(a))
			}
		}
	}
	theme := b.Request.Rendering.Theme
	report, err := site.Write(ctx, out, book, site.Options{
		Highlighter: h.languages.Highlighter(remembered), Theme: html.Theme{Name: theme.Base(), Tokens: theme.Tokens}, Cache: h.cache,
		Link: func(page site.Page, href string) (site.Target, bool) {
			p := b.bySlug[page.Key]
			to, fragment, ok := b.Link(p, href)
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
			a, ok := b.Asset(b.bySlug[page.Key], href)
			if !ok {
				return site.Asset{}, false
			}
			return b.file(a), true
		},
	})
	for _, n := range report.Notices {
		b.notice(n.Key, n.Notice)
	}
	for _, w := range report.Warnings {
		b.Warn(octavo.ExportWarning{Message: w})
	}
	return err
}

// file is an asset as a site has it.
func (b *Book) file(a *Asset) site.Asset {
	out := site.Asset{Key: string(a.ID), Name: a.Name, Address: a.URL}
	if b.Request.Rendering.EmbedAssets {
		out.Open = func(ctx context.Context) (io.ReadCloser, error) {
			file, err := b.Open(ctx, a)
			if Gone(err) {
				err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
			}
			return file, err
		}
	}
	return out
}

func (h HTML) pages(ctx context.Context, b *Book, done func()) iter.Seq2[site.Page, error] {
	return func(yield func(site.Page, error) bool) {
		rest := b.Pages // that are not written
		for text, err := range b.Texts(ctx) {
			if err != nil {
				yield(site.Page{}, err)
				return
			}
			for ; rest[0] != text.Page; rest = rest[1:] { // the contents tell of every page
				if !yield(removed(rest[0]), nil) {
					return
				}
			}
			rest = rest[1:]
			page := site.Page{
				Key: text.Stub.Slug, Language: octavo.Language(text.Frontmatter), Description: octavo.FrontText(text.Frontmatter, "description"),
				Updated: b.updated(text.Page), Document: func() *document.Document { return b.document(text) },
			}
			if h.cache != nil {
				page.Digest = b.digest(text)
			}
			if !yield(page, nil) {
				return
			}
			done()
		}
		for _, p := range rest {
			if !yield(removed(p), nil) {
				return
			}
		}
	}
}

// removed stands for a page that was removed for good while the site is made.
func removed(p *Page) site.Page {
	return site.Page{Key: p.Slug, Document: func() *document.Document { return document.Parse("This page was removed.", document.Options{}) }}
}
