package inline

import (
	"strings"
	"unicode"
)

// CodeText returns the text of a code span: line ends are spaces, and one space
// at each side is there for backquotes to stand apart.
func CodeText(s string) string {
	if strings.IndexByte(s, '\n') >= 0 {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	if len(s) > 1 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		s = s[1 : len(s)-1]
	}
	return s
}

// IndexFold is strings.Index for an ASCII substring in lower case, in any case.
func IndexFold(s, sub string) int {
	for offset := 0; ; {
		i := strings.Index(s[offset:], sub[:2])
		if i < 0 || offset+i+len(sub) > len(s) {
			return -1
		}
		offset += i
		if strings.EqualFold(s[offset:offset+len(sub)], sub) {
			return offset
		}
		offset++
	}
}

// IsRule reports whether a line draws a thematic break.
func IsRule(line string) bool {
	c, marks := line[0], 0
	if c != '-' && c != '_' && c != '*' {
		return false
	}
	for i := range len(line) {
		if line[i] == c {
			marks++
		} else if !IsBlank(line[i]) {
			return false
		}
	}
	return marks >= 3
}

// ListMarker returns the kind, the width and the number of the list marker
// that a line starts with; the width is 0 when there is none. The number of a
// bullet is 1: other numbers do not interrupt a paragraph.
func ListMarker(ahead string) (marker byte, width, number int) {
	marker, number = ahead[0], 1
	switch {
	case marker == '-' || marker == '+' || marker == '*':
		width = 1
	case IsDigit(marker):
		number = 0
		for width < len(ahead) && width < 10 && IsDigit(ahead[width]) {
			number = number*10 + int(ahead[width]-'0')
			width++
		}
		if width > 9 || width == len(ahead) || ahead[width] != '.' && ahead[width] != ')' {
			return 0, 0, 0
		}
		marker = ahead[width]
		width++
	default:
		return 0, 0, 0
	}
	if width < len(ahead) && !IsBlank(ahead[width]) {
		return 0, 0, 0
	}
	return marker, width, number
}

// FootnoteLabel reads "[^label]:" at the start of a line; width is 0 when
// there is none.
func FootnoteLabel(line string) (label string, width int) {
	if !strings.HasPrefix(line, "[^") {
		return "", 0
	}
	end := strings.IndexByte(line, ']')
	if end < 3 || end+1 >= len(line) || line[end+1] != ':' || strings.ContainsAny(line[2:end], " \t[") {
		return "", 0
	}
	return line[2:end], end + 2
}

// WordLength returns how many bytes of letters and digits a text begins with.
func WordLength(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	if n < 0 {
		return len(s)
	}
	return n
}
