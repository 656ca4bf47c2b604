package dialect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

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
