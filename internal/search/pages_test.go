package search

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestSkippedPagesNotInResults holds answers against those of a way
// that ranks all candidates and takes no document out of the competition: over
// several segments with dead documents, by pages of any size, both must agree
// in every byte.
func TestSkippedPagesNotInResults(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 9))
			ranking := DefaultRanking()
			ranking.Candidates, ranking.Common, ranking.Enough, ranking.Expansions = 8+r.IntN(20), 20, 10, 12
			index := New(Config{Ranking: &ranking})
			for round := range 12 {
				var changes []Change
				for range 40 {
					c := Change{ID: fmt.Sprintf("page_%03d", r.IntN(300))}
					if r.IntN(6) > 0 {
						c.Document = randomDocument(r, c.ID)
					}
					changes = append(changes, c)
				}
				mustApply(t, index, int64(round), changes...)
			}
			for range 150 {
				q := randomQuery(r)
				q.Explain = true
				if r.IntN(4) == 0 {
					q.Bound = []string{fmt.Sprintf("tag%d", r.IntN(4))}
				}
				want := slowly(t, index, q)
				q.Limit = 1 + r.IntN(2*ranking.Candidates)
				if have := byPages(t, index, q); !reflect.DeepEqual(have, want) {
					t.Fatalf("%+v with %d candidates:\nhave %+v\nwant %+v", q, ranking.Candidates, have, want)
				}
			}
		})
	}
}

// slowly returns all that a query finds. Where a query goes on, no document is
// taken out of the competition, and with more hits wanted than there are
// candidates all of these are ranked.
func slowly(t *testing.T, index *Index, q Query) Answer {
	t.Helper()
	q.Limit, q.After = MaxLimit, &Place{Score: 2}
	return byPages(t, index, q)
}

// byPages returns all that a query finds, page by page.
func byPages(t *testing.T, index *Index, q Query) Answer {
	t.Helper()
	all := mustSearch(t, index, q)
	for answer := all; answer.More; {
		if len(answer.Hits) != q.Limit {
			t.Fatalf("%+v: have %d hits and more", q, len(answer.Hits))
		}
		q.After = answer.Hits[len(answer.Hits)-1].Cursor()
		answer = mustSearch(t, index, q)
		if answer.Total != all.Total || !reflect.DeepEqual(answer.Explanation, all.Explanation) {
			t.Fatalf("%+v: have %d in total, want %d", q, answer.Total, all.Total)
		}
		all.Hits, all.More = append(all.Hits, answer.Hits...), answer.More
	}
	if len(all.Hits) != all.Total {
		t.Fatalf("%+v: have %d hits on all pages, want %d", q, len(all.Hits), all.Total)
	}
	return all
}

// TestPagingDuringWrites: documents that come and go between the pages
// of an answer move all scores, but no hit comes twice or never.
func TestPagingDuringWrites(t *testing.T) {
	t.Parallel()
	for _, candidates := range []int{80, 12} {
		ranking := DefaultRanking()
		ranking.Candidates = candidates
		index := New(Config{Ranking: &ranking})
		const hits, limit = 60, 5
		for n := range hits {
			mustApply(t, index, int64(n), put(page(fmt.Sprintf("page_%03d", n), "Walk", strings.Repeat("agent ", 1+n%3)+strings.Repeat("filler ", n%7))))
		}
		others := 0
		for ; others < 500; others++ {
			mustApply(t, index, hits, put(page(fmt.Sprintf("other_%d", others), "Other", "a page of something else")))
		}
		for walk := range 2 { // others come in the first, and go in the second
			seen := make(map[string]int)
			for q := (Query{Text: "agent filler", Limit: limit}); ; {
				answer := mustSearch(t, index, q)
				for _, id := range idsOf(answer) {
					seen[id]++
				}
				if !answer.More {
					break
				}
				q.After = answer.Hits[limit-1].Cursor()
				for range 3 {
					if walk == 0 {
						mustApply(t, index, 1000, put(page(fmt.Sprintf("other_%d", others), "Other", "a page of something else")))
						others++
					} else {
						others--
						mustApply(t, index, 1000, Change{ID: fmt.Sprintf("other_%d", others)})
					}
				}
			}
			for n := range hits {
				if id := fmt.Sprintf("page_%03d", n); seen[id] != 1 {
					t.Errorf("with %d candidates, walk %d: %s comes %d times", candidates, walk, id, seen[id])
				}
			}
		}
	}
}

// TestRankAfterWordRemoved: a page that has little of a rare word stays in
// the competition as long as a common one, of which it has much, may bring it
// among the first.
func TestRankAfterWordRemoved(t *testing.T) {
	t.Parallel()
	for much := range 12 {
		ranking := DefaultRanking()
		ranking.Candidates, ranking.Common, ranking.Enough = 8, 30, 10
		index := New(Config{Ranking: &ranking})
		var changes []Change
		for n := range 400 {
			id := fmt.Sprintf("page_%03d", n)
			c := put(page(id, "Other", "filler words"))
			switch d := c.Document; {
			case n < 12: // the rare word in the title
				*d = *page(id, "Walrus", "filler walrus words")
			case n < 24: // the common one in every field
				word := strings.Repeat("zebra ", 1+much)
				*d = *page(id, word, "walrus "+word)
				d.Slug, d.Description, d.Tags = "zebra", word, []string{"zebra"}
				d.Sections = append(d.Sections, Section{Anchor: "z", Heading: word, Level: 2, Text: word})
			case n < 130:
				*d = *page(id, "Other", "filler zebra words")
			}
			changes = append(changes, c)
		}
		mustApply(t, index, 1, changes...)
		q := Query{Text: "walrus zebra .", Explain: true}
		want := slowly(t, index, q)
		q.Limit = 5
		if have := byPages(t, index, q); !reflect.DeepEqual(have.Hits[:5], want.Hits[:5]) {
			t.Errorf("%d times:\nhave %+v\nwant %+v", much, have.Hits[:5], want.Hits[:5])
		}
	}
}
