package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestSynonymsAreOtherWords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for line := range strings.Lines(synonymSets) {
		words := strings.Fields(line)
		if seen[line] || len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == ">" })) < 2 || slices.Index(words, ">") > 1 {
			t.Errorf("%q: stands twice, or is no set", line)
		}
		seen[line] = true
		for _, word := range words {
			if StopWord(word) || word != strings.ToLower(word) {
				t.Errorf("%q: %s is a stop word, or not in lower case", line, word)
			}
		}
	}
	for _, c := range []struct{ word, have, not string }{
		{"deleting", "remove", "delete"},
		{"bundled", "compile", "bundle"}, // of two sets
		{"monorepo", "workspace", ""},
		{"workspace", "", "monorepo"}, // only the other way round
		{"zebra", "", "zebra"},
	} {
		have := Synonyms(c.word)
		if c.have != "" && !slices.Contains(have, c.have) || c.not != "" && slices.Contains(have, c.not) {
			t.Errorf("%s: have %q, want %q and not %q", c.word, have, c.have, c.not)
		}
	}
}
