package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// TestHistoryLeavesNoTrace applies random changes, merges and snapshots to one
// index, and holds its answers against those of an index that was built at
// once from the documents that are left: they must agree in every byte.
func TestHistoryLeavesNoTrace(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			index := New(Config{Builders: 2})
			documents := make(map[string]*Document)
			for round := range 15 {
				var changes []Change
				for range 1 + r.IntN(30) {
					c := Change{ID: fmt.Sprintf("page_%03d", r.IntN(150))}
					if r.IntN(4) > 0 {
						c.Document = randomDocument(r, c.ID)
						documents[c.ID] = c.Document
					} else {
						delete(documents, c.ID)
					}
					changes = append(changes, c)
				}
				mustApply(t, index, int64(round), changes...)
				switch r.IntN(5) {
				case 0:
					index.merge(tiered)
				case 1:
					index.Compact()
				case 2:
					index = saveAndLoad(t, index)
				}
				compare(t, r, index, documents)
			}
		})
	}
}

// TestHistoryOfLargeText is TestHistoryLeavesNoTrace with so much text that
// merged segments take over blocks of it, and with everything gone in between.
func TestHistoryOfLargeText(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 1))
	index := New(Config{})
	documents := make(map[string]*Document)
	for round := range 8 {
		var changes []Change
		for n := range 80 {
			c := Change{ID: fmt.Sprintf("page_%03d", r.IntN(120))}
			if round == 5 {
				c.ID = fmt.Sprintf("page_%03d", n)
			}
			if delete(documents, c.ID); round != 5 && r.IntN(10) > 0 {
				c.Document = randomDocument(r, c.ID)
				c.Document.Sections = append(c.Document.Sections, Section{Heading: randomWord(r), Text: randomText(r, 4) + marks(r, 100*r.IntN(400))})
				documents[c.ID] = c.Document
			}
			changes = append(changes, c)
		}
		mustApply(t, index, int64(round), changes...)
		switch round % 4 {
		case 0:
			index.merge(tiered)
		case 1, 2:
			index.Compact()
		case 3:
			index = saveAndLoad(t, index)
		}
		compare(t, r, index, documents)
	}
}

// marks returns a text without words that takes as many bytes when compressed.
func marks(r *rand.Rand, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = " !?#%&*()+=[]{};|~^@$,/"[r.IntN(23)]
	}
	return string(text)
}

func saveAndLoad(t *testing.T, index *Index) *Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "snapshot")
	if _, err := index.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Position() != index.Position() {
		t.Errorf("position: have %d, want %d", loaded.Position(), index.Position())
	}
	return loaded
}

// compare asks both indexes the same.
func compare(t *testing.T, r *rand.Rand, index *Index, documents map[string]*Document) {
	t.Helper()
	fresh, public := New(Config{}), New(Config{}) // public has never known of what is not published
	var changes, published []Change
	for _, id := range slices.Sorted(maps.Keys(documents)) {
		changes = append(changes, put(documents[id]))
		if documents[id].Published {
			published = append(published, put(documents[id]))
		}
	}
	mustApply(t, fresh, 0, changes...)
	mustApply(t, public, 0, published...)
	for range 20 {
		q := randomQuery(r)
		q.Explain = r.IntN(4) == 0
		if r.IntN(4) == 0 {
			q.Bound = []string{fmt.Sprintf("tag%d", r.IntN(4))}
		}
		have, want := mustSearch(t, index, q), mustSearch(t, fresh, q)
		if !reflect.DeepEqual(have, want) {
			t.Fatalf("%+v:\nhave %+v\nwant %+v", q, have, want)
		}
		if q.PublishedOnly {
			if want := mustSearch(t, public, q); !reflect.DeepEqual(have, want) {
				t.Fatalf("%+v: what is not published tells:\nhave %+v\nwant %+v", q, have, want)
			}
		}
	}
	key, made := randomOrigin(r), map[string]uint32{}
	for id, d := range documents {
		for _, o := range d.Origins {
			if o.Key == key {
				made[id] = o.State
			}
		}
	}
	if have := index.MadeFrom(key); !maps.Equal(have, made) {
		t.Fatalf("made from %s: have %v, want %v", key, have, made)
	}
}

// TestBoundQueries: a query that is bound to tags is answered
// in every byte as where no page without them was ever known, nor what one says
// of those that have them.
func TestBoundQueries(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 1))
	ranking := DefaultRanking()
	ranking.Expansions = 6 // so that there are more beginnings than are taken
	index, alone := New(Config{Ranking: &ranking}), New(Config{Ranking: &ranking})
	const bound = "tag1"
	for n := range 120 {
		d := randomDocument(r, fmt.Sprintf("page_%03d", n))
		mustApply(t, index, int64(n), put(d))
		if slices.Contains(d.Tags, bound) {
			own := *d
			own.LinkTexts, own.Ancestors = nil, nil
			mustApply(t, alone, int64(n), put(&own))
		}
	}
	index.Compact() // each segment has beginnings of its own
	alone.Compact()
	for range 600 {
		q := randomQuery(r)
		q.Explain = true
		want := mustSearch(t, alone, q)
		q.Bound = []string{bound}
		if have := mustSearch(t, index, q); !reflect.DeepEqual(have, want) {
			t.Fatalf("%+v: other pages tell:\nhave %+v\nwant %+v", q, have, want)
		}
	}
	q := Query{Text: "agent", Bound: []string{bound, "nowhere"}, Explain: true}
	if have := mustSearch(t, index, q); len(have.Hits) > 0 || have.Explanation.Documents > 0 {
		t.Errorf("%+v: have %+v, want nothing at all", q, have)
	}
}

func TestPagesOfAnAnswerMakeTheWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	index := New(Config{})
	for n := range 200 {
		mustApply(t, index, int64(n), put(randomDocument(r, fmt.Sprintf("page_%03d", n))))
	}
	for range 40 {
		q := randomQuery(r)
		q.Limit = 10 + r.IntN(40)
		seen := make(map[string]bool)
		last := 2.0
		total := -1
		for {
			answer := mustSearch(t, index, q)
			if total < 0 {
				total = answer.Total
			}
			for _, hit := range answer.Hits {
				if seen[hit.ID] || hit.Score > last || hit.Score < 0 {
					t.Fatalf("%q: %s comes again or with the score %g after %g", q.Text, hit.ID, hit.Score, last)
				}
				seen[hit.ID], last = true, hit.Score
			}
			if !answer.More {
				break
			}
			q.After = answer.Hits[len(answer.Hits)-1].Cursor()
		}
		if len(seen) != total {
			t.Errorf("%+v: have %d hits on all pages, want %d", q, len(seen), total)
		}
	}
}
