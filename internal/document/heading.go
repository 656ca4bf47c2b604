package document

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/source"
)

// heading makes a heading. above are the attributes from the previous line.
func (p *parser) heading(b *block, above Attributes) *Heading {
	source := p.sourceOf(b)
	h := &Heading{at: atPos(b.pos), Level: b.level}
	p.inHeading = true
	h.Anchor = p.takeAnchor(&source, h)
	if beside := append(above, attributesBelow(b)...); len(beside) > 0 {
		h.Attributes = append(h.Attributes, beside...)
		h.Anchor = cmp.Or(beside.String("id"), h.Anchor)
	}
	h.Inlines = trimEdges(p.inline(source))
	h.Text = headingText(h.Inlines)
	if h.Anchor == "" {
		text := inline.OneLine(PlainText(h.Inlines))
		if strings.ContainsAny(source.text, "<{") && len(p.marks) == 0 { // an unknown tag is text, but not part of the anchor
			text = inline.OneLine(p.tokens.PlainText(source.text))
		}
		h.Anchor = p.anchors.Unused(text)
	}
	p.inHeading = false
	p.doc.headings = append(p.doc.headings, h)
	return h
}

// takeAnchor removes {#anchor}, {.class} or {: .class} from the end of a heading, and sets
// the attributes in it.
func (p *parser) takeAnchor(source *inlineSource, h *Heading) string {
	rest, anchor, inside := inline.CutAnchor(source.text)
	if open := strings.LastIndexByte(rest, '{'); anchor == "" && strings.HasSuffix(rest, "}") && open >= 0 {
		inside = rest[open+1 : len(rest)-1]
		if found, ok := attribute.Parse(inside, false); ok && p.dialect != nil {
			anchor = found.String("id")
		}
		if mark := strings.TrimPrefix(inside, "."); anchor != "" || strings.HasPrefix(inside, ":") || strings.HasPrefix(inside, "docsify-ignore") || mark != inside && mark != "" && inline.IsLetter(mark[0]) {
			rest = rest[:open]
		}
	}
	source.text = rest
	if attributes, ok := attribute.Parse(inside, false); ok {
		h.Attributes = attributes
	}
	return anchor
}

// Heading returns the heading that an element is, or nil.
func (e *Element) Heading() *Heading {
	if len(e.Name) != 2 || e.Name[0] != 'h' || e.Name[1] < '1' || e.Name[1] > '6' {
		return nil
	}
	h := &Heading{at: e.at, Level: int(e.Name[1] - '0'), Anchor: e.Attributes.String("id"), Attributes: e.Attributes}
	for _, inner := range e.Blocks {
		if p, ok := inner.(*Paragraph); ok {
			h.Inlines = append(h.Inlines, p.Inlines...)
		}
	}
	h.Text = headingText(h.Inlines)
	return h
}

// Title returns the heading that names the document, or nil, and its index in Blocks, or -1 if
// it is nested. It is the first heading of level 1, in Markdown or HTML, else the only
// heading of the highest level. Headings in lists, quotations and components do not
// count.
func (d *Document) Title() (title *Heading, block int) {
	var found []titled
	for i, b := range d.Blocks {
		found = appendTitles(found, b, i, true)
	}
	if len(found) == 0 {
		return nil, -1
	}
	first := slices.MinFunc(found, func(a, b titled) int { return a.Level - b.Level })
	same := 0
	for _, t := range found {
		if t.Level == first.Level {
			same++
		}
	}
	if first.Level > 1 && same > 1 {
		return nil, -1
	}
	return first.Heading, first.block
}

// Says returns the heading that already shows the title: the result of Title if it equals
// title, ignoring case, or is of level 1 with no text above; else nil. In an element block
// is -1.
func (d *Document) Says(title string) (h *Heading, block int) {
	h, block = d.Title()
	if h != nil && block < 0 && h.Level == 1 && strings.HasPrefix(strings.TrimSpace(Beginning(d.Blocks, len(h.Text)+1)), h.Text) {
		return h, block // at the start of an element
	}
	if h == nil || !strings.EqualFold(h.Text, title) && (block < 0 || h.Level > 1 || strings.TrimSpace(Beginning(d.Blocks[:block], math.MaxInt)) != "") {
		return nil, -1
	}
	return h, block
}

// titled is a heading and its index in the blocks, -1 if nested.
type titled struct {
	*Heading
	block int
}

func appendTitles(found []titled, b Block, block int, top bool) []titled {
	if !top {
		block = -1
	}
	switch b := b.(type) {
	case *Heading:
		if b.Text != "" {
			found = append(found, titled{b, block})
		}
	case *Element:
		if h := b.Heading(); h != nil {
			if h.Text != "" {
				found = append(found, titled{h, block})
			}
			return found
		}
		if b.Name == "details" || b.Name == "blockquote" {
			return found
		}
		for _, inner := range b.Blocks {
			found = appendTitles(found, inner, block, false)
		}
	case *Component:
		for _, inner := range b.Blocks {
			if b.Kind == element.NoKind {
				found = appendTitles(found, inner, block, false)
			}
		}
	}
	return found
}

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
	if page.Image != "" {
		p.show(page.Image, 0)
		paragraph(&Image{Src: page.Image, Alt: page.Alt})
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
		card := &Component{Kind: element.Card, Name: "card", Title: inlines(f.Title)}
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
		blocks = append(blocks, &Component{Kind: element.Cards, Name: "cards", Blocks: cards})
	}
	walkBlocks(blocks, func(n Node) bool {
		n.(interface{ move(to Pos) }).move(0) // they are not in the source
		return true
	})
	return blocks
}
