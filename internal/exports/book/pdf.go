package book

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/pdf"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
)

// PDF is the format of one file for paper and screen, with contents, bookmarks
// and working links.
type PDF struct {
	fonts     font.Sources
	producer  string
	languages *highlight.Languages
	hyphens   *hyphen.Library
}

// NewPDF returns the format, set in these fonts.
func NewPDF(fonts font.Sources, producer string) PDF {
	return PDF{fonts, producer, highlight.NewLanguages(), hyphen.NewLibrary()}
}

// File implements Format.
func (PDF) File() (suffix, mediaType string) { return ".pdf", "application/pdf" }

// Write implements Format.
func (f PDF) Write(ctx context.Context, out io.Writer, b *Book, done func()) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	language, err := b.language(ctx)
	if err != nil {
		return err
	}
	theme, colors := b.Request.Rendering.Theme, f.languages.Highlighter(remembered)
	book := pdf.Book{Title: b.title(language), Language: language, Made: b.made(), Producer: f.producer, Pages: f.pages(ctx, b, colors, done)}
	report, err := pdf.Write(ctx, out, book, pdf.Options{
		Fonts: f.fonts, Colors: colors, Hyphens: f.hyphens, Theme: pdf.Theme{Name: theme.Base(), Tokens: theme.Tokens}, Parallel: b.alone(),
		Link: func(page pdf.Page, href string) (pdf.Target, bool) {
			p := b.bySlug[page.Key]
			if to, fragment, ok := b.Link(p, href); ok {
				return pdf.Target{Key: to.Slug, Fragment: fragment}, true
			}
			address := b.Address(href)
			if a, ok := b.Asset(p, href); ok {
				address = a.URL
			}
			return pdf.Target{Address: address}, address != ""
		},
		Image: func(page pdf.Page, src string) ([]byte, bool) { return f.image(ctx, b, b.bySlug[page.Key], src, fail) },
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	for _, n := range report.Notices {
		b.notice(n.Key, n.Notice)
	}
	for list := range slices.Chunk(report.Missing, 40) {
		b.Warn(octavo.ExportWarning{Message: fmt.Sprintf("No font has a glyph for %q.", string(list))})
	}
	return err
}

func (f PDF) pages(ctx context.Context, b *Book, colors *highlight.Highlighter, done func()) iter.Seq2[pdf.Page, error] {
	return func(yield func(pdf.Page, error) bool) {
		for l, err := range b.documents(ctx, colors) {
			if err != nil {
				yield(pdf.Page{}, err)
				return
			}
			p := pdf.Page{
				Key: l.Stub.Slug, Title: l.Page.Title, Level: l.Level, Language: octavo.Language(l.Frontmatter), Document: l.document, Break: l.Level == 0,
			}
			if l.PageBreak != nil {
				p.Break = *l.PageBreak
			}
			if !yield(p, nil) {
				return
			}
			done()
		}
	}
}

// image returns the bytes of an image of a page. One that was deleted or is too
// large is a warning; when the blob store fails the book does, as it may be made
// later.
func (f PDF) image(ctx context.Context, b *Book, page *Page, src string, fail context.CancelCauseFunc) ([]byte, bool) {
	a, ok := b.Asset(page, src)
	if !ok || !b.Request.Rendering.EmbedAssets {
		return nil, false
	}
	data, err := b.bytes(ctx, a)
	switch {
	case err == nil:
		return data, true
	case Gone(err):
		b.Warn(octavo.ExportWarning{Page: page.ID, Message: fmt.Sprintf("The bytes of the asset %s are not there, so it is left out.", a.ID)})
	case errors.Is(err, errTooLarge):
		b.Warn(octavo.ExportWarning{Page: page.ID, Message: fmt.Sprintf("The asset %s is left out: %s.", a.ID, err)})
	default:
		fail(err)
	}
	return nil, false
}

// bytes reads all of an asset of at most maxImage bytes.
func (b *Book) bytes(ctx context.Context, a *Asset) ([]byte, error) {
	file, err := b.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	data, err := readAll(file, file.Size())
	return data, errors.Join(err, file.Close())
}
