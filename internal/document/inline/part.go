package inline

import (
	"strings"
	"unicode"
)

// CodeText returns the text of a code span: line ends become spaces, and one space is stripped
// from both sides.
func CodeText(s string) string {
	if strings.IndexByte(s, '\n') >= 0 {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	if len(s) > 1 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		s = s[1 : len(s)-1]
	}
	return s
}

// IndexFold is a case-insensitive strings.Index; sub is lower-case ASCII.
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

// IsRule reports whether a line is a thematic break.
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

// ListMarker returns the kind, width and number of the list marker at the start of a line; width
// is 0 if there is none. A bullet has the number 1, since others cannot interrupt a
// paragraph.
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

// FootnoteLabel parses "[^label]:" at the start of a line; width is 0 if there is none.
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

// WordLength returns the length of the letters and digits at the start of a text.
func WordLength(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	if n < 0 {
		return len(s)
	}
	return n
}
