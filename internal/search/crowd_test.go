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
