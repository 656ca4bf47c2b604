package segment

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLivingCount: whatever the lengths of lists and of their tails,
// and however many documents are dead.
func TestLivingCount(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 22))
	for _, tails := range [][]int{{0}, {1, 2, 2, 3}, {14, 15, 16}, {0, 3, 127, 128, 17_000}} {
		for _, n := range []int{1, 2, 15, 16, 17, 31, 32, 33, 48, 49, 300, 2000} {
			list := randomList(r, n, tails)
			if n > 100 && len(tails) > 1 { // close together, as those of common words are
				for i := range list {
					list[i].doc = uint32(i + i/3)
				}
			}
			out, _ := written([][]listed{list})
			dead := NewBitmap(1 << 16) // behind which nothing is dead
			for _, p := range list {
				if p.doc < 1<<16 && r.IntN(4) == 0 {
					dead.Set(p.doc)
				}
			}
			for range 100 {
				dead.Set(r.Uint32N(1 << 16))
			}
			want := 0
			for c := newCursor(out, uint32(n)); c.Next(); {
				if !dead.Has(c.Doc) {
					want++
				}
			}
			if c := newCursor(out, uint32(n)); c.living(dead) != want || c.Doc != list[n-1].doc {
				again := newCursor(out, uint32(n))
				t.Errorf("%d postings with tails of %v bytes: have %d living up to document %d, want %d up to %d", n, tails, again.living(dead), c.Doc, want, list[n-1].doc)
			}
		}
	}
}

// TestLivingOfDamagedListsEnds: and counts no more than there are.
func TestLivingOfDamagedListsEnds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(23, 24))
	dead := NewBitmap(1000)
	dead.Set(5)
	for range 20_000 {
		n := 1 + r.IntN(80)
		out, _ := written([][]listed{randomList(r, n, []int{0, 1, 2, 3, 14, 15, 40})})
		for range 1 + r.IntN(4) {
			out[r.IntN(len(out))] = byte(r.Uint32())
		}
		out = slices.Clip(out[:1+r.IntN(len(out))])
		if c := newCursor(out, uint32(n)); c.living(dead) > n {
			t.Fatalf("more than %d documents are counted", n)
		}
	}
}

// TestLivingOfSegment: without dead documents it is the frequency, with some the
// frequency after they are merged away.
func TestLivingOfSegment(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(25, 26))
	s := new(Builder).Build(randomDocuments(r, 0, 200))
	dead := NewBitmap(200)
	for range 60 {
		dead.Set(r.Uint32N(200))
	}
	merged, _ := Merge([]Source{{Segment: s, Dead: dead}})
	gone := 0
	for term := range s.Terms() {
		want := 0
		if id, found := merged.Find(string(s.Term(term))); found {
			want = merged.Frequency(id)
		} else {
			gone++
		}
		if have := s.Living(term, dead); have != want {
			t.Errorf("%q: have %d, want %d", s.Term(term), have, want)
		}
		if have := s.Living(term, nil); have != s.Frequency(term) {
			t.Errorf("%q without dead: have %d, want %d", s.Term(term), have, s.Frequency(term))
		}
	}
	if gone == 0 {
		t.Error("no term died with its documents, so that this was not tried")
	}
}
