package book

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/site"
)

// remembered is how many bytes of code an export remembers the colours of.
const remembered = 4 << 20

// document returns what a page says, as the book shows it.
func (b *Book) document(t Text) *document.Document {
	d := t.document()
	b.describe(t.Page, d)
	return d
}

// document parses what a page says.
func (t Text) document() *document.Document {
	content := string(t.Content)
	mdx := markdown.FormatOf(content, t.Path, t.Frontmatter) == markdown.MDX
	d := document.Parse(content, document.Options{MDX: mdx, Frontmatter: t.Frontmatter})
	if t.Page.Title != t.Stub.Title && len(d.Blocks) > 0 { // the export calls it otherwise (decision 51)
		if h, ok := d.Blocks[0].(*document.Heading); ok && h.Level == 1 {
			h.Text, h.Inlines = t.Page.Title, []document.Inline{&document.Text{Text: t.Page.Title}}
		}
	}
	return d
}

// digest returns a hash of all that the document of a page is made of.
func (b *Book) digest(t Text) (sum [sha256.Size]byte) {
	h := sha256.New()
	say := func(text *string) {
		if text == nil {
			site.AddText(h, "")
		} else {
			site.AddText(h, "="+*text)
		}
	}
	for _, text := range []string{t.Path, t.Page.Title, t.Stub.Title, string(t.Frontmatter), string(t.Content)} {
		site.AddText(h, text)
	}
	say(b.Request.Rendering.Metadata.Alt)
	say(b.Request.Rendering.Metadata.Caption)
	for _, r := range t.Assets {
		if a, ok := b.assets[r.Asset]; ok {
			site.AddText(h, r.Href)
			say(a.Metadata.Alt)
			say(a.Metadata.Caption)
		}
	}
	h.Sum(sum[:0])
	return sum
}

// made is when the newest of the pages was changed: the same for the same book.
func (b *Book) made() (newest time.Time) {
	if b.maker.Undated {
		return newest
	}
	for _, p := range b.Pages {
		if at := time.UnixMilli(p.Updated).UTC(); at.After(newest) {
			newest = at
		}
	}
	return newest
}

// updated is when a page was changed; zero where that means nothing.
func (b *Book) updated(p *Page) time.Time {
	if b.maker.Undated {
		return time.Time{}
	}
	return time.UnixMilli(p.Updated).UTC()
}

// Renderings know pages by their slugs, which in contrast to identifiers are
// the same wherever the pages are.

// notice passes the warnings of a rendering on.
func (b *Book) notice(slug string, n document.Notice) {
	if n.Kind.Warning() {
		b.Warn(octavo.ExportWarning{Page: b.bySlug[slug].ID, Line: n.Line, Message: fmt.Sprintf("%s: %s", n.Kind, n.Text)})
	}
}

// maxImage is the most bytes of an image that is read into memory.
const maxImage = 64 << 20

// errTooLarge says that an image has more than maxImage bytes.
var errTooLarge = errors.New("the image is too large")

// readAll reads a file of at most maxImage bytes.
func readAll(file io.Reader, size int64) ([]byte, error) {
	if size > maxImage {
		return nil, fmt.Errorf("%w: it has %d bytes, and only %d are read", errTooLarge, size, maxImage)
	}
	return io.ReadAll(file)
}
