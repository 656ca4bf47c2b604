// Package fence parses info strings of code blocks, and comments in code that mark lines. It
// does not parse code.
package fence

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Info is the parsed info string.
type Info struct {
	Language string // in lower case, "" for none
	Title    string // a file name, or the title of a tab
	Tab      bool   // one of several consecutive tabs
	Managed  bool   // commands of npm, which Docusaurus shows for others too
	Numbered bool   // with line numbers
	First    int    // number of the first line
	Marks    []Mark
	worked   bool // VitePress works out what stands between {{ and }}
	typed    bool // Twoslash reads comments
}

// Mark is a range of marked lines, counted from 1.
type Mark struct {
	First, Last int
	Kind        MarkKind
}

// MarkKind is the style of marked lines.
type MarkKind uint8

const (
	NoMark MarkKind = iota
	Highlighted
	Added
	Removed
	Focused
	Warned
	Failed
)

// Class returns the name of a mark, "" for none.
func (k MarkKind) Class() string {
	return [...]string{"", "highlighted", "added", "removed", "focused", "warned", "failed"}[k]
}

// The maximal number of marks per block.
const maxMarks = 200

// Parse parses an info string in the notations of Docusaurus, Starlight, VitePress, VuePress,
// Mintlify, Nextra, MkDocs, Hugo, Zola, rustdoc and Pandoc.
func Parse(info string) Info {
	c := Info{First: 1}
	info = strings.TrimSpace(inline.Unescape(info))
	inner, braced := strings.CutPrefix(info, "{")
	if braced = braced && strings.HasSuffix(inner, "}"); braced { // {.python title="x"}
		info = strings.TrimPrefix(strings.TrimSpace(strings.TrimSuffix(inner, "}")), ".")
	}
	n := strings.IndexAny(info, " \t{[,:=?")
	if n < 0 {
		n = len(info)
	}
	c.Language, c.worked = strings.CutSuffix(strings.ToLower(info[:n]), "-vue")
	rest := info[n:]
	switch {
	case len(rest) > 1 && rest[0] == '=' && strings.IndexByte("\"'{[", rest[1]) >= 0: // title="x", without a language
		c.Language, rest = "", info
	case strings.HasPrefix(rest, "="): // python=5 of HackMD
		width := metaWord(rest, "")
		c.option("linenos" + rest[:width])
		rest = rest[width:]
	case strings.HasPrefix(rest, "?"): // console?prompt=$
		rest = rest[metaWord(rest, ""):]
	}
	for strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, ":") { // rust,ignore and ts:line-numbers and js:app.js
		width := 1 + metaWord(rest[1:], ",:")
		word := rest[1:width]
		if !c.option(word) && rest[0] == ':' && strings.ContainsAny(word, "./") {
			c.Title = word
		}
		rest = rest[width:]
	}
	if words := c.meta(rest, braced); c.Title == "" && !braced {
		c.Title = strings.Join(words, " ")
	}
	return c
}

// meta parses the words after the language and returns the unknown ones. In braces commas
// separate words too.
func (c *Info) meta(s string, braced bool) (words []string) {
	ends := s[:0]
	if braced {
		ends = ","
	}
	for s = strings.TrimLeft(s, " \t,"); s != ""; s = strings.TrimLeft(s, " \t,") {
		word := s[:metaWord(s, ends)]
		s = s[len(word):]
		last := word[len(word)-1]
		switch {
		case word[0] == '{' && strings.ContainsAny(word, "=.#"):
			c.meta(strings.Trim(word, "{}"), true)
		case word[0] == '{' || strings.Trim(word, "0123456789,-") == "":
			c.mark(word, Highlighted)
		case word[0] == '[' && last == ']':
			c.Title = strings.ReplaceAll(word[1:len(word)-1], `\]`, "]")
		case len(word) > 1 && (word[0] == '/' || word[0] == '"') || strings.HasPrefix(word, "style:"): // words to highlight, and a look
		case word[0] == ':' || braced && word[0] == '.':
			c.option(word[1:])
		case word != "|" && !c.option(word):
			words = append(words, word)
		}
	}
	return words
}

// option applies an option. It reports whether the word is one, or a flag without meaning
// here, and so is not part of a title.
func (c *Info) option(word string) bool {
	name, value, isPair := strings.Cut(word, "=")
	if !isPair && strings.HasSuffix(word, "}") { // showLineNumbers{3}
		name, value, isPair = strings.Cut(word, "{")
	}
	value = strings.Trim(value, "\"'`{}[]")
	folded := strings.ToLower(withoutMarks.Replace(name))
	switch folded {
	case "title", "filename", "file", "label", "caption", "name", "datafilename":
		if isPair {
			c.Title = value
		}
	case "tab":
		if isPair && value != "" {
			c.Title, c.Tab = value, true
		}
	case "hllines", "highlight", "mark":
		c.mark(value, Highlighted)
	case "ins":
		c.mark(value, Added)
	case "del":
		c.mark(value, Removed)
	case "focus":
		c.mark(value, Focused)
	case "showlinenumbers", "linenumbers", "linenums", "linenos", "numberlines", "lines", "startlinenumber", "linenostart", "startfrom":
		c.Numbered = value != "false"
		if first, err := strconv.Atoi(value); err == nil && first > 0 && first < 1e6 {
			c.First = first
		}
		return true
	case "npm2yarn":
		c.Managed = true
		return true
	case "twoslash":
		c.typed = c.typed || word == folded
		return word == folded
	case "nolinenumbers", "nolinenos":
		c.Numbered = false
		return true
	}
	return isPair || flags[folded] && word[:1] == folded[:1] || strings.HasPrefix(folded, "edition20") || strings.HasPrefix(word, "no-") || strings.HasPrefix(word, "no_")
}

var withoutMarks = strings.NewReplacer("-", "", "_", "")

// flags are the flags of generators, rustdoc and mdBook without effect here, without hyphens
// and underscores.
var flags = map[string]bool{
	"copy": true, "nocopy": true, "live": true, "wrap": true, "nowrap": true, "icon": true, "expandable": true, "noinline": true,
	"ignore": true, "norun": true, "shouldpanic": true, "compilefail": true, "noplaypen": true, "noplayground": true,
	"editable": true, "runnable": true, "mdbookrunnable": true, "testharness": true, "standalonecrate": true, "collapsedlines": true,
	"skiptest": true, "pure": true, "test": true, "run": true, "exec": true, "eval": true, "skip": true, "notest": true, "noeval": true, "noexec": true, "vpre": true,
}

// metaWord returns the length of the first word; quotes and brackets may contain blanks. The
// bytes in ends terminate it too.
func metaWord(s, ends string) int {
	end := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case end != 0:
			if c == end && (c != ']' || s[i-1] != '\\') {
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
		case inline.IsBlank(c) || strings.IndexByte(ends, c) >= 0:
			return i
		}
	}
	return len(s)
}

// mark parses ranges of lines: "1,3-5 8", optionally in brackets and quotes.
func (c *Info) mark(ranges string, kind MarkKind) {
	for _, r := range strings.FieldsFunc(ranges, func(r rune) bool { return strings.ContainsRune(", {}\"'", r) }) {
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

// A comment at the end of a line marks that line, "// [!code ++]" of VitePress. One on a
// separate line marks the next ones, "// highlight-next-line" of Docusaurus.
var (
	lineComment = regexp.MustCompile(`[ \t]*(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*\[!code (\+\+|--|highlight|hl|focus|warning|error)(?::(\d{1,4}))?\][ \t]*(?:-->|\*/\}?)?[ \t]*$`)
	nextComment = regexp.MustCompile(`^[ \t]*(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*highlight-(next-line|start|end)[ \t]*(?:-->|\*/\}?)?[ \t]*$`)
)

// languageBehind is the language after inline code, {:js} of Nextra.
var languageBehind = regexp.MustCompile(`.\{:[a-z]+\}$`)

// Plain strips the language from inline code.
func Plain(code string) string {
	if at := languageBehind.FindStringIndex(code); at != nil {
		return code[:strings.LastIndexByte(code, '{')]
	}
	return code
}

var (
	markKinds = map[string]MarkKind{"++": Added, "--": Removed, "focus": Focused, "warning": Warned, "error": Failed}
	// colouring matches terminal colour codes in copied output.
	colouring = regexp.MustCompile("\x1b\\[[0-9;]*m")
)

// quotedOutput matches the expression {{ 'a' }} of VitePress.
var quotedOutput = regexp.MustCompile(`\{\{\s*(?:'([^'\n]*)'|"([^"\n]*)")\s*\}\}`)

// queries match comments that Twoslash reads and does not show, with what they cut off.
var queries = regexp.MustCompile(`(?s)^.*// ---cut(?:-before)?---\n|// ---cut-after---\n.*$|(?m:^\s*// ---cut-start---$).*?// ---cut-end---\n|(?m-s:^\s*// *(?:@(?:no|err|show|strict|target|module|jsx|lib)|\^[?|^]).*\n)`)

// Comments adds the marks in comments, and returns the text without these and without
// terminal colours.
func (c *Info) Comments(code string) string {
	if strings.Contains(code, "\x1b[") {
		code = colouring.ReplaceAllLiteralString(code, "")
	}
	if c.typed {
		code = queries.ReplaceAllLiteralString(code, "")
	}
	if c.worked {
		code = quotedOutput.ReplaceAllString(code, "$1$2")
	}
	if !strings.Contains(code, "[!code ") && !strings.Contains(code, "highlight-") {
		return code
	}
	var kept strings.Builder
	line, start := 0, 0 // start is the first line of an open range, else 0
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
			c.addMark(line, line+max(count, 1)-1, cmp.Or(markKinds[body[m[2]:m[3]]], Highlighted))
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

// KindAt returns the mark of a line. The last matching one counts.
func KindAt(marks []Mark, line int) (kind MarkKind) {
	for _, m := range marks {
		if m.First <= line && line <= m.Last {
			kind = m.Kind
		}
	}
	return kind
}

// Drawn returns what code in a language stands for, "Math" or "Diagram", or "".
func Drawn(language string) string {
	switch language {
	case "math", "latex-math", "katex", "asciimath":
		return "Math"
	case "mermaid", "plantuml", "graphviz", "d2":
		return "Diagram"
	}
	return ""
}
