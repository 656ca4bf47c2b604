package dialect

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// IsContents reports whether a line stands for the table of contents, in any page.
func IsContents(line string) bool {
	switch strings.ToLower(strings.TrimRight(line, " \t")) {
	case "[[toc]]", "[toc]", "[[_toc_]]", "[[*toc*]]", "{{toc}}":
		return true
	}
	return false
}

// EndHighlight ends code between tags of Jekyll.
const EndHighlight = "endhighlight"

// Highlight reads the tag of Jekyll, {% highlight sh %}, that opens code in any page,
// and what stands behind it.
func Highlight(line string) (info, behind string, ok bool) {
	inside, behind, closed := strings.Cut(strings.TrimPrefix(line[2:], "-"), "%}")
	info, named := strings.CutPrefix(strings.TrimSpace(strings.TrimSuffix(inside, "-")), "highlight ")
	return info, strings.TrimSpace(behind), closed && named
}

// EndsHighlight reports whether a line ends code between tags of Jekyll.
func EndsHighlight(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "{%") && strings.HasSuffix(line, "%}") && strings.Contains(line, EndHighlight)
}

// HoldsMarkdown returns the width of the tag of HTML that a line begins with if it has
// the attribute markdown, and else 0.
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

// Opens returns how many more elements a line opens than it closes, of those that the
// text of a block begins with a tag of.
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

// IsLiquid reports whether a line is a tag of Liquid, or begins with one and ends with
// another.
func IsLiquid(line, name string) bool {
	inside, ok := strings.CutPrefix(line, "{%")
	tag, _, _ := strings.Cut(inside, "%}")
	return ok && strings.HasSuffix(line, "%}") && strings.Trim(tag, " \t-") == name && (len(tag)+4 == len(line) || name == "comment")
}

// Abbreviation reads the definition of an abbreviation, "*[HTML]: Hyper Text".
func Abbreviation(line string) (label, title string) {
	label, title, found := strings.Cut(strings.TrimPrefix(line, "*["), "]:")
	if !strings.HasPrefix(line, "*[") || !found || strings.ContainsAny(label, "[]") || strings.IndexByte(title, '*') >= 0 {
		return "", ""
	}
	return label, inline.OneLine(strings.TrimSpace(title))
}
