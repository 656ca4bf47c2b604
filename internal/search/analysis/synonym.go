package analysis

import (
	_ "embed"
	"strings"
)

// synonymSets are synonyms in documentation, one set on each line. Every word is in
// only one set. Words that often have another meaning are not included.
//
//go:embed synonyms.txt
var synonymSets string

// synonyms are the other words of the set, by stem.
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

// Synonyms returns common other words for the meaning of a word.
func Synonyms(word string) []string { return synonyms[Stem(word)] }
