package analysis

import (
	_ "embed"
	"slices"
	"strings"
)

// synonymSets are words that documentation uses for each other, a set on each
// line. A word may be in several. Of a line with > the first word is looked for
// as the others, and these not as the first: what is said of a monorepo may be
// said of a workspace, and seldom the other way round.
//
//go:embed synonyms.txt
var synonymSets string

// synonyms are the other words of the sets, by the stem of each.
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

// addSynonyms adds to others of a word those of a set, of each stem one.
func addSynonyms(others map[string][]string, word string, set []string) {
	stem := Stem(word)
	for _, other := range set {
		known := func(w string) bool { return Stem(w) == Stem(other) }
		if other != ">" && !known(word) && !slices.ContainsFunc(others[stem], known) {
			others[stem] = append(others[stem], other)
		}
	}
}

// Synonyms returns what others may call what a word means, most often.
func Synonyms(word string) []string { return synonyms[Stem(word)] }
