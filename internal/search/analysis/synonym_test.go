package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestSynonymsAreOfOneSet(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, word := range strings.Fields(synonymSets) {
		if seen[Stem(word)] || StopWord(word) {
			t.Errorf("%s: is in two sets, or a stop word", word)
		}
		seen[Stem(word)] = true
	}
	if have := Synonyms("deleting"); !slices.Equal(have, []string{"remove", "erase"}) {
		t.Errorf("deleting: have %q", have)
	}
	if have := Synonyms("zebra"); have != nil {
		t.Errorf("zebra: have %q, want none", have)
	}
}
