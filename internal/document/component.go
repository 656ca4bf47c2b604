package document

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// Kind is the type of a component, independent of the generator.
type Kind = element.Kind

const (
	NoKind     = element.NoKind
	Callout    = element.Callout
	Tabs       = element.Tabs
	Tab        = element.Tab
	CodeGroup  = element.CodeGroup
	Steps      = element.Steps
	Step       = element.Step
	Cards      = element.Cards
	Card       = element.Card
	Columns    = element.Columns
	Column     = element.Column
	Accordions = element.Accordions
	Accordion  = element.Accordion
	Field      = element.Field
	Frame      = element.Frame
	Update     = element.Update
	FileTree   = element.FileTree
	Folder     = element.Folder
	File       = element.File
	Badge      = element.Badge
	Icon       = element.Icon
	Tooltip    = element.Tooltip
	Keys       = element.Keys
	Formula    = element.Formula
)

func (p *parser) component(t *tag, blocks []Block) *Component {
	attributes := p.attributes(t)
	c := &Component{at: at{t.pos}, Kind: element.KindOf(t.Name), Name: t.Name, Attributes: attributes, Blocks: blocks}
	title := attributes.String("title", "label")
	switch c.Kind {
	case Callout:
		said := strings.ToLower(attributes.String("type", "kind", "intent", "variant"))
		c.Variant = cmp.Or(element.Variant(said), element.Variant(strings.ToLower(t.Name)), "note")
	case Tab:
		title = attributes.String("title", "label", "name", "value")
	case Tabs:
		arrangeTabs(attributes, blocks)
	case Card:
		title = attributes.String("title", "label", "name")
		if src := attributes.String("img"); src != "" { // of Mintlify
			p.show(src, t.pos)
			c.Blocks = append([]Block{&Paragraph{at{t.pos}, false, []Inline{&Image{at{t.pos}, src, "", "", nil}}}}, blocks...)
		}
	case Accordion, Step:
		title = attributes.String("title", "label", "summary", "name", "header")
	case Folder, File:
		title = attributes.String("name", "title")
	case Field:
		c.Variant = "param"
		if strings.HasPrefix(t.Name, "Response") {
			c.Variant = "response"
		}
		title = attributes.String("name", "path", "query", "body", "header", "title")
	case Frame:
		title = attributes.String("caption", "title")
		if hint := attributes.String("hint"); hint != "" {
			c.Blocks = append([]Block{&Paragraph{at{t.pos}, false, p.inline(plainSource(hint, t.pos))}}, blocks...)
		}
	case Update:
		title = attributes.String("label", "title", "date")
	}
	if title != "" {
		c.Title = []Inline{&Text{at{t.pos}, title}}
	}
	if c.Kind == Frame && title != "" {
		c.Title = p.inline(plainSource(title, t.pos))
	}
	return c
}

// Called returns the name of a callout as it is written.
func (c *Component) Called() string {
	return cmp.Or(c.Attributes.String("type", "kind", "intent", "variant"), c.Name)
}

// arrangeTabs gives tabs the titles from their parent, values of Docusaurus or items of
// Nextra, and selects the initial tab.
func arrangeTabs(attributes Attributes, blocks []Block) {
	labels := listOf(attributes, "values")
	items := listOf(attributes, "items")
	first := attributes.String("defaultValue")
	index := attributes.String("defaultIndex", "defaultTabIndex")
	n, opened := 0, false
	for _, b := range blocks {
		tab, ok := b.(*Component)
		if !ok || tab.Kind != Tab {
			continue
		}
		value := tab.Attributes.String("value")
		label := ""
		switch {
		case value != "" && tab.Attributes.String("title", "label", "name") == "":
			label = labelOf(labels, value)
		case n < len(items) && len(tab.Title) == 0:
			label = (Attributes{{Name: "label", Value: items[n]}}).String("label")
		}
		if label != "" {
			tab.Title = []Inline{&Text{at{tab.pos}, label}}
		}
		if !opened {
			tab.Open = first != "" && first == value || tab.Attributes.Bool("default") || index == strconv.Itoa(n)
			opened = tab.Open
		}
		n++
	}
}

// listOf returns the value of an attribute if it is a list.
func listOf(attributes Attributes, name string) []any {
	value, _ := attributes.Get(name) // nil if missing
	list, _ := value.([]any)         // nil if it is not a list
	return list
}

// labelOf returns the label of a value in a list of label and value pairs.
func labelOf(labels []any, value string) string {
	for _, entry := range labels {
		pair, _ := entry.(map[string]any) // nil has no members
		if (Attributes{{Name: "value", Value: pair["value"]}}).String("value") == value {
			return (Attributes{{Name: "label", Value: pair["label"]}}).String("label")
		}
	}
	return ""
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
