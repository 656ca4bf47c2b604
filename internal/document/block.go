package document

import "github.com/octavo-docs/octavo/internal/document/element"

// Block is one of *Paragraph, *Heading, *List, *Quote, *Code, *Rule, *Table,
// *DefinitionList, *Component and *Element.
type Block interface {
	Node
	block()
}

// Paragraph is a paragraph. In a tight list it has no margins.
type Paragraph struct {
	at
	Tight   bool
	Inlines []Inline
}

// Heading is a heading. Anchor is its fragment, unique on the page: that of the author, or
// generated like GitHub's.
type Heading struct {
	at
	Level      int // 1 to 6
	Anchor     string
	Text       string // plain text on one line
	Attributes Attributes
	Inlines    []Inline
}

// List is a list. Start is the first number of an ordered list; a tight list has no blank
// lines between its items.
type List struct {
	at
	Ordered bool
	Start   int
	Tight   bool
	Items   []*ListItem
}

type ListItem struct {
	at
	Task   Task
	Blocks []Block
}

// Task is the task state of a list item.
type Task uint8

const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)

// Quote is a quotation.
type Quote struct {
	at
	Blocks   []Block
	Embedded bool // of another page: not part of the text of this one
}

// Rule is a line across the page.
type Rule struct{ at }

// Table is a table with one header row.
type Table struct {
	at
	Align []Alignment // per column
	Head  *Row
	Rows  []*Row // with at most as many cells as Head
}

type Row struct {
	at
	Cells []*Cell
}

type Cell struct {
	at
	Inlines []Inline
}

// Alignment is the horizontal alignment of a column, as [inline.Delimiters] reports it.
type Alignment uint8

const (
	AlignNone Alignment = iota
	AlignLeft
	AlignRight
	AlignCenter
)

// DefinitionList is a list of terms and their definitions.
type DefinitionList struct {
	at
	Items []*Definition
}

// Definition defines one or more terms.
type Definition struct {
	at
	Terms        []*Term
	Descriptions []*Description
}

type Term struct {
	at
	Inlines []Inline
}

// Description is one definition of the terms.
type Description struct {
	at
	Blocks []Block
}

// Element is an HTML element around blocks. Name is in lower case and on the list of safe
// elements, such as div, details or img.
type Element struct {
	at
	Name       string
	Attributes Attributes
	Blocks     []Block
}

// Component is an admonition or a known MDX component.
type Component struct {
	at
	Kind       element.Kind
	Name       string   // as written
	Variant    string   // of a callout: note, tip, info, warning or danger; of a field: param or response
	Title      []Inline // often empty for callouts
	Anchor     string   // unique on the page, "" for most
	Open       bool     // of a tab: initially selected
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
