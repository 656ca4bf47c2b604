package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestBeginningsAreBounded: however many words a letter begins, completing it
// takes so many terms, and so much reading of postings.
func TestBeginningsAreBounded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	ranking := DefaultRanking()
	ranking.Expansions, ranking.Postings = 40, 500
	index := New(Config{Ranking: &ranking})
	standsIn := map[string]int{}
	var changes []Change
	for n := range 400 {
		words := map[string]bool{}
		for len(words) < 30 {
			words[fmt.Sprintf("a%c%c", 'a'+r.IntN(26), 'a'+min(r.IntN(26), r.IntN(26)))] = true
		}
		for w := range words {
			standsIn[w]++
		}
		changes = append(changes, put(page(fmt.Sprint(n), "Title", strings.Join(sortedKeys(words), " "))))
	}
	for n := 0; n < len(changes); n += 50 { // several segments
		mustApply(t, index, int64(n), changes[n:n+50]...)
	}
	for _, text := range []string{"a", "aa", "title a", "b a"} {
		answer := mustSearch(t, index, Query{Text: text, Explain: true})
		if len(answer.Hits) == 0 {
			t.Errorf("%q: have no hits", text)
		}
		for _, u := range answer.Explanation.Units {
			for _, g := range u.Groups {
				postings := 0
				for _, term := range g.Terms[1:] {
					postings += standsIn[term]
				}
				if len(g.Terms) > ranking.Expansions || postings > ranking.Postings {
					t.Errorf("%q is completed by %d terms with %d postings beside the first, want %d and %d at most",
						text, len(g.Terms), postings, ranking.Expansions, ranking.Postings)
				}
			}
		}
	}
}
