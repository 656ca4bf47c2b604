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
	managed  bool // commands of npm
}

// Colored reports whether to highlight the syntax. Code instead of a drawing stays plain.
func (c *Code) Colored() bool { return c.Language != "" && c.Label == "" }

// MarkOf returns the kind of mark of a line, counted from 1: highlighted, added, removed, focused,
// warned or failed, "" for none. The last matching one counts.
func (c *Code) MarkOf(line int) string {
	return fence.KindAt(c.Marks, line).Class()
}

// code makes a code block of its info string and text.
func code(written, text string, pos Pos) *Code {
	info := fence.Parse(written)
	text = info.Comments(text)
	return &Code{at: at{pos}, Language: info.Language, Title: info.Title, Text: text, Label: fence.Drawn(info.Language), Numbered: info.Numbered, First: info.First, Marks: info.Marks, tab: info.Tab, managed: info.Managed}
}

// managers returns commands of npm for each manager of packages, or nil.
func (c *Code) managers() []Block {
	if !c.managed {
		return nil
	}
	yarnText, pnpmText, ok := fence.Managers(c.Text)
	if !ok {
		return nil
	}
	npm, yarn, pnpm := *c, *c, *c
	npm.Title = "npm"
	yarn.Title, yarn.Text = "Yarn", yarnText
	pnpm.Title, pnpm.Text = "pnpm", pnpmText
	return []Block{&npm, &yarn, &pnpm}
}
