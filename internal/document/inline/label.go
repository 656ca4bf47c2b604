package inline

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// maxLabel limits a reference label in bytes; CommonMark allows 999 characters.
const maxLabel = 1000

// scanLabel parses a label in brackets; used is 0 if there is none.
func scanLabel(s string) (label string, used int) {
	for i := 1; i < len(s) && i <= maxLabel; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return s[:0], 0
		case ']':
			return s[1:i], i + 1
		}
	}
	return s[:0], 0
}

// FoldLabel normalises labels for comparison (CommonMark section 4.7).
func FoldLabel(label string) string {
	text := strings.Join(strings.Fields(label), " ")
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return cases.Fold().String(text)
		}
	}
	return strings.ToLower(text)
}

// scanDestination parses a link destination without its angle brackets; width is 0 if there is
// none.
func scanDestination(s string) (destination string, width int) {
	if len(s) > 0 && s[0] == '<' {
		return scanBracketed(s)
	}
	depth, i := 0, 0
scan:
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c <= ' ' || c == 0x7f:
			break scan
		case c == '\\' && i+1 < len(s) && IsPunct(s[i+1]):
			i++
		case c == '{':
			i += max(shortcode(s[i:]), 1) - 1
		case c == '(':
			if depth++; depth > 32 {
				return s[:0], 0
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		}
	}
	if depth != 0 {
		return s[:0], 0
	}
	return s[:i], i
}

func scanBracketed(s string) (destination string, width int) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n', '<':
			return s[:0], 0
		case '>':
			return s[1:i], i + 1
		}
	}
	return s[:0], 0
}

// shortcode returns the width of a Hugo shortcode, as in {{< relref "page.md" >}}#part, or of a
// Liquid expression. Generators replace these before they parse Markdown, so they may
// contain spaces and quotes.
func shortcode(s string) int {
	for _, marks := range [][2]string{{"{{<", ">}}"}, {"{{%", "%}}"}, {"{{ ", "}}"}, {"{{'", "}}"}, {"{{\"", "}}"}, {"{% ", "%}"}} {
		if !strings.HasPrefix(s, marks[0]) {
			continue
		}
		end := strings.Index(s[:min(len(s), 1024)], marks[1])
		if end < 0 || strings.Contains(s[:end], "\n") && (marks[1][0] != '}' && marks[1] != "%}" || strings.Contains(s[:end], "\n\n")) {
			return 0
		}
		return end + len(marks[1])
	}
	return 0
}

// scanTitle returns the width of a link title with its quotes, or 0.
func scanTitle(s string) int {
	if len(s) == 0 || !opensTitle(s[0]) {
		return 0
	}
	end := s[0]
	if end == '(' {
		end = ')'
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == end:
			return i + 1
		case s[i] == '(' && end == ')':
			return 0
		}
	}
	return 0
}
