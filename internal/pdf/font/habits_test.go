package font

import (
	"fmt"
	"testing"

	"github.com/go-text/typesetting/font/opentype/tables"
)

// TestHabits shows what tables of a font tell of characters, of which it has a,
// b and c as glyphs 1, 2 and 3, and a mark as glyph 9.
func TestHabits(t *testing.T) {
	t.Parallel()
	cover := func(ids ...tables.GlyphID) tables.Coverage { return tables.Coverage1{Glyphs: ids} }
	ligature := func(others ...tables.GlyphID) tables.GSUBLookup {
		return tables.LigatureSubs{Coverage: cover(1), LigatureSets: []tables.LigatureSet{{Ligatures: []tables.Ligature{{ComponentGlyphIDs: others}}}}}
	}
	context := func(before, after tables.Coverage) tables.GSUBLookup {
		return tables.ChainedContextualSubs{Data: tables.ChainedContextualSubs3{
			BacktrackCoverages: []tables.Coverage{before}, InputCoverages: []tables.Coverage{cover(1)}, LookaheadCoverages: []tables.Coverage{after},
		}}
	}
	for _, c := range []struct {
		name  string
		table any
		flag  bool // whether the table skips more than marks
		want  string
	}{
		{"nothing of them", tables.SingleSubs{Data: tables.SingleSubstData1{Coverage: cover(9)}}, false, "abc  map[]"},
		{"another form", tables.SingleSubs{Data: tables.SingleSubstData1{Coverage: cover(2)}}, false, "ac  map[]"},
		{"a ligature of three", ligature(2, 3), false, "abc a map[[97 98]:true]"},
		{"a ligature with a mark", ligature(2, 9), false, "abc  map[]"},
		{"a ligature of one", ligature(), false, "bc  map[]"},
		{"between characters", context(cover(2), cover(3, 9)), false, "bc  map[]"},
		{"before a mark", context(cover(2), cover(9)), false, "abc  map[]"},
		{"behind a mark", context(cover(9), cover(2)), false, "abc  map[]"},
		{"pairs", tables.PairPos{Data: tables.PairPosData2{}}, false, "abc abc map[]"},
		{"pairs, with others between", tables.PairPos{Data: tables.PairPosData2{}}, true, "  map[]"},
		{"both of a pair", tables.PairPos{Data: tables.PairPosData2{ValueFormat2: tables.XAdvance}}, false, "  map[]"},
	} {
		o := observer{&habits{joined: map[[2]byte]bool{}}, map[tables.GlyphID][]byte{1: {'a'}, 2: {'b'}, 3: {'c'}}}
		o.alone['a'], o.alone['b'], o.alone['c'] = true, true, true
		switch table := c.table.(type) {
		case tables.GSUBLookup:
			o.substitutes(table)
		case tables.GPOSLookup:
			o.moves(table, !c.flag)
		}
		alone, led := "", ""
		for char := range o.alone {
			if o.alone[char] {
				alone += string(rune(char))
			}
			if o.led[char] {
				led += string(rune(char))
			}
		}
		if have := fmt.Sprint(alone, " ", led, " ", o.joined); have != c.want {
			t.Errorf("%s: have %q, want %q", c.name, have, c.want)
		}
	}
}
