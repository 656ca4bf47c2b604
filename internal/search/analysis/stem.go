package analysis

import "strings"

// minStem is the minimum length of a stem, and minWord that of a word with one.
const (
	minStem = 3
	minWord = 4
)

// Stem returns the stem of an English word in lower case, which it shares with its
// other forms: configure, configures, configured, configuring, configuration. It is
// sometimes wrong, so a form found by its stem must count less than the word itself.
// Words with other characters are their own stems.
func Stem(word string) string {
	if !Stemmable(word) {
		return word
	}
	w := plural(word)
	w = participle(w)
	w = derived(derived(w))
	return final(w)
}

// Stemmable reports whether a term may have another stem, or be the stem of
// other terms: it consists of at least three letters a to z.
func Stemmable(word string) bool {
	if len(word) < minStem {
		return false
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

// plural removes the s of plurals and of verbs.
func plural(w string) string {
	switch {
	case len(w) < minWord || w[len(w)-1] != 's':
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	}
	return w[:len(w)-1]
}

// participle removes -ed and -ing if a syllable is left.
func participle(w string) string {
	for _, suffix := range [...]string{"ing", "ed"} {
		stem, found := strings.CutSuffix(w, suffix)
		if !found || len(stem) < minStem || !hasVowel(stem) || suffix == "ed" && stem[len(stem)-1] == 'e' {
			continue
		}
		if single := undouble(stem); single != stem {
			return single
		}
		if strings.HasSuffix(stem, "at") || strings.HasSuffix(stem, "iz") || strings.HasSuffix(stem, "bl") {
			stem += "e" // which the ending has replaced
		}
		return stem
	}
	return w
}

// suffixes are endings of derived words, and what replaces them. The first
// match is used, if enough of the word is left.
var suffixes = [...]struct{ suffix, stays string }{
	{"ization", "iz"},
	{"isation", "iz"},
	{"ational", "at"},
	{"ability", "abl"},
	{"ibility", "ibl"},
	{"fulness", "ful"},
	{"ousness", "ous"},
	{"iveness", "iv"},
	{"ication", "ic"},
	{"ation", ""},
	{"ement", ""},
	{"ition", "it"},
	{"ator", ""},
	{"ment", ""},
	{"ness", ""},
	{"able", ""},
	{"ible", ""},
	{"ance", ""},
	{"ence", ""},
	{"tion", "t"},
	{"sion", "s"},
	{"ise", "iz"},
	{"ate", ""},
	{"ive", ""},
	{"ant", ""},
	{"ent", ""},
	{"ful", ""},
	{"ous", ""},
	{"ism", ""},
	{"ist", ""},
	{"or", ""},
	{"er", ""},
	{"ly", ""},
	{"al", ""},
}

// derived removes one suffix that derives a word from another.
func derived(w string) string {
	for _, s := range suffixes {
		stem, found := strings.CutSuffix(w, s.suffix)
		if !found {
			continue
		}
		if len(stem)+len(s.stays) >= 4 && hasVowel(stem) {
			return undouble(stem) + s.stays
		}
		return w
	}
	return w
}

// final normalizes what remains after removing endings.
func final(w string) string {
	switch {
	case len(w) <= minStem:
	case w[len(w)-1] == 'e':
		return w[:len(w)-1]
	case w[len(w)-1] == 'y' && !isVowel(w[len(w)-2]):
		return w[:len(w)-1] + "i"
	}
	return w
}

// undouble removes a consonant that was doubled before an ending.
func undouble(w string) string {
	n := len(w)
	if n > minStem && w[n-1] == w[n-2] && !isVowel(w[n-1]) && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z' {
		return w[:n-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

func isVowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }
