package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// longDocuments returns documents whose text takes some kilobytes each however
// it is compressed, and now and then none.
func longDocuments(r *rand.Rand, first, n int) []Document {
	documents := make([]Document, n)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprintf("d%05d", first+i)}
		if r.IntN(10) == 0 {
			continue
		}
		var text strings.Builder
		for range 200 + r.IntN(1500) {
			fmt.Fprintf(&text, "%x ", r.Uint64())
		}
		documents[i].Sections = []Section{{Text: text.String()}}
	}
	return documents
}

// same reports whether two blocks have the same memory.
func same(a, b *textBlock) bool {
	return len(a.bytes) > 0 && len(b.bytes) > 0 && &a.bytes[0] == &b.bytes[0]
}

// TestTextThroughMerges: through merges of merges, with some documents dead and
// with segments that were read back, each document keeps its text.
func TestTextThroughMerges(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(31, 32))
	text := map[string][]string{}
	dead := map[string]bool{}
	var segments []*Segment
	for i := range 8 {
		documents := longDocuments(r, 100*i, 1+r.IntN(60))
		s := new(Builder).Build(documents)
		for doc, d := range documents {
			text[d.ID] = textOf(t, s, uint32(doc))
			if len(d.Sections) > 0 && len(text[d.ID]) < 3 {
				t.Fatalf("%s has no text", d.ID)
			}
		}
		segments = append(segments, s)
	}
	for len(segments) > 1 {
		n := min(2+r.IntN(2), len(segments))
		sources := make([]Source, n)
		for i, s := range segments[:n] {
			sources[i] = Source{Segment: s}
			if r.IntN(2) == 0 {
				sources[i].Dead = NewBitmap(s.Docs())
				for range 1 + r.IntN(3) {
					doc := r.Uint32N(uint32(s.Docs()))
					sources[i].Dead.Set(doc)
					dead[s.Doc(doc).ID] = true
				}
			}
		}
		merged, _ := Merge(sources)
		if r.IntN(3) == 0 {
			again, err := Decode(merged.Append(nil))
			if err != nil {
				t.Fatalf("a merged segment of %d blocks is not read back: %v", len(merged.blocks), err)
			}
			merged = again
		}
		segments = append(segments[n:], merged)
	}
	s := segments[0]
	if s.Docs() != len(text)-len(dead) {
		t.Fatalf("have %d documents, want %d", s.Docs(), len(text)-len(dead))
	}
	for doc := range uint32(s.Docs()) {
		if id := s.Doc(doc).ID; !slices.Equal(textOf(t, s, doc), text[id]) {
			t.Errorf("the text of %s is not what it was", id)
		}
	}
}

// TestReuseLargeBlocks: but not those in which something is dead, those
// that are small, and those that are part of what was read back.
func TestReuseLargeBlocks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(33, 34))
	large, hurt := new(Builder).Build(longDocuments(r, 0, 80)), new(Builder).Build(longDocuments(r, 100, 400))
	read, err := Decode(new(Builder).Build(longDocuments(r, 600, 80)).Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	small := new(Builder).Build(longDocuments(r, 700, 3))
	dead := NewBitmap(hurt.Docs())
	for doc := range uint32(hurt.Docs()) {
		if len(textOf(t, hurt, doc)) > 2 {
			dead.Set(doc)
			break
		}
	}
	merged, _ := Merge([]Source{{Segment: large}, {Segment: hurt, Dead: dead}, {Segment: read}, {Segment: small}})
	if !same(&merged.blocks[0], &large.blocks[0]) {
		t.Error("a large block was copied")
	}
	before := 0
	for i := range merged.blocks {
		p := &merged.blocks[i]
		for _, s := range []*Segment{hurt, read, small} {
			if same(p, &s.blocks[0]) {
				t.Errorf("block %d is the one of a segment from which it should have been copied", i)
			}
		}
		if i > 0 && len(p.bytes) > mostCopied+1<<17 {
			t.Errorf("block %d has %d bytes", i, len(p.bytes))
		}
		if p.first != before {
			t.Errorf("block %d starts with chunk %d, want %d", i, p.first, before)
		}
		before = p.after()
	}
	if len(merged.blocks) < 4 {
		t.Errorf("have %d blocks, want several copied ones of a megabyte", len(merged.blocks))
	}
	again, _ := Merge([]Source{{Segment: merged}})
	for i := range merged.blocks[:len(merged.blocks)-1] {
		if !same(&again.blocks[i], &merged.blocks[i]) {
			t.Errorf("block %d was copied once more, though it had become one of its own", i)
		}
	}
}

// TestReuseBlocks: also where what holds the text is a little
// larger than the text, as memory is given out.
func TestReuseBlocks(t *testing.T) {
	t.Parallel()
	for size := leastTaken - 1; size < 2*leastTaken; size += 9973 {
		s := &Segment{blocks: make([]textBlock, 1), docs: []Info{{ID: "a"}}, long: make([]shortLengths, 1), body: make([]uint32, 1)}
		s.blocks[0].add(make([]byte, size))
		s.finish()
		merged, _ := Merge([]Source{{Segment: s}})
		if have, want := same(&merged.blocks[0], &s.blocks[0]), size >= leastTaken; have != want {
			t.Errorf("a block of %d bytes, which take %d: have it taken over %t, want %t", size, cap(s.blocks[0].bytes), have, want)
		}
	}
}
