package segment

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// dump writes all that a segment says of its terms, with documents by id.
func dump(s *Segment) map[string][]string {
	found := make(map[string][]string)
	for term := range s.Terms() {
		var postings []string
		c := s.Cursor(term)
		for c.Next() {
			counts := ""
			var count Lengths
			fields := c.Counts(&count)
			for f := range Fields {
				if fields&(1<<f) != 0 {
					counts += fmt.Sprintf(" %s:%d", f, count[f])
				}
			}
			postings = append(postings, fmt.Sprintf("%s%s %v", s.Doc(c.Doc).ID, counts, c.Places(nil, 1<<30)))
		}
		if len(postings) != s.Frequency(term) {
			postings = append(postings, fmt.Sprintf("but the frequency is %d", s.Frequency(term)))
		}
		found[string(s.Term(term))] = postings
	}
	return found
}

// textOf reads all text of a document.
func textOf(t *testing.T, s *Segment, doc uint32) []string {
	t.Helper()
	var l Layout
	s.Layout(doc, &l)
	text := new(Text)
	text.Open(s, doc)
	out := []string{fmt.Sprint(l.Title)}
	for i := range l.Sections {
		section := &l.Sections[i]
		anchor, heading, err := text.Names(section)
		if err != nil {
			t.Fatalf("reading names: %v", err)
		}
		out = append(out, fmt.Sprint(anchor, heading, section.Heading, section.To))
		for j := range section.Passages {
			p := &section.Passages[j]
			piece, err := text.Passage(p)
			if err != nil {
				t.Fatalf("reading a passage: %v", err)
			}
			out = append(out, fmt.Sprint(p.Kind, p.From, p.To, piece))
		}
	}
	return out
}

func TestPostingsOfDocuments(t *testing.T) {
	t.Parallel()
	documents := randomDocuments(rand.New(rand.NewPCG(1, 1)), 0, 80)
	s := new(Builder).Build(documents)
	for term := range s.Terms() {
		text := string(s.Term(term))
		if found, ok := s.Find(text); !ok || found != term {
			t.Errorf("Find(%q): have %d, want %d", text, found, term)
		}
	}
	var l Layout
	for doc := range documents {
		s.Layout(uint32(doc), &l)
		want := make(map[string][]uint32)
		var scanner analysis.Scanner
		note := func(token analysis.Token) {
			want[string(token.Text)] = append(want[string(token.Text)], uint32(token.Pos))
		}
		scanner.Scan(documents[doc].Title, 0, note)
		text := new(Text)
		text.Open(s, uint32(doc))
		for i := range l.Sections {
			_, heading, err := text.Names(&l.Sections[i])
			if err != nil {
				t.Fatal(err)
			}
			scanner.Scan(heading, int(l.Sections[i].Heading.From), note)
			for j := range l.Sections[i].Passages {
				p := &l.Sections[i].Passages[j]
				piece, err := text.Passage(p)
				if err != nil {
					t.Fatal(err)
				}
				if end := scanner.Scan(piece, int(p.From), note); end != int(p.To) {
					t.Errorf("document %d: the passage %q ends at %d, want %d", doc, piece, end, p.To)
				}
			}
		}
		for text, places := range want {
			term, _ := s.Find(text)
			c := s.Cursor(term)
			if !c.Seek(uint32(doc)) {
				t.Errorf("document %d is not found by %q", doc, text)
				continue
			}
			slices.Sort(places)
			if have := c.Places(nil, 1<<30); !slices.Equal(have, places) {
				t.Errorf("places of %q in document %d: have %v, want %v", text, doc, have, places)
			}
		}
	}
}

func TestStoredText(t *testing.T) {
	t.Parallel()
	document := Document{ID: "a", Title: "T", Description: "D d.", Sections: []Section{
		{Text: strings.Repeat("Words of a lead, one after the other. ", 2000)},
		{Anchor: "x", Heading: "X", Level: 2, Text: "one\n\ntwo", Code: "code()"},
	}}
	s := new(Builder).Build([]Document{document})
	all := strings.Join(textOf(t, s, 0), "|")
	for _, want := range []string{"D d.", "one\n\ntwo", "code()"} {
		if !strings.Contains(all, want) {
			t.Errorf("the text does not hold %q", want)
		}
	}
	if have := strings.Count(all, "after the other."); have != 2000 {
		t.Errorf("have %d sentences of the lead, want 2000", have)
	}
}

func TestMergeEqualsBuild(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2))
	var b Builder
	var sources []Source
	var left []Document
	for n := range 4 {
		documents := randomDocuments(r, 1000*n, 60+r.IntN(100))
		source := Source{Segment: b.Build(documents)}
		if n > 0 {
			source.Dead = NewBitmap(len(documents))
		}
		for i := range documents {
			if n > 0 && r.IntN(3) == 0 {
				source.Dead.Set(uint32(i))
			} else {
				left = append(left, documents[i])
			}
		}
		sources = append(sources, source)
	}
	merged, moved := Merge(sources)
	want := b.Build(left)
	if !reflect.DeepEqual(dump(merged), dump(want)) {
		t.Error("the postings differ from those of a segment built of the same documents")
	}
	if merged.FieldLengths() != want.FieldLengths() || !reflect.DeepEqual(merged.tags, want.tags) {
		t.Error("lengths or tags differ from those of a segment built of the same documents")
	}
	for doc := range left {
		if have, want := textOf(t, merged, uint32(doc)), textOf(t, want, uint32(doc)); !slices.Equal(have, want) {
			t.Errorf("text of document %d:\nhave %q\nwant %q", doc, have, want)
		}
	}
	for n, source := range sources {
		for doc, to := range moved[n] {
			if to != Nowhere && merged.Doc(to).ID != source.Doc(uint32(doc)).ID {
				t.Errorf("document %d of source %d is said to be %s", doc, n, merged.Doc(to).ID)
			}
		}
	}
}

func TestSeekEqualsNext(t *testing.T) {
	t.Parallel()
	s := new(Builder).Build(randomDocuments(rand.New(rand.NewPCG(3, 3)), 0, 500))
	r := rand.New(rand.NewPCG(4, 4))
	for term := range s.Terms() {
		places := make(map[uint32][]uint32)
		for c := s.Cursor(term); c.Next(); {
			places[c.Doc] = c.Places(nil, 1<<30)
		}
		c := s.Cursor(term)
		for doc := uint32(0); int(doc) < s.Docs(); doc += uint32(1 + r.IntN(90)) {
			_, want := places[doc]
			if have := c.Seek(doc); have != want {
				t.Fatalf("%q: Seek(%d): have %t, want %t", s.Term(term), doc, have, want)
			}
			if want && !slices.Equal(c.Places(nil, 1<<30), places[doc]) {
				t.Fatalf("%q: places in %d differ", s.Term(term), doc)
			}
		}
	}
}

func TestLookupAndStems(t *testing.T) {
	t.Parallel()
	s := new(Builder).Build([]Document{{ID: "b", Title: "building builds"}, {ID: "a", Title: "build"}, {ID: "c", Tags: []string{"x", "x"}}, {ID: "d", Title: "Gebäude Builds", Language: "de-CH"}})
	for want, id := range []string{"b", "a", "c"} {
		if have, ok := s.Lookup(id); !ok || have != uint32(want) {
			t.Errorf("Lookup(%q): have %d, want %d", id, have, want)
		}
	}
	if _, ok := s.Lookup("e"); ok {
		t.Error("Lookup(e): have a document, want none")
	}
	merged, _ := Merge([]Source{{Segment: s}})
	for _, c := range []struct {
		language, word string
		want           []string
	}{
		{"en", "build", []string{"build", "building", "builds"}},
		{"de", "build", []string{"builds"}},
		{"de", "gebauden", []string{"gebaude"}},
		{"fr", "build", nil},
	} {
		for _, s := range []*Segment{s, merged} {
			var forms []string
			s.Forms(c.word, func(stemmer analysis.Stemmer) bool { return stemmer == analysis.StemmerOf(c.language) }, func(term int) {
				forms = append(forms, string(s.Term(term)))
			})
			if !slices.Equal(forms, c.want) {
				t.Errorf("forms of %s, %s: have %q, want %q", c.word, c.language, forms, c.want)
			}
		}
	}
	if have := s.Tagged("x"); !slices.Equal(have, []uint32{2}) {
		t.Errorf("Tagged(x): have %v, want [2]", have)
	}
}
