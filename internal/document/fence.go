package document

import "github.com/octavo-docs/octavo/internal/document/fence"

// Code is a code block. Each line of Text ends in a line feed.
type Code struct {
	at
	Language string // in lower case, "" for none
	Title    string // a file name, or the title of a tab
	Text     string
	Label    string // "Math" or "Diagram" for code shown instead of a drawing
	Numbered bool   // with line numbers
	First    int    // number of the first line
	Marks    []fence.Mark
	tab      bool // one of several consecutive tabs
}

// Colored reports whether to highlight the syntax. Code instead of a drawing stays plain.
func (c *Code) Colored() bool { return c.Language != "" && c.Label == "" }

// MarkOf returns the kind of mark of a line, counted from 1: highlighted, added, removed, focused,
// warned or failed, "" for none. The last matching one counts.
func (c *Code) MarkOf(line int) string {
	kind := fence.NoMark
	for _, m := range c.Marks {
		if m.First <= line && line <= m.Last {
			kind = m.Kind
		}
	}
	return kind.Class()
}

// code makes a code block of its info string and text.
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
