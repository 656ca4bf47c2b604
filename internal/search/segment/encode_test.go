package segment

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

func TestEncodeDecode(t *testing.T) {
	t.Parallel()
	for _, documents := range [][]Document{nil, randomDocuments(rand.New(rand.NewPCG(5, 5)), 0, 150)} {
		want := new(Builder).Build(documents)
		have, err := Decode(want.Append(nil))
		if err != nil {
			t.Fatalf("decoding %d documents: %v", len(documents), err)
		}
		if !reflect.DeepEqual(dump(have), dump(want)) || have.FieldLengths() != want.FieldLengths() {
			t.Errorf("%d documents are not what they were", len(documents))
		}
		for doc := range documents {
			if !reflect.DeepEqual(textOf(t, have, uint32(doc)), textOf(t, want, uint32(doc))) {
				t.Errorf("the text of document %d is not what it was", doc)
			}
		}
		if !reflect.DeepEqual(have.terms.stems, want.terms.stems) || !slices.Equal(have.byID, want.byID) {
			t.Error("the derived orders are not what they were")
		}
	}
}

func TestDecodeTruncated(t *testing.T) {
	t.Parallel()
	whole := new(Builder).Build(randomDocuments(rand.New(rand.NewPCG(6, 6)), 0, 2)).Append(nil)
	for n := range whole {
		if _, err := Decode(whole[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a segment", n, len(whole))
		}
	}
}

// TestDecodeNoticesDamagedTables: of lists that can be walked, those are refused
// in which seeking would lead elsewhere.
func TestDecodeNoticesDamagedTables(t *testing.T) {
	t.Parallel()
	s := new(Builder).Build(randomDocuments(rand.New(rand.NewPCG(7, 8)), 0, 40))
	for term := 0; term < s.Terms() && !t.Failed(); term += 7 {
		if s.Frequency(term) <= blockSize {
			continue
		}
		from := uint64(0)
		if term > 0 {
			from = s.ends[term-1]
		}
		for at := range uint64(1 + s.postings[from]) { // the table and its length
			for _, by := range []byte{1, 255} {
				s.postings[from+at] += by
				if _, err := Decode(s.Append(nil)); err == nil {
					t.Errorf("%q: nobody notices that byte %d of the table is %d more", s.Term(term), at, by)
				}
				s.postings[from+at] -= by
			}
		}
		longer := *s
		end := from + 1 + uint64(s.postings[from])
		longer.postings = slices.Insert(slices.Clone(s.postings), int(end), 1, 1) // one more block than there is
		longer.postings[from] += 2
		longer.ends = slices.Clone(s.ends)
		for i := term; i < len(longer.ends); i++ {
			longer.ends[i] += 2
		}
		if _, err := Decode(longer.Append(nil)); err == nil {
			t.Errorf("%q: nobody notices that the table has a block too many", s.Term(term))
		}
	}
}

// TestDecodeChunksDescending: the ends of the pieces of text rise, even if
// one is told by a number so large that it is taken for a step back.
func TestDecodeChunksDescending(t *testing.T) {
	t.Parallel()
	s := new(Builder).Build(randomDocuments(rand.New(rand.NewPCG(8, 9)), 0, 3))
	s.blocks[0].ends = []uint64{10, 5, uint64(len(s.blocks[0].bytes))}
	if _, err := Decode(s.Append(nil)); err == nil {
		t.Error("chunks that end before they start were taken for text")
	}
}

// FuzzDecode shows that no bytes make a segment that cannot be read.
func FuzzDecode(f *testing.F) {
	f.Add(new(Builder).Build(nil).Append(nil))
	f.Add(new(Builder).Build([]Document{
		{ID: "a", Title: "Build agents", Tags: []string{"t"}, Sections: []Section{{Anchor: "x", Heading: "No-cache", Text: "agent build agent", Code: "f()"}}},
		{ID: "b", Title: "Building", Description: "An agent."},
	}).Append(nil))
	f.Add(new(Builder).Build(randomDocuments(rand.New(rand.NewPCG(10, 11)), 0, 40)).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b)
		if err != nil {
			return
		}
		var l Layout
		for doc := range uint32(s.Docs()) {
			s.Layout(doc, &l)
			text := new(Text)
			text.Open(s, doc)
			for i := range l.Sections {
				_, _, _ = text.Names(&l.Sections[i])
				for j := range l.Sections[i].Passages {
					_, _ = text.Passage(&l.Sections[i].Passages[j])
				}
			}
		}
		for term := range s.Terms() {
			there := NewBitmap(s.Docs())
			for c := s.Cursor(term); c.Next(); {
				_ = c.Places(nil, 1000)
				there.Set(c.Doc)
			}
			c := s.Cursor(term)
			for doc := uint32(term % 7); int(doc) < s.Docs(); doc += uint32(1 + term%29) {
				if c.Seek(doc) != there.Has(doc) {
					t.Fatalf("term %d: Seek(%d) does not find what Next does", term, doc)
				}
			}
			if have := s.Living(term, there); have != 0 {
				t.Fatalf("term %d: %d documents live of a list all of which are dead", term, have)
			}
			s.Find(string(s.Term(term)))
		}
		s.Similar("agent", 1, true, false, func(Match) bool { return true })
		s.Forms("build", func(analysis.Stemmer) bool { return true }, func(int) {})
		Merge([]Source{{Segment: s}, {Segment: s}})
	})
}
