package search

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestPrefixLimit: however many words a letter begins, completing it
// takes so many terms, and so much reading of postings.
func TestPrefixLimit(t *testing.T) {
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

// TestCompleteDeadWords: of more beginnings than are taken, those count
// that stand on pages which are there, though many pages with others are gone and
// their segment was not merged since.
func TestCompleteDeadWords(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 1))
	ranking := DefaultRanking()
	ranking.Expansions = 8
	words := func(first byte) string {
		var text strings.Builder
		for second := byte('a'); second <= 'z'; second++ {
			if r.IntN(2) == 0 {
				fmt.Fprintf(&text, "a%c%c ", first, second)
			}
		}
		return text.String()
	}
	index, fresh := New(Config{Ranking: &ranking}), New(Config{Ranking: &ranking})
	var changes, left, gone []Change
	for n := range 120 {
		c := put(page(fmt.Sprintf("page_%03d", n), "Title", words('b')))
		if n%5 == 0 {
			c.Document.Sections[0].Text = words('a')
			gone = append(gone, Change{ID: c.ID})
		} else {
			left = append(left, c)
		}
		changes = append(changes, c)
	}
	changes = append(changes, put(page("page_one", "Title", "aazzle")))
	left = append(left, changes[len(changes)-1])
	mustApply(t, index, 1, changes...)
	mustApply(t, index, 2, gone...)
	mustApply(t, fresh, 1, left...)
	if stats := index.Stats(); index.merge(tiered) || stats.Dead != len(gone) || stats.Segments != 1 {
		t.Fatalf("have %+v, want %d dead in one segment that is not due to be merged", stats, len(gone))
	}
	for _, text := range []string{"a", "aa", "aaz", "ab", "abc", "title a", "title aa"} {
		q := Query{Text: text, Limit: MaxLimit, Explain: true}
		have, want := mustSearch(t, index, q), mustSearch(t, fresh, q)
		if !reflect.DeepEqual(have, want) || want.Total == 0 {
			t.Errorf("%q: have %d hits, want %d:\nhave %+v\nwant %+v", text, have.Total, want.Total, have.Explanation, want.Explanation)
		}
	}
}
