package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

// maxLabel bounds the label of a reference in bytes; CommonMark says 999
// characters.
const maxLabel = 1000

// definitions takes the link reference definitions from the start of a
// paragraph and returns what follows them.
func (p *blockParser) definitions(text []byte) []byte {
	for len(text) > 0 && text[0] == '[' {
		label, used := scanLabel(text)
		if used == 0 || used >= len(text) || text[used] != ':' || len(bytes.TrimSpace(label)) == 0 {
			return text
		}
		at := used + 1 + spaces(text[used+1:])
		destination, width := scanDestination(text[at:])
		if width == 0 {
			return text
		}
		at += width
		end, ok := lineEnd(text, at)
		if titled, found := definitionTitle(text, at); found {
			end, ok = titled, true
		}
		if !ok {
			return text
		}
		if p.references == nil {
			p.references = map[string]reference{}
		}
		if key := foldLabel(label); p.references[key].destination == nil {
			p.references[key] = reference{destination: destination}
		}
		text = text[end:]
	}
	return text
}

// definitionTitle returns where the line after a definition with a title ends.
func definitionTitle(text []byte, at int) (int, bool) {
	gap := spaces(text[at:])
	if gap == 0 {
		return 0, false
	}
	width := scanTitle(text[at+gap:])
	if width == 0 {
		return 0, false
	}
	return lineEnd(text, at+gap+width)
}

// lineEnd returns the place after the end of the line if only blanks precede
// it.
func lineEnd(text []byte, at int) (int, bool) {
	for at < len(text) && isBlankByte(text[at]) {
		at++
	}
	if at == len(text) {
		return at, true
	}
	return at + 1, text[at] == '\n'
}

// spaces returns the width of the white space that s starts with.
func spaces(s []byte) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t' || s[n] == '\n' || s[n] == '\r') {
		n++
	}
	return n
}

// scanLabel reads a label in brackets; used is 0 when there is none.
func scanLabel(s []byte) (label []byte, used int) {
	for i := 1; i < len(s) && i <= maxLabel; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return nil, 0
		case ']':
			return s[1:i], i + 1
		}
	}
	return nil, 0
}

// scanDestination reads a link destination, as written; width is 0 when there
// is none. Brackets are no part of the result, which is never nil.
func scanDestination(s []byte) (destination []byte, width int) {
	if len(s) > 0 && s[0] == '<' {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '\n', '<':
				return nil, 0
			case '>':
				return s[1:i:i], i + 1
			}
		}
		return nil, 0
	}
	if n := shortcode(s); n > 0 {
		return s[:n], n
	}
	depth, i := 0, 0
	for ; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c == 0x7f {
			break
		}
		if c == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
			i++
		} else if c == '(' {
			if depth++; depth > 32 {
				return nil, 0
			}
		} else if c == ')' {
			if depth == 0 {
				break
			}
			depth--
		}
	}
	if depth != 0 {
		return nil, 0
	}
	return s[:i], i
}

// shortcode returns the width of a Hugo shortcode and what follows it up to
// the end of the destination: {{< relref "page.md" >}}#part. Hugo replaces it
// before it reads the Markdown around, so its spaces and quotes do no harm.
func shortcode(s []byte) int {
	for _, marks := range [][2]string{{"{{<", ">}}"}, {"{{%", "%}}"}} {
		if !bytes.HasPrefix(s, []byte(marks[0])) {
			continue
		}
		end := bytes.Index(s[:min(len(s), 1024)], []byte(marks[1]))
		if end < 0 || bytes.IndexByte(s[:end], '\n') >= 0 {
			return 0
		}
		end += len(marks[1])
		for end < len(s) && s[end] > ' ' && s[end] != ')' {
			end++
		}
		return end
	}
	return 0
}

// scanTitle returns the width of a link title, quotes included, or 0.
func scanTitle(s []byte) int {
	if len(s) == 0 || s[0] != '"' && s[0] != '\'' && s[0] != '(' {
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

// foldLabel makes labels that mean the same equal (CommonMark section 4.7).
func foldLabel(label []byte) string {
	text := strings.Join(strings.Fields(string(label)), " ")
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return cases.Fold().String(text)
		}
	}
	return strings.ToLower(text)
}

func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
