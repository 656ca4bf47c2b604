package font

import (
	"slices"
	"testing"
)

// TestPackGlyphs checks that glyphs come back from a run as they were,
// however little room it has for them.
func TestPackGlyphs(t *testing.T) {
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
