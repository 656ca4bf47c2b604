package document

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/callout"
)

// Kind tells what a component is, whichever of the generators of
// documentation has the name.
type Kind uint8

// The kinds of components.
const (
	NoKind    Kind = iota
	Callout        // a note, tip or warning; see Component.Variant
	Tabs           // holds Tab
	Tab            // one of several alternatives, with a title
	CodeGroup      // blocks of code as alternatives, by their titles
	Steps          // holds Step, an ordered list or headings
	Step           // one of several steps, with a title
	Cards          // holds Card
	Card           // a box with a title, and often a link
	Columns        // holds Column, or blocks side by side
	Column
	Accordions // holds Accordion
	Accordion  // what is shown on demand, with a title
	Field      // a parameter or member of an answer
	Frame      // a picture with a caption
	Update     // an entry of a change log
	FileTree   // files and folders as nested lists
	Folder     // in a FileTree, with a title
	File       // in a FileTree, with a title
	Badge      // a word that stands out
	Icon       // a picture in a line of text
	Tooltip    // text that explains itself on demand
	Keys       // keys to press
	Formula    // mathematics, kept as code
)

// inline reports whether components of a kind are part of a line of text.
func (k Kind) inline() bool {
	switch k {
	case NoKind, Badge, Icon, Tooltip, Keys:
		return true
	}
	return false
}

// kindOf returns what the component of a name is: as written, or the part
// behind the last dot, as in Tabs.Tab.
func kindOf(name string) Kind {
	if name == "" || !startsUpper(name) {
		return NoKind
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if callout.Variant(strings.ToLower(name)) != "" {
		return Callout
	}
	return kinds[name]
}

func startsUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// kinds are the names of components in Docusaurus, Mintlify, Starlight, Nextra
// and the documentation of React. Those of callouts are in package callout.
var kinds = map[string]Kind{
	"Aside": Callout, "Callout": Callout, "Admonition": Callout,
	"Tabs": Tabs, "Sandpack": CodeGroup, "CodeGroup": CodeGroup, "CodeTabs": CodeGroup, "RequestExample": CodeGroup, "ResponseExample": CodeGroup,
	"Tab": Tab, "TabItem": Tab,
	"Steps": Steps, "Step": Step,
	"CardGroup": Cards, "Cards": Cards, "CardGrid": Cards, "Card": Card, "LinkCard": Card, "YouWillLearnCard": Card,
	"Columns": Columns, "Column": Column, "Col": Column, "Split": Columns,
	"Accordion": Accordion, "AccordionGroup": Accordions, "Expandable": Accordion, "Details": Accordion, "DeepDive": Accordion, "Collapsible": Accordion, "Spoiler": Accordion,
	"ResponseField": Field, "ParamField": Field, "Param": Field, "Property": Field,
	"Frame": Frame, "Figure": Frame, "Update": Update,
	"FileTree": FileTree, "Folder": Folder, "File": File, "Tree": FileTree,
	"Badge": Badge, "Icon": Icon, "Tooltip": Tooltip, "Kbd": Keys, "Key": Keys,
	"Math": Formula, "TeX": Formula, "Latex": Formula, "BlockMath": Formula,
}

// component makes the node of a known component around blocks.
func (p *parser) component(t *tag, blocks []Block) *Component {
	attributes := p.attributes(t)
	c := &Component{at: at{t.pos}, Kind: kindOf(t.Name), Name: t.Name, Attributes: attributes, Blocks: blocks}
	title := attributes.String("title", "label")
	switch c.Kind {
	case Callout:
		c.Variant = callout.Variant(strings.ToLower(attributes.String("type", "kind", "intent", "variant")))
		if c.Variant == "" {
			c.Variant = callout.Variant(strings.ToLower(t.Name))
		}
		if c.Variant == "" {
			c.Variant = "note"
		}
	case Tab:
		title = attributes.String("title", "label", "name", "value")
	case Tabs:
		arrangeTabs(attributes, blocks)
	case Card:
		title = attributes.String("title", "label", "name")
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
	case Update:
		title = attributes.String("label", "title", "date")
	}
	if title != "" {
		c.Title = []Inline{&Text{at{t.pos}, title}}
	}
	return c
}

// arrangeTabs gives tabs the titles that are told beside them, as Docusaurus
// writes them in values and Nextra in items, and finds the one that is open at
// first.
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

// listOf returns the list that an attribute is, if it is one.
func listOf(attributes Attributes, name string) []any {
	value, _ := attributes.Get(name) // nil where there is none
	list, _ := value.([]any)         // nothing is said by what is no list
	return list
}

// labelOf returns the label that a list of labels and values gives a value.
func labelOf(labels []any, value string) string {
	for _, entry := range labels {
		pair, _ := entry.(map[string]any) // nil has no members
		if (Attributes{{Name: "value", Value: pair["value"]}}).String("value") == value {
			return (Attributes{{Name: "label", Value: pair["label"]}}).String("label")
		}
	}
	return ""
}

// calloutOf makes the node of an admonition or alert. One whose name says more than its
// kind has that as its title if it has no other.
func calloutOf(written string, title []Inline, attributes Attributes, blocks []Block, pos Pos) *Component {
	name := strings.ToLower(written)
	c := &Component{at: at{pos}, Kind: Callout, Name: name, Variant: callout.Variant(name), Title: title, Attributes: attributes, Blocks: blocks}
	if c.Variant == "" {
		c.Kind, c.Variant = containers[name], ""
	}
	if c.Kind == NoKind {
		c.Kind, c.Variant = Callout, "note"
	}
	if name := callout.Title(written); c.Kind == Callout && len(title) == 0 && name != "" {
		c.Title = []Inline{&Text{at{pos}, name}}
	}
	return c
}

// containers are the names of containers between colons that are no callouts.
var containers = map[string]Kind{
	"details": Accordion, "spoiler": Accordion, "code-group": CodeGroup, "tabs": Tabs, "tab": Tab, "steps": Steps, "step": Step,
	"cards": Cards, "card": Card, "columns": Columns, "column": Column,
}
