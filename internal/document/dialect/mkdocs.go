package dialect

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// mkdocsLine parses a line of MkDocs, its themes and extensions: admonitions, details and
// tabs with indented content, and included files.
func mkdocsLine(line string) (Mark, bool) {
	if len(line) < 3 {
		return Mark{}, false
	}
	if name := changes[strings.Trim(line, "{}")]; len(line) == 3 && name != "" { // on lines around blocks
		form := Opening
		if line[2] == '}' {
			form = Closing
		}
		return Mark{Form: form, Name: name}, true
	}
	switch rest := line[3:]; line[:3] {
	case "!!!", "???":
		return admonition(line[0] == '?', rest)
	case "===":
		if rest != "" && (rest[0] == '!' || rest[0] == '+') {
			rest = rest[1:]
		}
		title, behind, ok := quoted(strings.TrimSpace(rest))
		return Mark{
			Form: Indented, Name: "Tab", Title: title,
			Attributes: attribute.List{{Name: "first", Value: strings.HasPrefix(line, "===!")}, {Name: "default", Value: strings.HasPrefix(line, "===+")}},
		}, ok && behind == ""
	}
	if m, ok := attributeLine(line); ok {
		return m, true
	}
	if line == scissors {
		return Mark{Form: Literal, End: scissors, Include: &File{}}, true
	}
	if line[:3] == "///" {
		return slashes(line)
	}
	if name, found := strings.CutPrefix(line, ":::"); found {
		return apiText(strings.TrimSpace(name))
	}
	if inside, found := strings.CutPrefix(line, "{*"); found {
		return exampleCode(inside)
	}
	if c, ok := scanCall(line, "{%", "%}"); ok && c.width == len(line) && len(c.words) == 1 && (c.name == "include" || c.name == "include-markdown") {
		file, ok := File{Name: c.words[0]}.found(true)
		if c.name == "include" { // of macros, whose folder is in the configuration
			file.Name = reference.ByName(file.Name, "")
		}
		return Mark{Include: &file}, ok
	}
	file, ok := snippet(line)
	if strings.HasSuffix(line, `.svg"`) {
		return Mark{Name: "Frame", Attributes: with(nil, "src", file.Name)}, ok
	}
	return Mark{Include: &file}, ok
}

// admonition parses the text after !!! or ???: a kind, more classes, and a title in quotes.
func admonition(folds bool, rest string) (Mark, bool) {
	open := folds && strings.HasPrefix(rest, "+")
	if open {
		rest = rest[1:]
	}
	rest = strings.TrimSpace(rest)
	classes, _, _ := strings.Cut(rest, `"`)
	title, behind, titled := quoted(rest[len(classes):])
	kind, _, _ := strings.Cut(classes, " ")
	if kind == "" || !attribute.IsName(kind) || behind != "" || !titled && rest != classes {
		return Mark{}, false
	}
	m := Mark{Form: Indented, Name: "Callout", Title: title, Attributes: attribute.List{{Name: "type", Value: kind}}}
	if titled && title == "" {
		m.Attributes = with(m.Attributes, "untitled", true)
	}
	if folds {
		m.Name, m.Attributes = "Accordion", attribute.List{{Name: "open", Value: open}}
		if title == "" {
			m.Title = capital(kind)
		}
	}
	return m, true
}

// isAttributes reports whether braces contain only attributes.
func isAttributes(inside string) bool {
	trimmed := strings.TrimLeft(inside, ": \t")
	if trimmed == "" || trimmed[0] != '.' && trimmed[0] != '#' && !strings.Contains(trimmed, "=") && !strings.HasPrefix(trimmed, "data-") {
		return false
	}
	_, ok := attribute.Parse(inside, strings.HasPrefix(trimmed, "data-"))
	return ok
}

const scissors = "--8<--"

// Snippet parses the name of a file that PyMdown includes, "file:part". Its folders are
// in the configuration, so the file is found by name.
func Snippet(name string) (f File, ok bool) {
	f.Name, f.Part, _ = strings.Cut(name, ":")
	f, ok = f.found(true)
	f.Name = reference.ByName(f.Name, "")
	return f, ok
}

// snippet parses a line that includes a file: --8<-- "file:part" of PyMdown, {!file!} of
// markdown-include.
func snippet(line string) (f File, ok bool) {
	if rest, found := strings.CutPrefix(line, scissors); found {
		name, behind, ok := quoted(strings.TrimSpace(rest))
		f, named := Snippet(name)
		return f, ok && named && behind == ""
	}
	inside, found := strings.CutPrefix(line, "{!")
	if inside, closed := strings.CutSuffix(inside, "!}"); found && closed {
		f.Name = strings.TrimSpace(strings.TrimPrefix(inside, ">"))
		if name, lines, ok := strings.Cut(f.Name, "[ln:"); ok {
			f.Name, f.Part = name, strings.TrimSuffix(lines, "]")
		}
		return f.found(true)
	}
	return f, false
}

// mkdocsText parses a mark in a text.
func mkdocsText(text string, at int) (m Mark, ok bool) {
	s := text[at:min(len(text), at+maxReach)]
	switch s[0] {
	case '+':
		return keys(text, at, s)
	case '=':
		return paired(text, at, "==", "mark")
	case '^':
		if strings.HasPrefix(s, "^^") {
			return paired(text, at, "^^", "ins")
		}
		return word(s, "sup")
	case '~':
		return word(s, "sub")
	case ';':
		return Mark{Width: 1}, strings.HasPrefix(s[1:], scissors) && strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1:at]) == ""
	case '>':
		return replacement(text, at, s)
	case ':':
		if at == 0 && strings.HasPrefix(s, "::: ") && mkdocsLabel(s[4:]) { // a heading
			return Mark{Text: s[4:], Width: len(s), LeftOut: true}, true
		}
		if m, ok = emojiAt(s); ok {
			return m, true
		}
		name := nameBetween(s)
		for _, set := range []string{"material-", "octicons-", "fontawesome-", "simple-"} {
			if strings.HasPrefix(name, set) {
				return Mark{Width: len(name) + 2, Text: element.Sign(name)}, true
			}
		}
	case '{':
		return critic(text, at, s)
	case '<':
		return shortcode(s)
	}
	return Mark{}, false
}

// keyNames are the names of keys that are not their own.
var keyNames = map[string]string{
	"win": "Win", "windows": "Win", "slash": "/", "comma": ",", "period": ".", "plus": "+", "minus": "-", "equal": "=", "semicolon": ";",
	"arrow-up": "Up", "arrow-down": "Down", "arrow-left": "Left", "arrow-right": "Right",
}

// keys parses keys to press, ++ctrl+"x"++.
func keys(text string, at int, s string) (Mark, bool) {
	end := strings.Index(s[min(2, len(s)):], "++")
	if !strings.HasPrefix(s, "++") || end < 1 || at > 0 && text[at-1] == '+' {
		return Mark{}, false
	}
	var names []string
	for name := range strings.SplitSeq(s[2:2+end], "+") {
		if plain := unquote(name); plain != name {
			name = plain
		} else if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !isNameRune(r) }) {
			return Mark{}, false
		} else {
			name = cmp.Or(keyNames[name], capital(strings.NewReplacer("-", " ", "_", " ").Replace(name)))
		}
		names = append(names, name)
	}
	return Mark{Name: "Kbd", Text: strings.Join(names, "+"), Width: end + 4}, true
}

// changes are the elements of marks that braces enclose.
var changes = map[string]string{"++": "ins", "--": "del", "==": "mark"}

// critic parses changes in a text, {++new++}, and attributes in braces, which are not shown.
func critic(text string, at int, s string) (Mark, bool) {
	if change := strings.Index(s, "~>"); change > 0 && strings.HasPrefix(s, "{~~") && strings.Contains(s[change:], "~~}") {
		return Mark{Form: Opening, Name: "del", Width: len("{~~"), Reach: change, Tail: 1}, true
	}
	if name := changes[s[1:min(len(s), 3)]]; name != "" {
		if end := strings.Index(s, s[1:3]+"}"); end > 2 {
			return Mark{Form: Opening, Name: name, Width: len("{++"), Reach: end}, true
		}
	}
	if end := strings.Index(s, "<<}"); strings.HasPrefix(s, "{>>") && end > 0 {
		return Mark{Width: end + len("<<}")}, true
	}
	inside, _, closed := strings.Cut(s[1:], "}")
	if !closed || !isAttributes(inside) || strings.IndexByte(inside, '\n') >= 0 || at > 0 && inline.IsLetter(text[at-1]) {
		return Mark{}, false
	}
	m := Mark{Width: len(inside) + 2}
	if list, _ := attribute.Parse(inside, false); list.String("id") != "" {
		m.Name, m.Attributes = "span", with(nil, "id", list.String("id"))
	}
	return m, true
}

// replacement parses the new text of {~~old~>new~~} at the sign before it.
func replacement(text string, at int, s string) (Mark, bool) {
	if !strings.HasSuffix(text[:at], "~") {
		return Mark{}, false // the common case
	}
	open, end := strings.LastIndex(text[max(0, at-maxReach):at], "{~~"), strings.Index(s, "~~}")
	if open < 0 || end < 0 || strings.Contains(text[max(0, at-maxReach)+open:at-1], "~>") {
		return Mark{}, false
	}
	return Mark{Form: Opening, Name: "ins", Width: 1, Reach: end, Tail: len("~~}")}, true
}

const shortcodeMark = "<!-- md:"

// shortcode parses <!-- md:name text --> of the documentation of Material. The text is a
// badge; that of an option or a setting is the name of something, and an anchor.
func shortcode(s string) (m Mark, ok bool) {
	inside, _, closed := strings.Cut(strings.TrimPrefix(s, shortcodeMark), "-->")
	if !closed || !strings.HasPrefix(s, shortcodeMark) {
		return m, false
	}
	name, text, _ := strings.Cut(strings.TrimSpace(inside), " ")
	end := len(shortcodeMark) + len(inside)
	m.Width = end + len("-->")
	switch {
	case name == "option" || name == "setting":
		m.Name, m.Text = "code", text[strings.LastIndexAny(text, ".:*")+1:]
		m.Attributes = with(nil, "id", map[string]string{"option": "+"}[name]+text)
	case text != "" && text != "none":
		m.Form, m.Name = Opening, "Badge"
		m.Reach, m.Tail, m.Width = end, len("-->"), len(shortcodeMark)+strings.LastIndex(inside, text)
	}
	return m, attribute.IsName(name)
}

// Inside returns the indentation of the content of an item whose text has it; in
// Python-Markdown four spaces are enough.
func (d *Dialect) Inside(indent int) int {
	if d != nil && d.Python {
		return min(indent, 4)
	}
	return indent
}

// IsShortcode reports whether a line begins with a shortcode.
func (d *Dialect) IsShortcode(line string) bool {
	_, ok := shortcode(line)
	return ok && d != nil && d.Python
}

// Settings returns the names of the settings that shortcodes in a source define.
func (d *Dialect) Settings(source string) (names []string) {
	if d == nil || !d.Python {
		return nil
	}
	for _, s := range strings.Split(source, shortcodeMark+"setting ")[1:] {
		if name, _, closed := strings.Cut(s[:min(len(s), maxReach)], "-->"); closed {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
