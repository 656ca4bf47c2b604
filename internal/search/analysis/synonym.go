package analysis

import (
	_ "embed"
	"strings"
)

// synonymSets are words that documentation uses for each other, a set on each
// line. Every word is in one set, and none is there that often means something
// else.
//
//go:embed synonyms.txt
var synonymSets string

// synonyms are the other words of the set, by the stem of each.
var synonyms = func() map[string][]string {
	others := make(map[string][]string)
	for set := range strings.Lines(synonymSets) {
		words := strings.Fields(set)
		for i, word := range words {
			others[Stem(word)] = append(words[:i:i], words[i+1:]...)
		}
	}
	return others
}()

// Synonyms returns what others may call what a word means, most often.
func Synonyms(word string) []string { return synonyms[Stem(word)] }
