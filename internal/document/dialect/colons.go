package dialect

import (
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Container is opened by a line of colons, ":::note Title", as in Docusaurus, VitePress and
// Starlight. A line that also ends with colons, ":::note Text :::", is complete. All pages
// may have containers.
type Container struct {
	Colons      int
	Name        string // in lower case
	Written     string
	Title, Text string // Text is that of a complete line
	Attributes  attribute.List
	Line        bool // it is a complete line
}

// Colons parses the opening line of a container.
func Colons(line string) (own *Container, ok bool) {
	own = &Container{Colons: inline.RunLength(line, ':')}
	offset := own.Colons + inline.Blanks(line[own.Colons:])
	n := 0
	for offset+n < len(line) && (inline.IsLetter(line[offset+n]) || n > 0 && (inline.IsDigit(line[offset+n]) || line[offset+n] == '-' || line[offset+n] == '_')) {
		n++
	}
	if own.Colons < 3 || offset == len(line) || n == 0 && !strings.HasPrefix(line[offset:], "{.") {
		return nil, false
	}
	own.Written = line[offset : offset+n]
	rest := strings.TrimRight(line[offset+n:], " \t")
	if text := strings.TrimRight(rest, ":"); len(rest)-len(text) >= 3 {
		own.Line, rest = true, strings.TrimRight(text, " \t")
	}
	if strings.HasPrefix(rest, "[") {
		if end := closingBracket(rest); end > 0 {
			own.Title, rest = rest[1:end], rest[end+1:]
		}
	}
	if open := strings.LastIndexByte(rest, '{'); open >= 0 && strings.HasSuffix(rest, "}") {
		if attributes, ok := attribute.Parse(rest[open+1:len(rest)-1], true); ok {
			own.Attributes, rest = attributes, rest[:open]
		}
	} else if attributes, ok := attribute.Parse(rest, false); ok && strings.HasSuffix(rest, `"`) {
		own.Attributes, rest = attributes, ""
	}
	if rest != "" && !inline.IsBlank(rest[0]) {
		return nil, false
	}
	class, _, _ := strings.Cut(own.Attributes.String("class"), " ")
	if n == 0 { // ::: {.note} of Pandoc
		if own.Written = strings.TrimPrefix(class, "callout-"); class == "" {
			return nil, false
		}
	}
	own.Name = strings.ToLower(own.Written)
	text := strings.TrimSpace(rest)
	switch {
	case own.Line:
		own.Text = text
	case text != "" && own.Title == "":
		own.Title = text
	case own.Title == "":
		own.Title = own.Attributes.String("title")
	}
	own.Line = own.Line || strings.HasSuffix(own.Name, "-end")
	return own, true
}

// closingBracket returns the offset of the bracket that closes the first, or 0.
func closingBracket(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// Folds is the attribute of a callout that readers can fold; it is true if it is folded at first.
const Folds = "folds"

// Alert parses "[!NOTE]" at the start of a quotation, as in GitHub and Obsidian, with an
// optional title, and returns the offset of the text. A div or video of docfx has
// attributes or an address instead of the title.
func (d *Dialect) Alert(s string) (name, title string, options attribute.List, width int) {
	if name, title, options, width = d.note(s); name != "" {
		return name, title, options, width
	}
	line, _, _ := strings.Cut(s, "\n")
	line, found := strings.CutPrefix(line, "[!")
	kind, rest, closed := strings.Cut(line, "]")
	name, _, _ = strings.Cut(kind, "|") // metadata of Obsidian
	if first, to, _ := strings.Cut(strings.TrimSpace(kind), " "); found && closed && (first == "div" || strings.EqualFold(first, "video") && to != "") {
		return map[bool]string{true: "div", false: "iframe"}[first == "div"], to, nil, min(len("[!")+len(line)+1, len(s))
	}
	if !found || !closed || name == "" || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.ContainsFunc(name, func(r rune) bool { return !isNameRune(r) && !unicode.IsMark(r) }) {
		return "", "", nil, 0
	}
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
		options = with(nil, Folds, rest[0] == '-')
	}
	title = strings.TrimSpace(strings.TrimLeft(rest, "+-"))
	return name, title, options, min(len("[!")+len(line)+1, len(s))
}

// Hint parses the start of a paragraph that is a callout: "!> text" of Docsify, and notes.
func (d *Dialect) Hint(s string) (name, title string, options attribute.List, width int) {
	switch s[:min(len(s), len("!> "))] {
	case "!> ":
		return "warning", "", nil, len("!> ")
	case "?> ":
		return "tip", "", nil, len("?> ")
	}
	return d.note(s)
}

// note parses "NOTE: **Title.** text" of MkDocs. With ! or ? before it readers can fold it.
func (d *Dialect) note(s string) (name, title string, options attribute.List, width int) {
	plain := strings.TrimLeft(s[:min(len(s), 40)], "!? ")
	name, rest, found := strings.Cut(plain, ":")
	kind := strings.ToLower(name)
	if d == nil || !d.Python || !found || kind == name || name != strings.ToUpper(name) || name != "NEW" && element.Variant(kind) == "" || rest != "" && rest[0] != ' ' && rest[0] != '\n' {
		return "", "", nil, 0
	}
	if s[0] != plain[0] {
		options = with(nil, Folds, s[0] == '?')
	}
	width = min(strings.IndexByte(s, ':')+2, len(s))
	if text, strong := strings.CutPrefix(s[width:], "**"); strong && s[width-1] == ' ' {
		if inside, _, closed := strings.Cut(text, "**"); closed {
			title, width = strings.TrimSuffix(strings.TrimSpace(inside), "."), width+len(inside)+len("****")
		}
	}
	return kind, title, options, width
}
