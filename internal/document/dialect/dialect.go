// Package dialect reads the marks that other tools for documentation have beside
// Markdown, and tells which element or component means the same. A page has the
// marks of its dialect only. The package looks at one line, or at one place in a
// text, at a time: package document knows what is open and what is included.
package dialect

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// Form tells what belongs to a mark.
type Form uint8

// The forms.
const (
	Leaf       Form = iota // nothing
	Opening                // what stands before the mark that closes its name
	Closing                // what stands behind the one that opens its name
	Indented               // the lines below that are indented by four
	Fenced                 // the lines up to a fence as long as its own
	Literal                // the lines up to the one that holds End, taken as they are
	Attributes             // it has those of the block above or below, in Info
)

// Mark is what a tool writes beside Markdown.
type Mark struct {
	Form       Form
	Alone      bool   // one that opens something may stand by itself
	Name       string // of an element or component; what it holds stands by itself where there is none such
	Attributes attribute.List
	Title      string // Markdown
	Text       string // plain, of what holds nothing
	Hidden     bool   // its lines are not shown
	Info       string // of code, as behind a fence
	End        string // "" for a fence as long as its own

	// Ends reports whether a line that holds End is the end; nil for always. With takes the options that stand below
	// in lines of their own, as :name: value.
	Ends    func(line string) bool
	With    func(m Mark, options attribute.List) Mark
	Below   bool   // its options stand below in lines indented by four, as name: value
	Include *File  // whose text it stands for; with a name of "" the lines of a Literal name it
	Code    bool   // of Include: the text is code
	LeftOut bool   // what it stands for is known to the tool alone, which a notice tells
	Width   int    // in a text; a line is taken whole
	Anchor  string // of what it makes, "" for none
	Reach   int    // in a text: how far behind its start the mark stands that closes it, as wide as this
}

// Dialect reads the marks of a tool. What has none is nil.
type Dialect struct {
	// Block reads a line without the white space around it.
	Block func(line string) (Mark, bool)

	// Inline reads what stands at a place of a text, which begins with one of
	// the bytes of Starts.
	Inline func(text string, at int) (Mark, bool)
	Starts string

	// Code changes the text of code, whose language is "" within a line.
	Code func(language, text string) string

	// Address returns where what is written for an address leads; ok is false where
	// the tool alone knows.
	Address func(written string) (to string, ok bool)

	// Label reports whether the tool alone knows where a reference of that label leads.
	Label func(label string) bool

	// Leads returns where a link leads whose address may be a label; nil where none are.
	Leads func(href string) string

	Raw    bool // {% endraw %} may stand before the end of code
	InCode bool // files may be named within code
	Divs   bool // elements of HTML hold Markdown that have an attribute markdown, and else end with their own tag
}

// Of returns the dialect of a name, nil where it has no marks of its own.
func Of(name string) *Dialect {
	switch name {
	case "mkdocs":
		return &Dialect{Block: mkdocsLine, Inline: mkdocsText, Starts: "+=^{:~-", Code: mkdocsCode, Label: mkdocsLabel, Address: mkdocsAddress, Divs: true, InCode: true}
	case "gitbook":
		return &Dialect{Block: gitbookLine, Inline: gitbookText, Starts: "{:"}
	case "hugo":
		return &Dialect{Block: hugoLine, Inline: hugoText, Starts: "{:", Code: hugoCode}
	case "jekyll":
		return &Dialect{Block: jekyllLine, Inline: jekyllText, Starts: "{:-", Code: jekyllCode, Address: jekyllAddress, Divs: true, Raw: true}
	case "mdbook":
		return &Dialect{Block: mdbookLine, Inline: mdbookText, Starts: "{", Code: mdbookCode, InCode: true}
	case "myst":
		return &Dialect{Block: mystLine, Inline: mystText, Starts: "{", Leads: mystLeads}
	case "vitepress":
		return &Dialect{Block: vitepressLine, Inline: vitepressText, Starts: "{:"}
	case "obsidian":
		return &Dialect{Block: obsidianLine, Inline: obsidianText, Starts: "[!%=^"}
	}
	return nil
}

// Coded returns a text of code as the dialect has it, nil as it is.
func (d *Dialect) Coded(language, text string) string {
	if d == nil || d.Code == nil {
		return text
	}
	return d.Code(language, text)
}

// attributeLine reads braces on a line of their own.
func attributeLine(line string) (Mark, bool) {
	if line[0] != '{' || strings.IndexByte(line, '}') != len(line)-1 || !isAttributes(line[1:len(line)-1]) {
		return Mark{}, false
	}
	return Mark{Form: Attributes, Info: line[1 : len(line)-1]}, true
}

// Reads reports whether a line begins with a mark, or is one.
func (d *Dialect) Reads(line string) bool {
	if line = strings.TrimSpace(line); d == nil || line == "" {
		return false
	}
	_, found := d.Block(line)
	if !found && strings.IndexByte(d.Starts, line[0]) >= 0 {
		_, found = d.Inline(line, 0)
	}
	return found
}

// quoted returns what stands in double quotes at the start of a text, and what
// follows; ok is false where nothing does.
func quoted(s string) (inside, rest string, ok bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return "", s, false
	}
	end := strings.LastIndexByte(s, s[0])
	if end == 0 {
		return "", s, false
	}
	return s[1:end], s[end+1:], true
}

// call is what stands between the braces of a template: {% name a="b" %}.
type call struct {
	name       string
	rest       string // behind the name
	attributes attribute.List
	words      []string // the values without a name
	width      int
	verbatim   bool // of Hugo: what it holds is no Markdown, unless it says so
}

// maxCall is the longest call, in bytes.
const maxCall = 4 << 10

// scanCall reads a call between two marks that a text starts with.
func scanCall(s, open, end string) (c call, ok bool) {
	s, found := strings.CutPrefix(s[:min(len(s), maxCall)], open)
	if !found {
		return c, false
	}
	inside, _, found := strings.Cut(s, end)
	if !found {
		return c, false
	}
	c.width = len(open) + len(inside) + len(end)
	inside = strings.TrimSpace(strings.Trim(inside, "-"))
	c.name = inside[:wordEnd(inside)]
	c.rest = strings.TrimSpace(inside[len(c.name):])
	for s := c.rest; s != ""; s = strings.TrimSpace(s) {
		word := s[:wordEnd(s)]
		s = s[len(word):]
		name, value, pair := strings.Cut(word, "=")
		if pair && attribute.IsName(name) {
			c.attributes = append(c.attributes, attribute.Attribute{Name: name, Value: unquote(value)})
		} else {
			c.words = append(c.words, unquote(word))
		}
	}
	return c, c.name != ""
}

// wordEnd returns where the first word of a text ends; quotes hold blanks.
func wordEnd(s string) int { return attribute.Word(s, "\"'`") }

func unquote(s string) string {
	if len(s) > 1 && s[0] == s[len(s)-1] && strings.IndexByte("\"'`", s[0]) >= 0 {
		return s[1 : len(s)-1]
	}
	return s
}

// with returns attributes that have one more.
func with(list attribute.List, name string, value any) attribute.List {
	return append(list[:len(list):len(list)], attribute.Attribute{Name: name, Value: value})
}
