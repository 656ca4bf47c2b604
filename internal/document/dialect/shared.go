package dialect

import (
	"cmp"
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// IsContents reports whether a line is a table of contents marker, in any dialect.
func IsContents(line string) bool {
	switch strings.ToLower(strings.TrimRight(line, " \t")) {
	case "[[toc]]", "[toc]", "[[_toc_]]", "[[*toc*]]", "{{toc}}":
		return true
	}
	return false
}

// EndHighlight is the tag that ends the code.
const EndHighlight = "endhighlight"

// Highlight parses the Jekyll tag {% highlight sh %}, which works in any dialect, and returns
// the text after it.
func Highlight(line string) (info, behind string, ok bool) {
	inside, behind, closed := strings.Cut(strings.TrimPrefix(line[2:], "-"), "%}")
	info, named := strings.CutPrefix(strings.TrimSpace(strings.TrimSuffix(inside, "-")), "highlight ")
	return info, strings.TrimSpace(behind), closed && named
}

// EndsHighlight reports whether a line ends such code.
func EndsHighlight(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "{%") && strings.HasSuffix(line, "%}") && strings.LastIndex(line, EndHighlight) > strings.LastIndex(line, "endraw")
}

// HoldsMarkdown returns the width of an HTML tag at the start of a line if it has the
// attribute markdown, else 0.
func HoldsMarkdown(line string) int {
	unbounded := inline.NewBudget(len(line))
	t, width := inline.ScanTag(line, false, &unbounded)
	for a := range t.Attributes() {
		if strings.EqualFold(a.Name, "markdown") {
			return width
		}
	}
	return 0
}

// Opens returns the number of elements a line opens minus those it closes, counting only
// elements like the first tag of text.
func Opens(line, text string) (more int) {
	text = strings.TrimPrefix(text[1:], "/")
	n := 0
	for n < len(text) && (inline.IsLetter(text[n]) || inline.IsDigit(text[n])) {
		n++
	}
	name := text[:n]
	if element.HoldsNothing(strings.ToLower(name)) {
		return 0
	}
	for _, behind := range strings.Split(line, "<")[1:] {
		tag, closing := strings.CutPrefix(behind, "/")
		switch {
		case len(tag) < n || !strings.EqualFold(tag[:n], name) || len(tag) > n && (inline.IsLetter(tag[n]) || inline.IsDigit(tag[n])):
		case closing:
			more--
		default:
			more++
		}
	}
	return more
}

// IsLiquid reports whether a line consists of a Liquid tag, or begins and ends with tags.
func IsLiquid(line, name string) bool {
	inside, ok := strings.CutPrefix(line, "{%")
	tag, _, _ := strings.Cut(inside, "%}")
	return ok && strings.HasSuffix(line, "%}") && strings.Trim(tag, " \t-") == name && (len(tag)+4 == len(line) || name == "comment")
}

// What a line in braces is, unless it starts HTML or a comment of one of the kinds in package inline.
const (
	OtherBraces     = 0
	EmptyBraces     = -10 - iota // shown as nothing
	AttributeBraces              // of a block, {: .class}
)

// Braces returns what a line in braces is in kramdown and Liquid. follows reports whether a text
// is on a later line.
func Braces(line string, follows func(string) bool) (kind int) {
	only := strings.IndexByte(line, '}') == len(line)-1
	switch {
	case IsLiquid(line, "raw"), IsLiquid(line, "endraw"): // their content is Markdown here
		return EmptyBraces
	case IsLiquid(line, "comment") && (strings.Contains(line, "endcomment") || follows("endcomment")):
		return inline.LiquidComment
	case !strings.HasPrefix(line, "{:") || len(line) > 1000:
	case strings.HasPrefix(line, "{::") && strings.Contains(line, "{:/"): // within a text
	case strings.HasPrefix(line, "{::nomarkdown") && only && !strings.HasSuffix(line, "/}") && follows("{:/"):
		return inline.KramdownHTML
	case strings.HasPrefix(line, "{::comment}") && follows("{:/"):
		return inline.KramdownComment
	case !only || strings.LastIndexByte(line, '{') != 0:
	case line[2] == ':' || line[2] == '/': // {::options … /}
		return EmptyBraces
	default:
		return AttributeBraces
	}
	return OtherBraces
}

// Abbreviation is "*[HTML]: Hyper Text", whose label begins with a word character.
type Abbreviation struct{ Label, Title string }

// Abbreviations are by their first word.
type Abbreviations map[string][]Abbreviation

const maxAlike = 8

// Add adds the abbreviation that a line defines, and reports whether it does.
func (all *Abbreviations) Add(line string) bool {
	label, title, found := strings.Cut(strings.TrimPrefix(line, "*["), "]:")
	if !strings.HasPrefix(line, "*[") || !found || label == "" || strings.ContainsAny(label, "[]") || strings.IndexByte(title, '*') >= 0 {
		return false
	}
	word := label[:inline.WordLength(label)]
	if alike := (*all)[word]; word != "" && len(alike) < maxAlike {
		if *all == nil {
			*all = Abbreviations{}
		}
		(*all)[word] = append(alike, Abbreviation{label, inline.OneLine(strings.TrimSpace(title))})
	}
	return true
}

// maxReach limits the length of a mark in a text in bytes, and tries the number of possible
// ends to check.
const (
	maxReach = 1000
	tries    = 8
)

// paired parses text between equal marks without inner white space: ==marked==.
func paired(text string, at int, mark, name string) (Mark, bool) {
	behind, found := strings.CutPrefix(text[at:min(len(text), at+maxReach)], mark)
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	first, _ := utf8.DecodeRuneInString(behind)
	if !found || behind == "" || unicode.IsSpace(first) || first == rune(mark[0]) || at > 0 && (isNameRune(before) || before == rune(mark[0])) {
		return Mark{}, false
	}
	for n, end := 0, 0; n < tries; n, end = n+1, end+len(mark) {
		next := strings.Index(behind[end:], mark)
		if next < 0 {
			break
		}
		end += next
		if last, _ := utf8.DecodeLastRuneInString(behind[:end]); end > 0 && !unicode.IsSpace(last) {
			return Mark{Form: Opening, Name: name, Width: len(mark), Reach: len(mark) + end}, true
		}
	}
	return Mark{}, false
}

// word parses a word between marks of one byte: H~2~O.
func word(s, name string) (Mark, bool) {
	end := strings.IndexAny(s[1:min(len(s), 64)], s[:1]+" \t\n\\`")
	if end < 1 || s[1+end] != s[0] || end+2 < len(s) && s[end+2] == s[0] {
		return Mark{}, false
	}
	return Mark{Name: name, Text: s[1 : 1+end], Width: end + 2}, true
}

// codeAttributes parses attributes of code, `a`{lang=ts}.
func codeAttributes(text string, at int) (Mark, bool) {
	if at == 0 || text[at-1] != '`' {
		return Mark{}, false
	}
	inside, _, closed := strings.Cut(text[at+1:min(len(text), at+maxReach)], "}")
	_, ok := attribute.Parse(inside, false)
	return Mark{Width: len(inside) + 2}, ok && closed
}

// emDash parses three hyphens.
func emDash(text string, at int) (Mark, bool) {
	return Mark{Width: 3, Text: "—"}, inline.RunLength(text[at:], '-') == 3 && (at == 0 || text[at-1] != '-')
}

// nameBetween returns the name between colons at the start of a text, or "".
func nameBetween(s string) string {
	for i := 1; i < len(s) && i < 80; i++ {
		switch c := s[i]; {
		case c == ':':
			return s[1:i]
		case !inline.IsLetter(c) && !inline.IsDigit(c) && c != '-' && c != '_' && c != '+':
			return ""
		}
	}
	return ""
}

func emojiAt(s string) (Mark, bool) {
	name := nameBetween(s)
	text := emoji[name]
	return Mark{Text: text, Width: len(name) + 2}, text != ""
}

func isNameRune(r rune) bool {
	return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func capital(s string) string {
	first, width := utf8.DecodeRuneInString(s)
	return string(unicode.ToTitle(first)) + s[width:]
}

// emoji are the short names of emoji common in documentation, as used by GitHub and others.
var emoji = emojiNames(emojiText)

//go:embed emoji.txt
var emojiText string

// Emoji returns the emoji for a name between colons, or the name if unknown.
func Emoji(name string) string { return cmp.Or(emoji[strings.Trim(name, ":")], name) }

func emojiNames(list string) map[string]string {
	words := strings.Fields(list)
	names := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		names[words[i]] = words[i+1]
	}
	return names
}
