package book

import (
	"context"
	"errors"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// Document parses what a page says.
func (t Text) Document() *document.Document {
	content := string(t.Content)
	o := markdown.FormatOf(content, t.Path, t.Frontmatter, t.Stub.Dialect).Options()
	o.Frontmatter, o.Include = t.Frontmatter, t.include
	d := document.Parse(content, o)
	if t.Page.Title != t.Stub.Title && len(d.Blocks) > 0 { // the export calls it otherwise (decision 51)
		if h, ok := d.Blocks[0].(*document.Heading); ok && h.Level == 1 {
			h.Text, h.Inlines = t.Page.Title, []document.Inline{&document.Text{Text: t.Page.Title}}
		}
	}
	return d
}

// include returns what finds the files that a page imports.
func (b *Book) include(ctx context.Context, p *Page) func(string) (text string, mdx, found bool) {
	return func(name string) (text string, mdx, found bool) {
		for _, r := range p.Assets {
			a := b.assets[r.Asset]
			if a == nil || !markdown.Names(r.Href, name) {
				continue
			}
			file, err := b.Open(ctx, a)
			if err != nil {
				break // the page tells that the text is left out
			}
			text, mdx, err = markdown.Part(file, a.Source)
			return text, mdx, errors.Join(err, file.Close()) == nil
		}
		return "", false, false
	}
}

// Describe lets images that say nothing say what their assets do, and what the
// request says where those are silent (decision 53): the alternative text, and
// the caption as a title. An alternative text that is empty says that the image
// is an ornament.
func (b *Book) Describe(p *Page, d *document.Document) {
	b.keepAnchors(p, d)
	if len(p.Assets) == 0 {
		return
	}
	otherwise := b.Request.Rendering.Metadata
	d.Walk(func(n document.Node) bool {
		image, ok := n.(*document.Image)
		if !ok || image.Alt != "" && image.Title != "" {
			return true
		}
		src, _ := reference.URI(image.Src)
		a, found := b.Asset(p, src)
		if !found {
			return true
		}
		say := func(to *string, own, other *string) {
			if own == nil {
				own = other
			}
			if *to == "" && own != nil {
				*to = *own
			}
		}
		say(&image.Alt, a.Metadata.Alt, otherwise.Alt)
		say(&image.Title, a.Metadata.Caption, otherwise.Caption)
		return true
	})
}
