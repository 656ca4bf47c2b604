package book

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/embed"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Document parses the content of a page.
func (t Text) Document() *document.Document {
	content := string(t.Content)
	o := markdown.FormatOf(content, t.Path, t.Frontmatter, t.Stub.Dialect).Options()
	o.Frontmatter, o.Include, o.FirstLine = t.Frontmatter, t.include, 1+bytes.Count(t.RawFront, []byte("\n"))
	d := document.Parse(content, o)
	if t.Page.Title != t.Stub.Title && len(d.Blocks) > 0 { // the export has its own title (decision 51)
		if h, ok := d.Blocks[0].(*document.Heading); ok && h.Level == 1 {
			h.Text, h.Inlines = t.Page.Title, []document.Inline{&document.Text{Text: t.Page.Title}}
		}
	}
	return d
}

// include returns a function that finds the files that a page imports.
func (b *Book) include(ctx context.Context, p *Page) func(string) (text string, mdx, found bool) {
	return func(name string) (text string, mdx, found bool) {
		text, _, mdx, found = b.part(ctx, p, name)
		return text, mdx, found
	}
}

// part reads a file that a page imports, and returns its path too.
func (b *Book) part(ctx context.Context, p *Page, name string) (text, source string, mdx, found bool) {
	for _, r := range p.Assets {
		a := b.assets[r.Asset]
		if a == nil || !markdown.Names(r.Href, name) {
			continue
		}
		file, err := b.Open(ctx, a)
		if err != nil {
			break // a notice on the page reports it
		}
		text, mdx, err = markdown.Part(file, a.Source)
		return text, a.Source, mdx, errors.Join(err, file.Close()) == nil
	}
	return "", "", false, false
}

// Describe gives images without a description that of their assets, or that of the
// request if the assets have none (decision 53): the alternative text, and the caption
// as a title. An empty alternative text means that the image is decorative.
//
// It gives links without a text the titles of what they lead to, and adds what the page
// embeds of other pages of the book.
func (b *Book) Describe(ctx context.Context, p *Page, d *document.Document) {
	b.keepAnchors(p, d)
	b.describe(ctx, p, d)
	if p.Stub.Dialect != octavo.DialectObsidian && p.Stub.Dialect != octavo.DialectMyST {
		return
	}
	embed.Into(d, string(p.ID), embed.Pages{
		Find: func(href string) (string, bool) {
			on, href := b.on(p, href)
			to, found := b.found.Find(reference.Targets(href, on.Path, b.maker.PublicURL))
			if !found {
				return "", false
			}
			return string(to.ID), true
		},
		Read: func(id string) (int, func() *document.Document) {
			shown := b.found.IDs[id]
			texts, _, err := b.maker.Pages.RevisionTexts(ctx, []pagestore.RevisionKey{{Page: shown.ID, Number: shown.Revision}}, nil)
			if err != nil {
				b.Warn(octavo.ExportWarning{Page: p.ID, Message: fmt.Sprintf("The page %s cannot be read and is not shown in this one.", shown.Slug)})
			}
			if err != nil || !texts[0].Kept {
				return 0, nil
			}
			return len(texts[0].Content), func() *document.Document {
				inner := Text{shown, texts[0], b.include(ctx, shown)}.Document()
				b.describe(ctx, shown, inner)
				return inner
			}
		},
	})
}

func (b *Book) describe(ctx context.Context, p *Page, d *document.Document) {
	for _, name := range d.Included {
		text, source, _, _ := b.part(ctx, p, name)
		for _, link := range markdown.Links(text, markdown.FormatOf(text, source, nil, p.Stub.Dialect)) {
			if p.parts == nil {
				p.parts = map[string]string{}
			}
			p.parts[link.Href] = source
		}
	}
	d.NameLinks(func(href string) string {
		to, anchor, found := b.Link(ctx, p, href)
		switch {
		case !found:
			return ""
		case anchor != "" && b.anchors[to] != nil:
			return b.anchors[to].Title(anchor)
		}
		return to.Title
	})
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
