package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestSynonymsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for line := range strings.Lines(synonymSets) {
		from, to, oneWay := strings.Cut(line, ">")
		words, others := strings.Fields(from), strings.Fields(to)
		if seen[line] || len(words) == 0 || len(words)+len(others) < 2 || oneWay && len(others) == 0 || strings.Contains(to, ">") || strings.Contains(to, "_") {
			t.Errorf("%q: stands twice, or is no set", line)
		}
		seen[line] = true
		for _, word := range append(words, others...) {
			if StopWord(word) || word != strings.ToLower(word) || strings.Count(word, "_") >= MaxSynonym {
				t.Errorf("%q: %s is a stop word, not in lower case, or too many words", line, word)
			}
		}
	}
	for _, c := range []struct{ word, have, not string }{
		{"deleting", "remove", "delete"},
		{"bundled", "compile", "bundle"},
		{"monorepo", "workspace", ""},
		{"workspace", "", "monorepo"}, // only the other way round
		{"zebra", "", "zebra"},
		{"turned off", "disable", "off"},
		{"authentication", "", "author"},
		{"settings", "config", ""},
		{"set", "", "config"}, // which settings are
	} {
		have := Synonyms(strings.Fields(c.word)...)
		if c.have != "" && !slices.Contains(have, c.have) || c.not != "" && slices.Contains(have, c.not) {
			t.Errorf("%s: have %q, want %q and not %q", c.word, have, c.have, c.not)
		}
	}
}
