package relevance

import (
	"regexp"
	"strings"
	"unicode"
)

var quoted = regexp.MustCompile(`"([^"]+)"`)

// split takes a query apart as readers mean it: the phrases in quotes, and the
// words outside.
func split(query string) (phrases, words []string) {
	for _, m := range quoted.FindAllStringSubmatch(query, -1) {
		phrases = append(phrases, m[1])
	}
	return phrases, wordsOf(quoted.ReplaceAllString(query, " "))
}

// wordsOf returns the runs of letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
