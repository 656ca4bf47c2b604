package document

// Block is one of *Paragraph, *Heading, *List, *Quote, *Code, *Rule, *Table,
// *DefinitionList, *Component and *Element.
type Block interface {
	Node
	block()
}

// Paragraph is a paragraph of text. That of a tight list is shown without space
// around it.
type Paragraph struct {
	at
	Tight   bool
	Inlines []Inline
}

// Heading is a heading. Anchor is the fragment under which GitHub would offer
// it, unique on the page, or the one that its author gave.
type Heading struct {
	at
	Level      int // 1 to 6
	Anchor     string
	Text       string // without marks, on one line
	Attributes Attributes
	Inlines    []Inline
}

// List is a list of items. Start is the number of the first, of an ordered
// list; a tight list has no blank lines between its items.
type List struct {
	at
	Ordered bool
	Start   int
	Tight   bool
	Items   []*ListItem
}

// ListItem is an item of a list.
type ListItem struct {
	at
	Task   Task
	Blocks []Block
}

// Task tells whether a list item is a task, and done.
type Task uint8

// The states of a list item.
const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)

// Quote is a quotation.
type Quote struct {
	at
	Blocks []Block
}

// Rule is a line across the page.
type Rule struct{ at }

// Table is a table with one row of heads.
type Table struct {
	at
	Align []Alignment // of each column
	Head  *Row
	Rows  []*Row // which have at most as many cells as Head
}

// Row is a row of a table.
type Row struct {
	at
	Cells []*Cell
}

// Cell is a cell of a table.
type Cell struct {
	at
	Inlines []Inline
}

// Alignment tells to which side the text of a column is set, as [inline.Delimiters] does.
type Alignment uint8

// The alignments.
const (
	AlignNone Alignment = iota
	AlignLeft
	AlignRight
	AlignCenter
)

// DefinitionList is a list of terms and what they mean.
type DefinitionList struct {
	at
	Items []*Definition
}

// Definition is what one or more terms mean.
type Definition struct {
	at
	Terms        []*Term
	Descriptions []*Description
}

// Term is a term that is defined.
type Term struct {
	at
	Inlines []Inline
}

// Description tells what a term means.
type Description struct {
	at
	Blocks []Block
}

// Element is an element of HTML around blocks. Name is in lower case and one
// that package document knows as safe, such as div, details or img.
type Element struct {
	at
	Name       string
	Attributes Attributes
	Blocks     []Block
}

// Component is a part of a page beyond Markdown: an admonition, or a component
// of MDX that is known by its name.
type Component struct {
	at
	Kind       Kind
	Name       string   // as written
	Variant    string   // of a callout: note, tip, info, warning or danger; of a field: param or response
	Title      []Inline // of a callout often empty
	Open       bool     // of a tab: whether its author wants it to be open at first
	Attributes Attributes
	Blocks     []Block
}

func (*Paragraph) block()      {}
func (*Heading) block()        {}
func (*List) block()           {}
func (*Quote) block()          {}
func (*Code) block()           {}
func (*Rule) block()           {}
func (*Table) block()          {}
func (*DefinitionList) block() {}
func (*Element) block()        {}
func (*Component) block()      {}
