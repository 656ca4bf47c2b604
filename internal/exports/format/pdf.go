package format

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/pdf"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
)

// PDF is the format of one file for paper and screen, with contents, bookmarks
// and working links.
type PDF struct {
	fonts     font.Sources
	languages *highlight.Languages
	hyphens   *hyphen.Library
}

// NewPDF returns the format. folder has additional fonts; "" means none.
func NewPDF(folder string) PDF {
	fonts := font.Builtin()
	fonts.Folder = font.NewFolder(folder)
	return PDF{fonts, highlight.NewLanguages(), hyphen.NewLibrary()}
}

// File implements Format.
func (PDF) File() (suffix, mediaType string) { return ".pdf", "application/pdf" }

// Write implements Format.
func (f PDF) Write(ctx context.Context, out io.Writer, b *book.Book, done func()) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	theme, colors := b.Request.Rendering.Theme, f.languages.Highlighter(remembered)
	in := pdf.Book{Title: b.Title, Language: b.Language, Made: made(b), Producer: "Octavo", Pages: f.pages(ctx, b, colors, done)}
	report, err := pdf.Write(ctx, out, in, pdf.Options{
		Fonts: f.fonts, Colors: colors, Hyphens: f.hyphens, Theme: pdf.Theme{Name: theme.Base(), Tokens: theme.Tokens}, Parallel: b.Alone(),
		Link: func(page pdf.Page, href string) (pdf.Target, bool) {
			p := b.Page(page.Key)
			if to, fragment, ok := b.Link(ctx, p, href); ok {
				return pdf.Target{Key: to.Slug, Fragment: fragment}, true
			}
			address := b.Address(href)
			if a, ok := b.Asset(p, href); ok {
				if address = a.URL; address == "" && b.Request.Rendering.EmbedAssets {
					return pdf.Target{File: a.Name}, true
				}
			}
			return pdf.Target{Address: address}, address != ""
		},
		Image: func(page pdf.Page, src string) ([]byte, bool) { return f.image(ctx, b, b.Page(page.Key), src, fail) },
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	for _, n := range report.Notices {
		notice(b, n.Key, n.Notice)
	}
	for _, fault := range report.Faults {
		b.Warn(octavo.ExportWarning{Message: fault.Error()})
	}
	missing(report.Missing, b)
	return err
}

// families are fonts with TrueType outlines whose name is not that of the script.
var families = map[string]string{"Han": "SC, TC or JP", "Hiragana": "JP", "Katakana": "JP", "Hangul": "KR", "Bopomofo": "TC"}

// missing warns about characters without a glyph in any font, grouped by
// script, and suggests a solution.
func missing(all []rune, b *book.Book) {
	scripts := map[string][]rune{}
	for _, r := range all {
		scripts[scriptOf(r)] = append(scripts[scriptOf(r)], r)
	}
	for _, script := range slices.Sorted(maps.Keys(scripts)) {
		family, packaged := families[script], ""
		if family == "" {
			family, packaged = script, " or Debian's fonts-noto-core"
		}
		for list := range slices.Chunk(scripts[script], 40) {
			message := fmt.Sprintf("No font has a glyph for %q.", string(list))
			if script != "" {
				message = fmt.Sprintf("No font has a glyph for %q, which is in the script %s. Get one, such as Noto Sans %s from https://fonts.google.com/noto%s, into a folder, and name that by --fonts or OCTAVO_FONTS.", string(list), script, family, packaged)
			}
			b.Warn(octavo.ExportWarning{Message: message})
		}
	}
}

// scriptOf returns the name of the script of a character, "" for common ones.
func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) && name != "Common" && name != "Inherited" {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return ""
}

// pages iterates over the pages with their parsed contents. If there are no
// requests to give way to, another goroutine reads, parses and colours the
// next ones. The resulting file is the same.
func (f PDF) pages(ctx context.Context, b *book.Book, colors *highlight.Highlighter, done func()) iter.Seq2[pdf.Page, error] {
	return func(yield func(pdf.Page, error) bool) {
		page := func(l leaf, err error) bool {
			if err != nil {
				return yield(pdf.Page{}, err)
			}
			if !kept(b, l.Text) {
				return true
			}
			b.Describe(ctx, l.Page, l.document)
			p := pdf.Page{Key: l.Slug, Title: l.Page.Title, Level: l.Level, Language: octavo.PageLanguage(l.Frontmatter, l.Page.Language), Document: l.document, Break: l.Level == 0}
			if l.PageBreak != nil {
				p.Break = *l.PageBreak
			}
			if !yield(p, nil) {
				return false
			}
			done()
			return true
		}
		if b.Alone() {
			ahead(ctx, b.Texts, colors)(page)
			return
		}
		b.Texts(ctx)(func(t book.Text, err error) bool {
			l := leaf{Text: t}
			if err == nil {
				l.document = t.Document()
			}
			return page(l, err)
		})
	}
}

// image returns the bytes of an image of a page. A deleted or too large one is a
// warning. If the blob store fails, the book fails, so that it can be retried.
func (f PDF) image(ctx context.Context, b *book.Book, page *book.Page, src string, fail context.CancelCauseFunc) ([]byte, bool) {
	a, ok := b.Asset(page, src)
	if !ok || !b.Request.Rendering.EmbedAssets {
		return nil, false
	}
	data, err := bytesOf(ctx, b, a)
	switch {
	case err == nil:
		return data, true
	case book.Gone(err):
		b.Warn(octavo.ExportWarning{Page: page.ID, Message: fmt.Sprintf("The bytes of the asset %s are missing, so it is left out.", a.ID)})
	case errors.Is(err, errTooLarge):
		b.Warn(octavo.ExportWarning{Page: page.ID, Message: fmt.Sprintf("The asset %s is left out: %s.", a.ID, err)})
	default:
		fail(err)
	}
	return nil, false
}

const maxImage = 64 << 20

var errTooLarge = errors.New("the image is too large")

// bytesOf reads all of an asset of at most maxImage bytes.
func bytesOf(ctx context.Context, b *book.Book, a *book.Asset) ([]byte, error) {
	file, err := b.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	var data []byte
	if size := file.Size(); size > maxImage {
		err = fmt.Errorf("%w: it has %d bytes, and only %d are read", errTooLarge, size, maxImage)
	} else {
		data, err = io.ReadAll(file)
	}
	return data, errors.Join(err, file.Close())
}
