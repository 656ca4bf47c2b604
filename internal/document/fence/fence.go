// Package fence reads what authors write behind the fence of a block of code, and
// the comments in code that mark lines.
package fence

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Info is what is said about a block of code.
type Info struct {
	Language string // in lower case, "" for none
	Title    string // a file name, or what a tab shows
	Numbered bool   // whether the author wants numbers of lines
	First    int    // number of the first line
	Marks    []Mark
}

// Mark is a run of lines of code that stand out, counted from 1.
type Mark struct {
	First, Last int
	Kind        MarkKind
}

// MarkKind tells how lines of code stand out.
type MarkKind uint8

// The kinds of marks.
const (
	NoMark MarkKind = iota
	Highlighted
	Added
	Removed
	Focused
	Warned
	Failed
)

// The most marks that one block may have.
const maxMarks = 200

// Parse reads what is written behind a fence, in the notations of Docusaurus,
// Starlight, VitePress, Mintlify, Nextra, MkDocs, Hugo and rustdoc.
func Parse(info string) Info {
	c := Info{First: 1}
	info = strings.TrimSpace(inline.Unescape(info))
	if inner, ok := strings.CutPrefix(info, "{"); ok && strings.HasSuffix(inner, "}") { // {.python title="x"}
		info = strings.TrimPrefix(strings.TrimSpace(strings.TrimSuffix(inner, "}")), ".")
	}
	n := strings.IndexAny(info, " \t{,")
	if n < 0 {
		n = len(info)
	}
	c.Language = strings.ToLower(info[:n])
	c.meta(info[n:])
	return c
}

// meta reads what follows the language.
func (c *Info) meta(s string) {
	var words []string
	for s = strings.TrimLeft(s, " \t,"); s != ""; s = strings.TrimLeft(s, " \t,") {
		word := s[:metaWord(s)]
		s = s[len(word):]
		name, value, isPair := strings.Cut(word, "=")
		value = strings.Trim(value, "\"'`{}")
		switch {
		case strings.HasPrefix(word, "{"):
			c.mark(strings.Trim(word, "{}"), Highlighted)
		case strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]"):
			c.Title = word[1 : len(word)-1]
		case !isPair && (name == "showLineNumbers" || name == "lines" || strings.HasPrefix(name, ":line-numbers")):
			c.Numbered = true
		case !isPair && (name == "copy" || name == "live" || name == "wrap" || name == "icon" || name == "expandable" || name == "noInline" || name == "twoslash"):
		case !isPair && len(word) > 1 && (word[0] == '/' || word[0] == '"'): // words to highlight
		case !isPair:
			words = append(words, word)
		case name == "title" || name == "filename" || name == "file" || name == "label":
			c.Title = value
		case name == "hl_lines" || name == "highlight" || name == "mark":
			c.mark(value, Highlighted)
		case name == "ins":
			c.mark(value, Added)
		case name == "del":
			c.mark(value, Removed)
		case name == "focus":
			c.mark(value, Focused)
		case name == "showLineNumbers" || name == "linenums" || name == "startLineNumber" || name == "linenostart":
			c.Numbered = value != "false"
			if first, err := strconv.Atoi(value); err == nil && first > 0 && first < 1e6 {
				c.First = first
			}
		}
	}
	if c.Title == "" && len(words) > 0 {
		c.Title = strings.Join(words, " ")
	}
}

// metaWord returns the length of the first word, with quotes and brackets held
// together.
func metaWord(s string) int {
	end := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case end != 0:
			if c == end {
				end = 0
				if c == '}' || c == ']' {
					return i + 1
				}
			}
		case c == '"' || c == '\'' || c == '`':
			end = c
		case c == '{':
			end = '}'
		case c == '[':
			end = ']'
		case inline.IsBlank(c):
			return i
		}
	}
	return len(s)
}

// mark reads ranges of lines: "1,3-5 8".
func (c *Info) mark(ranges string, kind MarkKind) {
	for _, r := range strings.FieldsFunc(ranges, func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, isRange := strings.Cut(r, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err == nil && first > 0 && first <= last && len(c.Marks) < maxMarks {
			c.Marks = append(c.Marks, Mark{first, last, kind})
		}
	}
}

// A comment at the end of a line marks it, as in VitePress: "// [!code ++]".
// One on a line of its own marks those after it, as in Docusaurus:
// "// highlight-next-line".
var (
	lineComment = regexp.MustCompile(`[ \t]*(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*\[!code (\+\+|--|highlight|hl|focus|warning|error)(?::(\d{1,4}))?\][ \t]*(?:-->|\*/\}?)?[ \t]*$`)
	nextComment = regexp.MustCompile(`^[ \t]*(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*highlight-(next-line|start|end)[ \t]*(?:-->|\*/\}?)?[ \t]*$`)
)

func markKind(word string) MarkKind {
	switch word {
	case "++":
		return Added
	case "--":
		return Removed
	case "focus":
		return Focused
	case "warning":
		return Warned
	case "error":
		return Failed
	}
	return Highlighted
}

// Comments returns the text without the marks that stand in comments, which it
// adds to the others.
func (c *Info) Comments(code string) string {
	if !strings.Contains(code, "[!code ") && !strings.Contains(code, "highlight-") {
		return code
	}
	var kept strings.Builder
	line, start := 0, 0 // start is the first line of a run, 0 outside one
	for _, text := range strings.SplitAfter(code, "\n") {
		body := strings.TrimSuffix(text, "\n")
		if m := nextComment.FindStringSubmatch(body); m != nil {
			switch m[1] {
			case "next-line":
				c.addMark(line+1, line+1, Highlighted)
			case "start":
				start = line + 1
			default:
				if start > 0 && line >= start {
					c.addMark(start, line, Highlighted)
				}
				start = 0
			}
			continue
		}
		line++
		if m := lineComment.FindStringSubmatchIndex(body); m != nil {
			count := 1
			if m[4] >= 0 {
				count, _ = strconv.Atoi(body[m[4]:m[5]]) // at most four digits
			}
			c.addMark(line, line+max(count, 1)-1, markKind(body[m[2]:m[3]]))
			text = body[:m[0]] + text[len(body):]
		}
		kept.WriteString(text)
	}
	return kept.String()
}

func (c *Info) addMark(first, last int, kind MarkKind) {
	if len(c.Marks) < maxMarks {
		c.Marks = append(c.Marks, Mark{first, last, kind})
	}
}
