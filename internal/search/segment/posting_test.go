package segment

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// listed is a posting as it is written.
type listed struct {
	doc   uint32
	plain bool
	tail  []byte
}

// randomList returns n postings, with tails of lengths at which their form
// changes and documents far apart.
func randomList(r *rand.Rand, n int, tails []int) []listed {
	list := make([]listed, n)
	doc := uint32(r.IntN(3))
	for i := range list {
		list[i] = listed{doc, r.IntN(2) == 0, make([]byte, tails[r.IntN(len(tails))])}
		for j := range list[i].tail {
			list[i].tail[j] = byte(r.Uint32())
		}
		switch far := uint32(1) << r.IntN(20); r.IntN(3) {
		case 0:
			doc++
		case 1:
			doc += 1 + r.Uint32N(200)
		default:
			doc += far
		}
	}
	return list
}

// written returns lists as a segment has them: one after the other, and where
// each ends.
func written(lists [][]listed) (out []byte, ends []int) {
	var w listWriter
	for _, list := range lists {
		for _, p := range list {
			w.add(p.doc, p.plain, p.tail)
		}
		if have := w.finish(); int(have) != len(list) {
			panic(fmt.Sprintf("%d postings were counted as %d", len(list), have))
		}
		ends = append(ends, len(w.out))
	}
	return w.out, ends
}

func (p listed) is(c *Cursor) bool {
	return c.Doc == p.doc && c.plain == p.plain && string(c.tail()) == string(p.tail)
}

// TestListsRoundTrip: walking a list and seeking in it finds what
// was put into it, whatever its length and the lengths of its tails, and however
// the two are mixed.
func TestListsRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	counts := []int{1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49, 64, 65, 300}
	var lists [][]listed
	for _, tails := range [][]int{{0}, {1}, {14}, {15}, {127}, {128}, {17_000}, {0, 1, 2, 3, 14, 15, 16, 127, 128}, {1, 2, 2, 3, 3, 3, 20, 16_384}} {
		for _, n := range counts {
			lists = append(lists, randomList(r, n, tails))
		}
	}
	lists = append(lists, []listed{{0, true, []byte{1}}, {1<<32 - 2, false, []byte{1, 2, 3}}, {1<<32 - 1, true, nil}})
	out, ends := written(lists)
	for n, list := range lists {
		from := 0
		if n > 0 {
			from = ends[n-1]
		}
		cursor := func() Cursor { return newCursor(out[from:ends[n]:ends[n]], uint32(len(list))) }
		c := cursor()
		for i, p := range list {
			if !c.Next() || !p.is(&c) {
				t.Fatalf("list %d of %d postings: posting %d is not what was written", n, len(list), i)
			}
		}
		for range 3 {
			if c.Next() || c.Seek(^uint32(0)) && list[len(list)-1].doc != ^uint32(0) {
				t.Fatalf("list %d of %d postings does not end", n, len(list))
			}
		}
		for range 20 {
			seekAtRandom(t, r, list, cursor())
		}
	}
}

// seekAtRandom seeks documents in a list, those that are there and others, and
// now and then goes on by one.
func seekAtRandom(t *testing.T, r *rand.Rand, list []listed, c Cursor) {
	t.Helper()
	step := 1 + r.IntN(40)
	for at := r.IntN(3); ; at += 1 + r.IntN(step) {
		if at >= len(list) {
			if last := list[len(list)-1].doc; last < ^uint32(0) && c.Seek(last+1) {
				t.Fatalf("a document behind the last of %d is found", len(list))
			}
			return
		}
		doc := list[at].doc
		if at > 0 && doc > list[at-1].doc+1 && r.IntN(3) == 0 {
			if c.Seek(doc - 1) {
				t.Fatalf("Seek(%d): a document is found that is not there", doc-1)
			}
		}
		for range 1 + r.IntN(2) { // seeking what one has is staying there
			if !c.Seek(doc) || !list[at].is(&c) {
				t.Fatalf("Seek(%d): the posting %d of %d is not found", doc, at, len(list))
			}
		}
		if r.IntN(4) == 0 {
			if at++; c.Next() != (at < len(list)) || at < len(list) && !list[at].is(&c) {
				t.Fatalf("Next after Seek(%d): the posting %d of %d is not found", doc, at, len(list))
			}
		}
	}
}

// TestDamagedListsEnd: walking a list and seeking in it ends whatever bytes it
// is made of, and what is found lies within them.
func TestDamagedListsEnd(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	for range 20_000 {
		n := 1 + r.IntN(80)
		out, _ := written([][]listed{randomList(r, n, []int{0, 1, 2, 3, 3, 14, 15, 40})})
		for range 1 + r.IntN(4) {
			switch at := r.IntN(len(out)); r.IntN(4) {
			case 0:
				out[at] = byte(r.Uint32())
			case 1:
				out[r.IntN(min(len(out), 12))] = byte(r.Uint32()) // the table
			case 2:
				out = slices.Insert(out, at, []byte{0xff, 0x80, 0, 1}[r.IntN(4)])
			case 3:
				out = out[:max(at, 1)]
			}
		}
		df := uint32(n)
		if r.IntN(4) == 0 {
			df = uint32(r.IntN(200))
		}
		checkEnds(t, r, out, df)
	}
	for _, table := range [][]byte{
		{4, 15, 0, 15, 0},                           // more blocks than there are, of no bytes
		{8, 15, 0, 15, 0, 15, 0, 15, 0},             // the same
		{2, 15, 200},                                // a block that is too long
		binary.AppendUvarint([]byte{11, 15}, 1<<63), // the same
		binary.AppendUvarint(nil, 1<<63),            // a table that is too long
		append([]byte{12, 255, 255, 255, 255, 15, 0}, // documents beyond the largest
			[]byte{255, 255, 255, 255, 15, 0}...),
	} {
		checkEnds(t, r, append(slices.Clone(table), make([]byte, 40)...), 17)
		checkEnds(t, r, table, 40)
	}
}

func checkEnds(t *testing.T, r *rand.Rand, list []byte, df uint32) {
	t.Helper()
	list = slices.Clip(list)
	c, n := newCursor(list, df), uint32(0)
	for c.Next() {
		_ = c.tail()
		if n++; n > df {
			t.Fatalf("%x: there are more postings than %d", list, df)
		}
	}
	c = newCursor(list, df)
	for doc := uint32(0); doc < 1<<20; doc += 1 + r.Uint32N(1<<r.IntN(18)) {
		if c.Seek(doc) != (c.found && c.Doc == doc) {
			t.Fatalf("%x: Seek(%d) does not tell what it found", list, doc)
		}
		if c.found {
			_ = c.tail()
		}
	}
}
