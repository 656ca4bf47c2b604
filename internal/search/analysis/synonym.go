package analysis

import (
	_ "embed"
	"slices"
	"strings"
)

// synonymSets are synonyms in documentation, one set on each line. A word may be
// in several. Words joined by _ are found only in queries. On a line with >, what is
// before it also finds the others, but not the reverse: what is said of a monorepo may
// be said of a workspace, and seldom the other way round.
//
//go:embed synonyms.txt
var synonymSets string

// synonyms are the other words of the sets, by the inflected form of each.
var synonyms = func() map[string][]string {
	others := make(map[string][]string)
	for set := range strings.Lines(synonymSets) {
		from, to, oneWay := strings.Cut(set, ">")
		if !oneWay {
			to = from
		}
		for _, word := range strings.Fields(from) {
			addSynonyms(others, strings.Split(word, "_"), strings.Fields(to))
		}
	}
	return others
}()

// addSynonyms adds to the synonyms of words in a row those of a set, one for each form.
func addSynonyms(others map[string][]string, words, set []string) {
	key := formOf(words)
	for _, other := range set {
		known := func(w string) bool { return Inflection(w) == Inflection(other) }
		if !strings.Contains(other, "_") && key != Inflection(other) && !slices.ContainsFunc(others[key], known) {
			others[key] = append(others[key], other)
		}
	}
}

func formOf(words []string) string {
	forms := make([]string, len(words))
	for i, word := range words {
		forms[i] = Inflection(word)
	}
	return strings.Join(forms, "_")
}

// MaxSynonym is the maximum number of words in a row that have synonyms.
const MaxSynonym = 4

// Synonyms returns common other words for the meaning of a word, or of words in a row.
func Synonyms(words ...string) []string { return synonyms[formOf(words)] }

// Inflection returns what a word has in common with its other forms that are the same
// part of speech: split, splits and splitting, but not splitter.
func Inflection(word string) string {
	if !Stemmable(word) {
		return word
	}
	w := plural(word)
	if w != word && strings.HasSuffix(w, "ing") {
		return w // settings are no forms of to set
	}
	return final(participle(w))
}
