package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Kind is the type of a component, independent of the generator.
type Kind = element.Kind

const (
	NoKind    = element.NoKind
	Callout   = element.Callout
	Tab       = element.Tab
	CodeGroup = element.CodeGroup
	Steps     = element.Steps
	Step      = element.Step
	Cards     = element.Cards
	Card      = element.Card
	Column    = element.Column
	Accordion = element.Accordion
	Field     = element.Field
	Frame     = element.Frame
	Update    = element.Update
	Folder    = element.Folder
	File      = element.File
	Badge     = element.Badge
	Keys      = element.Keys
)

func (p *parser) component(t *tag, blocks []Block) *Component {
	attributes := p.attributes(t)
	c := &Component{at: at{t.pos}, Kind: element.KindOf(t.Name), Name: t.Name, Attributes: attributes, Blocks: blocks}
	title := attributes.String(element.TitleAttributes(c.Kind)...)
	switch c.Kind {
	case Callout:
		said := strings.ToLower(attributes.String("type", "kind", "intent", "variant"))
		c.Variant = cmp.Or(element.Variant(said), element.Variant(strings.ToLower(t.Name)), "note")
	case element.Tabs:
		arrangeTabs(attributes, blocks)
	case Card:
		if t.Name == "Prompt" { // its description is Markdown
			c.Title, c.Attributes = p.inline(plainSource(attributes.String("description"), t.pos)), nil
		}
		if src := attributes.String("img"); src != "" { // of Mintlify
			p.show(src, t.pos)
			c.Blocks = append([]Block{&Paragraph{at{t.pos}, false, []Inline{&Image{at{t.pos}, src, "", "", nil}}}}, blocks...)
		}
	case Field:
		c.Variant = "param"
		if strings.HasPrefix(t.Name, "Response") {
			c.Variant = "response"
		}
	case Frame:
		if number := attributes.String("number"); number != "" { // of a listing in the books of Rust
			title = strings.TrimSuffix(t.Name+" "+number+": "+title, ": ")
		}
		if hint := attributes.String("hint", "file-name"); hint != "" {
			c.Blocks = append([]Block{&Paragraph{at{t.pos}, false, p.inline(plainSource(hint, t.pos))}}, blocks...)
		}
	}
	if title != "" && c.Kind == Frame {
		c.Title = p.inline(plainSource(title, t.pos))
	} else if title != "" {
		c.Title = []Inline{&Text{at{t.pos}, title}}
	}
	if t.mark == nil {
		p.places = append(p.places, c)
	}
	return c
}

// nameComponents gives components their anchors. Headings come first: of equal anchors, theirs
// has no number.
func (p *parser) nameComponents() {
	for _, c := range p.places {
		text := element.Place(c.Kind, inline.OneLine(PlainText(c.Title)))
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
		if tab, ok := b.(*Component); ok && tab.Kind == Tab {
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
	c := &Component{at: at{pos}, Kind: Callout, Name: name, Variant: element.Variant(name), Title: title, Attributes: attributes, Blocks: blocks}
	if c.Variant == "" {
		c.Kind, c.Variant = element.Containers[name], ""
	}
	if c.Kind == NoKind {
		c.Kind, c.Variant = Callout, "note"
	}
	if name := element.CalloutTitle(written); c.Kind == Callout && title == nil && name != "" {
		c.Title = []Inline{&Text{at{pos}, name}}
	}
	return c
}
