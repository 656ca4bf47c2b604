// Package inline divides the text of a block of Markdown or MDX into a flat run
// of tokens, in which the opening and closing ones pair up, and reads the parts
// that blocks are made of as well: tags, expressions, labels, destinations.
//
// Every function takes linear time on any input: what is known not to follow is
// not sought again, and scans that find nothing have a Budget.
package inline

import "strings"

// Budget is how many bytes may still be spent on scans that find nothing. Such
// a scan may reach far and be repeated at the next byte; when a document has
// used up its budget, what follows is taken as text. No honest document comes
// near it.
type Budget struct{ left int }

// NewBudget returns the budget for a document of size bytes.
func NewBudget(size int) Budget { return Budget{64<<10 + 2*size} }

// Spend takes n bytes for a scan that failed.
func (b *Budget) Spend(n int) { b.left -= n }

// Spent reports whether nothing is left.
func (b *Budget) Spent() bool { return b.left < 0 }

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsBlank reports whether c is a space or tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsPunct reports whether c is ASCII punctuation, which a backslash escapes.
func IsPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// Spaces returns the width of the white space that s starts with, line ends
// included.
func Spaces(s string) int {
	n := 0
	for n < len(s) && (IsBlank(s[n]) || s[n] == '\n' || s[n] == '\r') {
		n++
	}
	return n
}

// Blanks returns the width of the spaces and tabs that s starts with.
func Blanks(s string) int {
	n := 0
	for n < len(s) && IsBlank(s[n]) {
		n++
	}
	return n
}

// RunLength returns how many c s starts with.
func RunLength(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// OneLine makes one line of a text, with single spaces.
func OneLine(s string) string {
	clean := true
	for i := range len(s) {
		clean = clean && (s[i] > ' ' || s[i] == ' ' && 0 < i && i < len(s)-1 && s[i-1] != ' ')
	}
	if clean {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' }), " ")
}

// FirstLine returns a text up to the first line end.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
