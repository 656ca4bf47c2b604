package document

import "github.com/octavo-docs/octavo/internal/document/fence"

// Code is a block of code. Text has a line feed at the end of each line.
type Code struct {
	at
	Language string // in lower case, "" for none
	Title    string // a file name, or what a tab shows
	Text     string
	Label    string // what the code stands for where it cannot be drawn: "Math", "Diagram"
	Numbered bool   // whether the author wants numbers of lines
	First    int    // number of the first line
	Marks    []Mark
	tab      bool // one of several that follow each other
}

// Colored reports whether renderings colour the code by its language. What is
// shown in place of a drawing stays plain.
func (c *Code) Colored() bool { return c.Language != "" && c.Label == "" }

// Mark is a run of lines of code that stand out, and MarkKind tells how.
type (
	Mark     = fence.Mark
	MarkKind = fence.MarkKind
)

// The kinds of marks.
const (
	NoMark      = fence.NoMark
	Highlighted = fence.Highlighted
	Added       = fence.Added
	Removed     = fence.Removed
	Focused     = fence.Focused
	Warned      = fence.Warned
	Failed      = fence.Failed
)

// MarkOf returns how a line stands out, counted from 1. Of several marks the
// last counts.
func (c *Code) MarkOf(line int) MarkKind {
	kind := NoMark
	for _, m := range c.Marks {
		if m.First <= line && line <= m.Last {
			kind = m.Kind
		}
	}
	return kind
}

// code makes a block of code of its text and what is written behind its fence.
func code(written, text string, pos Pos) *Code {
	info := fence.Parse(written)
	text = info.Comments(text)
	c := &Code{at: at{pos}, Language: info.Language, Title: info.Title, Text: text, Numbered: info.Numbered, First: info.First, Marks: info.Marks, tab: info.Tab}
	switch c.Language {
	case "math", "latex-math", "katex", "asciimath":
		c.Label = "Math"
	case "mermaid", "plantuml", "graphviz", "d2":
		c.Label = "Diagram"
	}
	return c
}
