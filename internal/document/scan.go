package document

import "strings"

// The limits of tags and of the expressions of MDX, in bytes.
const (
	maxTag        = 8 << 10
	maxExpression = 64 << 10
)

// budget is how many bytes may still be spent on scans that find nothing.
// Such a scan may reach far and be repeated at the next byte; when a document
// has used up its budget, what follows is taken as text. No honest document
// comes near it.
type budget struct{ left int }

func newBudget(size int) budget { return budget{64<<10 + 2*size} }

// spend takes n bytes for a scan that failed.
func (b *budget) spend(n int) { b.left -= n }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isPunct reports whether c is ASCII punctuation, which a backslash escapes.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// spaces returns the width of the white space that s starts with, line ends
// included.
func spaces(s string) int {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t' || s[n] == '\n') {
		n++
	}
	return n
}

// blanks returns the width of the spaces and tabs that s starts with.
func blanks(s string) int {
	n := 0
	for n < len(s) && isBlank(s[n]) {
		n++
	}
	return n
}

// runLength returns how many c s starts with.
func runLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// firstLine returns s up to its first line end.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// shorten makes one line of a text, short enough to quote.
func shorten(s string) string {
	s = firstLine(s)
	if len(s) <= maxNoticeLen {
		return s
	}
	return strings.ToValidUTF8(s[:maxNoticeLen], "") + "…"
}

// scanExpression returns the width of the braces that s starts with, what is
// between them included, or 0 when they are not closed.
func scanExpression(s string, scan *budget) int {
	if scan.left < 0 {
		return 0
	}
	s = s[:min(len(s), maxExpression)]
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			i += quoted(s[i:])
		case '/':
			if strings.HasPrefix(s[i:], "/*") {
				end := strings.Index(s[i+2:], "*/")
				if end < 0 {
					scan.spend(len(s))
					return 0
				}
				i += end + 3
			}
		}
	}
	scan.spend(len(s))
	return 0
}

// quoted returns how far behind its quote a string ends that s starts with. A
// quote that is not closed, on its line unless it is a backquote, is an
// apostrophe.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		case '\n':
			if s[0] != '`' {
				return 0
			}
		}
	}
	return 0
}
