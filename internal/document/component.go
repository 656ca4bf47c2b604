package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

func (p *parser) component(t *tag, blocks []Block) *Component {
	attributes := p.attributes(t)
	c := &Component{at: at{t.pos}, Kind: element.KindOf(t.Name), Name: t.Name, Attributes: attributes, Blocks: blocks}
	title := attributes.String(element.TitleAttributes(c.Kind)...)
	switch c.Kind {
	case element.Callout:
		said := strings.ToLower(attributes.String("type", "kind", "intent", "variant"))
		c.Variant = cmp.Or(element.Variant(said), element.Variant(strings.ToLower(t.Name)), "note")
	case element.Tabs:
		arrangeTabs(attributes, blocks)
	case element.Card:
		if t.Name == "Prompt" { // its description is Markdown
			c.Title, c.Attributes = p.inline(plainSource(attributes.String("description"), t.pos)), nil
		}
		if src := attributes.String("img"); src != "" { // of Mintlify
			p.show(src, t.pos)
			c.Blocks = append([]Block{&Paragraph{at{t.pos}, false, []Inline{&Image{at{t.pos}, src, "", "", nil}}}}, blocks...)
		}
	case element.Field:
		c.Variant = "param"
		if strings.HasPrefix(t.Name, "Response") {
			c.Variant = "response"
		}
	case element.Frame:
		if number := attributes.String("number"); number != "" { // of a listing in the books of Rust
			title = strings.TrimSuffix(t.Name+" "+number+": "+title, ": ")
		}
		if hint := attributes.String("hint", "file-name"); hint != "" {
			c.Blocks = append([]Block{&Paragraph{at{t.pos}, false, p.inline(plainSource(hint, t.pos))}}, blocks...)
		}
	}
	if title != "" && c.Kind == element.Frame {
		c.Title = p.inline(plainSource(title, t.pos))
	} else if title != "" {
		c.Title = []Inline{&Text{at{t.pos}, title}}
	}
	if t.mark == nil {
		p.anchored = append(p.anchored, c)
	}
	return c
}

// nameComponents gives components their anchors. Headings come first: of equal anchors, theirs
// has no number.
func (p *parser) nameComponents() {
	for _, c := range p.anchored {
		text := element.AnchorText(c.Kind, inline.OneLine(PlainText(c.Title)))
		if c.Anchor = c.Attributes.String("id"); c.Anchor == "" && text != "" {
			c.Anchor = p.anchors.Unused(text)
		}
	}
}

// Called returns the name of a callout as it is written.
func (c *Component) Called() string {
	return cmp.Or(c.Attributes.String("type", "kind", "intent", "variant"), c.Name)
}

// arrangeTabs gives tabs the titles from their parent, and selects the initial tab.
func arrangeTabs(attributes Attributes, blocks []Block) {
	choices := element.ChoicesOf(attributes)
	for _, b := range blocks {
		if tab, ok := b.(*Component); ok && tab.Kind == element.Tab {
			label := ""
			if label, tab.Open = choices.Next(tab.Attributes, len(tab.Title) > 0); label != "" {
				tab.Title = []Inline{&Text{at{tab.pos}, label}}
			}
		}
	}
}

// callout makes an admonition or alert. Without a title, a name more specific than the
// variant becomes the title.
func callout(written string, title []Inline, attributes Attributes, blocks []Block, pos Pos) *Component {
	name := strings.ToLower(written)
	c := &Component{at: at{pos}, Kind: element.Callout, Name: name, Variant: element.Variant(name), Title: title, Attributes: attributes, Blocks: blocks}
	if c.Variant == "" {
		c.Kind, c.Variant = element.Containers[name], ""
	}
	if c.Kind == element.NoKind {
		c.Kind, c.Variant = element.Callout, "note"
	}
	if name := element.CalloutTitle(written); c.Kind == element.Callout && title == nil && name != "" {
		c.Title = []Inline{&Text{at{pos}, name}}
	}
	return c
}

// cards makes cards of blocks, or of the items of a list. The part above a rule, or the
// first of several blocks, is the title.
func cards(blocks []Block, pos Pos) *Component {
	all := &Component{at: at{pos}, Kind: element.Cards, Name: "Cards"}
	add := func(pos Pos, blocks []Block) {
		card := &Component{at: at{pos}, Kind: element.Card, Name: "Card", Blocks: blocks}
		if first, ok := blocks[0].(*Paragraph); ok && len(blocks) > 1 {
			card.Title, card.Blocks = first.Inlines, blocks[1:]
			if _, ruled := blocks[1].(*Rule); ruled {
				card.Blocks = blocks[2:]
			}
		}
		all.Blocks = append(all.Blocks, card)
	}
	for _, b := range blocks {
		list, ok := b.(*List)
		if !ok {
			add(b.Pos(), []Block{b})
			continue
		}
		for _, item := range list.Items {
			if len(item.Blocks) > 0 {
				add(item.pos, item.Blocks)
			}
		}
	}
	return all
}

// columns sets blocks beside each other.
func columns(blocks []Block, pos Pos) *Component {
	all := &Component{at: at{pos}, Kind: element.Columns, Name: "Columns"}
	for _, b := range blocks {
		all.Blocks = append(all.Blocks, &Component{at: at{b.Pos()}, Kind: element.Column, Name: "Column", Blocks: []Block{b}})
	}
	return all
}
