package document

import (
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/source"
)

// home returns the blocks from the front matter of a home page, shown before its content.
func (p *parser) home() []Block {
	page := home.Read(p.options.Frontmatter)
	var blocks []Block
	inlines := func(text string) []Inline { return trimEdges(p.inline(plainSource(source.Normalise(text), 0))) }
	paragraph := func(nodes ...Inline) { blocks = append(blocks, &Paragraph{Inlines: nodes}) }
	link := func(l home.Link) Inline { return &Link{Href: l.Href, Inlines: inlines(l.Text)} }
	if name := inlines(page.Name); len(name) > 0 {
		text := inline.OneLine(PlainText(name))
		h := &Heading{Level: 1, Anchor: p.anchors.Unused(text), Text: text, Inlines: name}
		p.doc.headings = append(p.doc.headings, h)
		blocks = append(blocks, h)
	}
	if page.Text != "" {
		paragraph(&Strong{Inlines: inlines(page.Text)})
	}
	if page.Tagline != "" {
		paragraph(inlines(page.Tagline)...)
	}
	var actions []Inline
	for i, action := range page.Actions {
		if i > 0 {
			actions = append(actions, &Text{Text: " · "})
		}
		actions = append(actions, link(action))
	}
	if len(actions) > 0 {
		paragraph(actions...)
	}
	var cards []Block
	for _, f := range page.Features {
		card := &Component{Kind: Card, Name: "card", Title: inlines(f.Title)}
		if f.Link.Href != "" {
			card.Attributes = Attributes{{Name: "href", Value: f.Link.Href}}
		}
		if f.Details != "" {
			card.Blocks = append(card.Blocks, &Paragraph{Inlines: inlines(f.Details)})
		}
		if f.Link.Text != "" && f.Link.Href != "" {
			card.Blocks = append(card.Blocks, &Paragraph{Inlines: []Inline{link(f.Link)}})
		}
		cards = append(cards, card)
	}
	if len(cards) > 0 {
		blocks = append(blocks, &Component{Kind: Cards, Name: "cards", Blocks: cards})
	}
	walkBlocks(blocks, func(n Node) bool {
		n.(interface{ move(to Pos) }).move(0) // they are not in the source
		return true
	})
	return blocks
}
