package segment

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestDecodeReturnsWhatWasEncoded(t *testing.T) {
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
		if !slices.Equal(have.terms.stem, want.terms.stem) || !slices.Equal(have.byID, want.byID) {
			t.Error("the derived orders are not what they were")
		}
	}
}

func TestDecodeNoticesWhatIsCutOff(t *testing.T) {
	t.Parallel()
	whole := new(Builder).Build(randomDocuments(rand.New(rand.NewPCG(6, 6)), 0, 2)).Append(nil)
	for n := range whole {
		if _, err := Decode(whole[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a segment", n, len(whole))
		}
	}
}

// FuzzDecode shows that no bytes make a segment that cannot be read.
func FuzzDecode(f *testing.F) {
	f.Add(new(Builder).Build(nil).Append(nil))
	f.Add(new(Builder).Build([]Document{
		{ID: "a", Title: "Build agents", Tags: []string{"t"}, Sections: []Section{{Anchor: "x", Heading: "No-cache", Text: "agent build agent", Code: "f()"}}},
		{ID: "b", Title: "Building", Description: "An agent."},
	}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b)
		if err != nil {
			return
		}
		var l Layout
		for doc := range uint32(s.Docs()) {
			s.Layout(doc, &l)
			text := s.Text(doc)
			for i := range l.Sections {
				_, _, _ = text.Names(&l.Sections[i])
				for j := range l.Sections[i].Passages {
					_, _ = text.Passage(&l.Sections[i].Passages[j])
				}
			}
		}
		for term := range s.Terms() {
			for c := s.Cursor(term); c.Next(); {
				_ = c.Places(nil, 1000)
			}
			c := s.Cursor(term)
			for doc := range uint32(s.Docs()) {
				c.Seek(doc)
			}
			s.Find(string(s.Term(term)))
		}
		s.Similar("agent", 1, true, false, func(Match) bool { return true })
		s.SameStem("build")
		Merge([]Source{{Segment: s}, {Segment: s}})
	})
}
