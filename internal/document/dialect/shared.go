package dialect

import (
	"strings"

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
	return strings.HasPrefix(line, "{%") && strings.HasSuffix(line, "%}") && strings.Contains(line, EndHighlight)
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

// Abbreviation parses an abbreviation, "*[HTML]: Hyper Text".
func Abbreviation(line string) (label, title string) {
	label, title, found := strings.Cut(strings.TrimPrefix(line, "*["), "]:")
	if !strings.HasPrefix(line, "*[") || !found || strings.ContainsAny(label, "[]") || strings.IndexByte(title, '*') >= 0 {
		return "", ""
	}
	return label, inline.OneLine(strings.TrimSpace(title))
}
