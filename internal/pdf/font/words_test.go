package font

import (
	"fmt"
	"slices"
	"testing"
)

// TestWordsAreFound adds words until their table has grown several times, and
// holds that each is found, as it was added, by string and by bytes, and no
// other.
func TestWordsAreFound(t *testing.T) {
	t.Parallel()
	const many = 3000
	var table words
	var all []*Word
	for i := range many {
		all = append(all, &Word{Text: fmt.Sprint("w", i/6), style: Style(i % 3), rightToLeft: i/3%2 == 1})
		if w := all[i]; find(&table, w.Text, w.style, w.rightToLeft) != nil {
			t.Errorf("%+v is there before it was added", *w)
		}
		table.add(all[i])
	}
	for _, w := range all {
		if find(&table, w.Text, w.style, w.rightToLeft) != w || find(&table, []byte(w.Text), w.style, w.rightToLeft) != w {
			t.Errorf("%+v is not found", *w)
		}
	}
	if w := find(&table, "w", 0, false); w != nil || table.count != many || len(table.places) < 2*many {
		t.Errorf("have %d words in %d places, and %+v that was not added", table.count, len(table.places), w)
	}
}

// TestGlyphsArePacked holds that glyphs come back from a run as they were,
// however little room it has for them.
func TestGlyphsArePacked(t *testing.T) {
	t.Parallel()
	plain := []Glyph{{ID: 1, Advance: 500, Runes: 1}, {ID: 65535, Advance: -20, Text: 1, Runes: 1}}
	for _, c := range []struct {
		name  string
		last  Glyph
		plain bool
	}{
		{"plain", Glyph{ID: 9, Text: 2, Runes: 1}, true},
		{"moved", Glyph{ID: 9, X: -3, Text: 2, Runes: 1}, false},
		{"raised", Glyph{ID: 9, Y: 32000, Text: 2, Runes: 1}, false},
		{"a ligature", Glyph{ID: 9, Text: 2, Runes: 3}, false},
		{"of the cluster before", Glyph{ID: 9, Text: 1, Runes: 1}, false},
		{"with its text", Glyph{ID: 9, Text: 2, Runes: 255, Glyphs: 254}, false},
	} {
		want := append(slices.Clone(plain), c.last)
		var r Run
		r.pack(want)
		have := []Glyph{}
		for i := range r.Len() {
			have = append(have, r.Glyph(i))
		}
		if !slices.Equal(have, want) || r.plain != c.plain {
			t.Errorf("%s: have %+v, plain %t; want %+v, %t", c.name, have, r.plain, want, c.plain)
		}
	}
}
