package analysis

import (
	_ "embed"
	"slices"
	"strings"
)

// synonymSets are synonyms in documentation, one set on each line. A word may be
// in several. On a line with >, the first word also finds the others, but not the
// reverse: what is said of a monorepo may be said of a workspace, and seldom the
// other way round.
//
//go:embed synonyms.txt
var synonymSets string

// synonyms are the other words of the sets, by stem.
var synonyms = func() map[string][]string {
	others := make(map[string][]string)
	for set := range strings.Lines(synonymSets) {
		words := strings.Fields(set)
		for i, word := range words {
			if i == 1 && word == ">" {
				break
			}
			addSynonyms(others, word, words)
		}
	}
	return others
}()

// addSynonyms adds to the synonyms of a word those of a set, one for each stem.
func addSynonyms(others map[string][]string, word string, set []string) {
	stem := Stem(word)
	for _, other := range set {
		known := func(w string) bool { return Stem(w) == Stem(other) }
		if other != ">" && !known(word) && !slices.ContainsFunc(others[stem], known) {
			others[stem] = append(others[stem], other)
		}
	}
}

// Synonyms returns common other words for the meaning of a word.
func Synonyms(word string) []string { return synonyms[Stem(word)] }
