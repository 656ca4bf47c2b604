// Package inline divides the text of a block of Markdown or MDX into a flat run
// of tokens, in which the opening and closing ones pair up, and reads the parts
// that blocks are made of as well: tags, expressions, labels, destinations. It
// is what packages markdown, which reads pages when they are written, and
// document, which renders them, have in common, so that both see the same.
//
// Every function takes linear time on any input: what is known not to follow is
// not sought again, and scans that find nothing have a Budget.
package inline

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Text is what is read: bytes or a string.
type Text interface{ string | []byte }

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
func Spaces[T Text](s T) int {
	n := 0
	for n < len(s) && (IsBlank(s[n]) || s[n] == '\n' || s[n] == '\r') {
		n++
	}
	return n
}

// Blanks returns the width of the spaces and tabs that s starts with.
func Blanks[T Text](s T) int {
	n := 0
	for n < len(s) && IsBlank(s[n]) {
		n++
	}
	return n
}

// RunLength returns how many c s starts with.
func RunLength[T Text](s T, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func hasPrefix[T Text](s T, prefix string) bool {
	return len(s) >= len(prefix) && string(s[:len(prefix)]) == prefix
}

func hasSuffix[T Text](s T, suffix string) bool {
	return len(s) >= len(suffix) && string(s[len(s)-len(suffix):]) == suffix
}

func index[T Text](s T, part string) int {
	switch s := any(s).(type) {
	case string:
		return strings.Index(s, part)
	case []byte:
		return bytes.Index(s, []byte(part))
	}
	return -1
}

func indexByte[T Text](s T, c byte) int {
	switch s := any(s).(type) {
	case string:
		return strings.IndexByte(s, c)
	case []byte:
		return bytes.IndexByte(s, c)
	}
	return -1
}

func firstRune[T Text](s T) (r rune, size int) {
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}
