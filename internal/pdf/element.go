package pdf

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

func (b *builder) htmlElement(at area, e *document.Element) {
	b.named(e.Name, e.Attributes)
	if e.Name != "table" { // a table itself would start there
		at = at.aligned(e.Attributes)
	}
	switch e.Name {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		level := max(int(e.Name[1]-'0'), 2)
		b.restyled(at, e.Blocks, "H"+strconv.Itoa(level), b.theme.heading(level), spacing{before: blockSpace, after: paragraphSpace, keep: true})
	case "summary", "dt", "caption", "th":
		b.restyled(at, e.Blocks, "P", strong(at.style), spacing{after: tightSpace, keep: true})
	case "figcaption":
		b.restyled(at, e.Blocks, "Caption", with(at.style, func(s *layout.Style) { s.Size--; s.Color = b.theme.muted }), spacing{after: paragraphSpace})
	case "blockquote":
		b.quote(at, e.Blocks)
	case "details", "aside":
		b.boxed(at, &frame{bar: &b.theme.border}, func(in area) { b.blocks(in, e.Blocks) })
	case "hr":
		b.rule(at)
	case "table":
		if t := elementTable(e); t != nil {
			for _, c := range e.Blocks {
				if caption, ok := c.(*document.Element); ok && caption.Name == "caption" {
					b.htmlElement(at, caption)
				}
			}
			b.table(at, t)
		} else {
			b.blocks(at, e.Blocks)
		}
	case "pre":
		b.preformatted(at, e)
	case "ul", "ol":
		b.htmlList(at, e)
	case "dd":
		b.blocks(at.inset(indent), e.Blocks)
	case "a":
		b.htmlLink(at, e)
	case "img":
		image := &document.Image{Src: e.Attributes.String("src"), Alt: e.Attributes.String("alt"), Attributes: e.Attributes}
		b.block(at, &document.Paragraph{Inlines: []document.Inline{image}})
	default:
		b.blocks(at, e.Blocks)
	}
}

// named makes the next row a destination if the element has an id, or an anchor has a name.
func (b *builder) named(element string, attributes document.Attributes) {
	id := attributes.String("id")
	if id == "" && element == "a" { // the former attribute
		id = attributes.String("name")
	}
	if id != "" && len(id) <= maxName {
		b.flow.destination(b.page.Key + "#" + id)
	}
}

// maxName limits ids and names in bytes.
const maxName = 200

// preformatted sets text with its spaces and line feeds, like code.
func (b *builder) preformatted(at area, e *document.Element) {
	for _, block := range e.Blocks {
		if p, ok := block.(*document.Paragraph); ok {
			b.code(at, &document.Code{Text: strings.TrimRight(strings.TrimPrefix(document.PlainText(p.Inlines), "\n"), "\n") + "\n"})
		} else {
			b.block(at, block)
		}
	}
}

// restyled sets paragraphs in another style; other blocks are unchanged.
func (b *builder) restyled(at area, blocks []document.Block, role string, style *layout.Style, s spacing) {
	for _, block := range blocks {
		if p, ok := block.(*document.Paragraph); ok {
			b.text(at, role, p.Inlines, style, s)
		} else {
			b.block(at, block)
		}
	}
}

func (b *builder) htmlList(at area, e *document.Element) {
	list := at.element.Child("L", writer.Properties{})
	number := 0
	for _, block := range e.Blocks {
		item, ok := block.(*document.Element)
		if !ok || item.Name != "li" {
			b.block(at, block)
			continue
		}
		number++
		text := "•"
		if e.Name == "ol" {
			text = strconv.Itoa(number) + "."
		}
		b.item(at, list, text, at.style, indent+6, func(in area) { b.blocks(in, item.Blocks) })
	}
	list.Release()
	b.flow.space(paragraphSpace)
}

// htmlLink sets blocks inside a link; the text of their paragraphs is linked.
func (b *builder) htmlLink(at area, e *document.Element) {
	href := e.Attributes.String("href", "to")
	for _, block := range e.Blocks {
		p, ok := block.(*document.Paragraph)
		if !ok || href == "" {
			b.block(at, block)
			continue
		}
		linked := *p
		linked.Inlines = []document.Inline{&document.Link{Href: href, Inlines: p.Inlines}}
		b.block(at, &linked)
	}
}
