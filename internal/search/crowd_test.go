package search

import (
	"strings"
	"testing"
)

// TestMoreUnitsThanCount: the words of a query may be cut into more pieces
// than are looked up.
func TestMoreUnitsThanCount(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	mustApply(t, index, 1, put(page("1", "Title", "agent build cache trace")))
	pieces := strings.Fields("agent build cache trace")
	var words []string
	for a := range pieces {
		for b := range pieces {
			if a != b {
				words = append(words, pieces[a]+pieces[b]+pieces[a]+pieces[b], pieces[a]+pieces[b]+pieces[b]+pieces[a])
			}
		}
	}
	text := strings.Join(words, " ") + " zqx zqx cache cache"
	if answer := mustSearch(t, index, Query{Text: text, Explain: true}); len(answer.Hits) != 1 {
		t.Errorf("%q: have %+v, want the page", text, answer)
	}
}

// TestCompoundOfEarlierWord: a compound is looked for as a whole, though
// a word before it is one of its parts.
func TestCompoundOfEarlierWord(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	mustApply(t, index, 1,
		put(page("1", "Apart", "a cache that says no")),
		put(page("2", "Whole", "a word for nocache")),
	)
	answer := mustSearch(t, index, Query{Text: "cache no-cache option"})
	if len(answer.Hits) != 2 {
		t.Errorf("have %+v, want both pages", answer.Hits)
	}
}
