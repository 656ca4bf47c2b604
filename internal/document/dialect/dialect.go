// Package dialect parses the syntax that other documentation tools add to Markdown, and maps
// it to elements and components. A page uses only the syntax of its dialect. The package
// looks at one line, or one offset in a text, at a time; package document knows the open
// blocks and includes files.
package dialect

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// Form determines the content of a mark.
type Form uint8

const (
	Leaf       Form = iota // none
	Opening                // up to the mark that closes its name
	Closing                // closes the mark with its name
	Indented               // the following lines indented by four
	Fenced                 // the lines up to a fence of the same length
	Literal                // the lines up to one that contains End, not parsed
	Attributes             // none; Info has the attributes of the block above or below
)

// Mark is a construct of a dialect.
type Mark struct {
	Form       Form
	Alone      bool   // an opening mark may be unclosed
	Name       string // element or component; without such the content is shown unwrapped
	Attributes attribute.List
	Title      string // Markdown
	Text       string // plain, of a mark without content
	Above      string // Markdown above the content
	Beneath    string // Markdown below the content
	Hidden     bool   // the content is not shown
	Headed     bool   // a heading that the content begins with is the title
	Info       string // info string of code
	End        string // "" for a fence of the same length

	// Ends reports whether a line is the end; nil means that it contains End. With applies
	// option lines below, in the form :name: value.
	Ends    func(line string) bool
	Exact   bool // a fence that ends the content has exactly the same length
	With    func(m Mark, options attribute.List) Mark
	In      func(pane Mark) Mark // the mark within tabs that pane opened
	Below   bool                 // option lines are indented by four, in the form name: value
	Include *File                // the file to show; if its name is "", the lines of a Literal have it
	Code    bool                 // Include is shown as code
	Example bool                 // the content of a Literal is shown as code and again as what it means
	Becomes func(string) string  // the content of a Literal as Markdown
	LeftOut bool                 // only the tool knows the content; there is a notice
	Width   int                  // in a text; a line is used whole
	Anchor  string               // of the content, "" for none
	Reach   int                  // in a text: offset of the closing mark
	Tail    int                  // width of that, 0 for the same
}

// Dialect parses the syntax of a tool. Missing functions are nil.
type Dialect struct {
	// Block parses a trimmed line.
	Block func(line string) (Mark, bool)

	// Inline parses a mark at an offset of a text that has one of the bytes in Starts.
	Inline func(text string, at int) (Mark, bool)
	Starts string

	// Code transforms the text of code; the language is "" for inline code.
	Code func(language, text string) string

	// Address resolves a written address; ok is false if only the tool can.
	Address func(written string) (to string, ok bool)

	// Alt divides an alternative text into that and attributes of the picture.
	Alt func(written string) (alt string, size attribute.List)

	// Label reports whether only the tool can resolve a reference with that label.
	Label func(label string) bool

	// Anchor returns the anchor of a heading text; nil for that of GitHub. Number is written
	// before the number of a duplicate, "" for a hyphen.
	Anchor func(text string) string
	Number string

	// Leads resolves the address of a link that may be a label; nil if there are no labels.
	Leads func(href string) string

	Terms     bool // links may lead to a term that is defined
	Summaries bool // of text that folds are link targets, as headings are

	Ragged bool // the head of a table may have fewer cells than the line below it
	Raw    bool // {% endraw %} may precede the end of code
	InCode bool // code may include files
	Divs   bool // HTML elements contain Markdown if they have the attribute markdown, else end at their own tag
	Python bool // Python-Markdown, whose extensions have notes, shortcodes and \(x\)
	Notes  bool // each line of a text ends as it is written, any character marks a task as done, and ^[text] is a footnote
	Loose  bool // as before CommonMark: [text] [label] is a link, and code in a row of a table may contain pipes
}

// Of returns a dialect by name, nil if it adds no syntax.
func Of(name string) *Dialect {
	switch name {
	case "mkdocs":
		return &Dialect{Block: mkdocsLine, Inline: mkdocsText, Starts: "+=^{:~-<>;", Code: mkdocsCode, Label: mkdocsLabel, Address: mkdocsAddress, Anchor: mkdocsAnchor, Number: "_", Divs: true, Python: true, Loose: true, InCode: true}
	case "gitbook":
		return &Dialect{Block: gitbookLine, Inline: gitbookText, Starts: "{:*", Summaries: true}
	case "hugo":
		return &Dialect{Block: hugoLine, Inline: hugoText, Starts: "{:", Code: hugoCode, Terms: true, Ragged: true, InCode: true}
	case "jekyll":
		return &Dialect{Block: jekyllLine, Inline: jekyllText, Starts: "{:-", Code: jekyllCode, Address: jekyllAddress, Divs: true, Loose: true, Raw: true}
	case "mdbook":
		return &Dialect{Block: mdbookLine, Inline: mdbookText, Starts: "{-", Code: mdbookCode, InCode: true}
	case "myst":
		return &Dialect{Block: mystLine, Inline: mystText, Starts: "{[]", Leads: mystLeads}
	case "vitepress":
		return &Dialect{Block: vitepressLine, Inline: vitepressText, Starts: "{:", Code: vitepressCode, Anchor: vitepressAnchor}
	case "obsidian":
		return &Dialect{Block: obsidianLine, Inline: obsidianText, Starts: "[!%=^", Address: obsidianAddress, Alt: obsidianAlt, Notes: true}
	}
	return nil
}

// Line parses a line with a mark of the dialect or, in any, of Docsify.
func (d *Dialect) Line(line string) (m Mark, found bool) {
	if m, found = Docsify(line); found || d == nil {
		return m, found
	}
	return d.Block(line)
}

// Coded transforms a text of code.
func (d *Dialect) Coded(language, text string) string {
	if d == nil || d.Code == nil {
		return text
	}
	return d.Code(language, text)
}

// attributeLine parses attributes in braces on a separate line.
func attributeLine(line string) (Mark, bool) {
	if line == "" || line[0] != '{' || strings.IndexByte(line, '}') != len(line)-1 || !isAttributes(line[1:len(line)-1]) {
		return Mark{}, false
	}
	return Mark{Form: Attributes, Info: line[1 : len(line)-1]}, true
}

// Reads reports whether a line begins with a mark, or has calls of templates that all are marks.
func (d *Dialect) Reads(line string) bool {
	if line = strings.TrimSpace(line); line == "" {
		return false
	}
	_, found := d.Line(line)
	if !found && d != nil && strings.IndexByte(d.Starts, line[0]) >= 0 {
		_, found = d.Inline(line, 0)
	}
	if found || d == nil || strings.IndexByte(d.Starts, '{') < 0 {
		return found
	}
	for at := 0; at < len(line); at++ {
		if text := line[at:]; !strings.HasPrefix(text, "{%") && !strings.HasPrefix(text, "{{") {
			continue
		}
		m, read := d.Inline(line, at)
		if found = read; !found {
			return false
		}
		at += max(m.Width, 2) - 1
	}
	return found
}

// quoted splits a string in double quotes off the start of a text.
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

// call is the content of template braces: {% name a="b" %}.
type call struct {
	name       string
	rest       string // after the name
	attributes attribute.List
	words      []string // values without a name
	width      int
	verbatim   bool // of Hugo: the content is not Markdown by default
}

// maxCall limits the length of a call in bytes.
const maxCall = 4 << 10

// scanCall parses a call between delimiters at the start of a text.
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

// wordEnd returns the length of the first word; quotes may contain blanks.
func wordEnd(s string) int { return attribute.Word(s, "\"'`") }

// unquote removes quotes around a text, but not those of a list, "a", "b".
func unquote(s string) string {
	if len(s) > 1 && s[0] == s[len(s)-1] && strings.IndexByte("\"'`", s[0]) >= 0 && !strings.Contains(s, s[:1]+", ") {
		return s[1 : len(s)-1]
	}
	return s
}

// with returns a copy of list with one more attribute.
func with(list attribute.List, name string, value any) attribute.List {
	return append(list[:len(list):len(list)], attribute.Attribute{Name: name, Value: value})
}
