package font

import "testing"

// TestCodes: characters of Latin-1 have their own numbers, others what is left of
// one byte and then two; when all are taken a glyph has its number in the wide
// font. No two glyphs share a code, and each keeps its own.
func TestCodes(t *testing.T) {
	t.Parallel()
	const glyphs = 9000
	f := &Face{texts: make([]string, glyphs)}
	f.codes.of = make([]uint16, glyphs)
	f.texts[1], f.texts[2], f.texts[3], f.texts[4], f.texts[5] = "A", "é", "fi", "A", "中"
	for glyph, want := range map[uint16]uint16{1: 'A', 2: 0xe9} {
		if have, wide := f.Code(glyph); have != want || wide {
			t.Errorf("Code(%d): have %#x, %t, want %#x", glyph, have, wide, want)
		}
	}
	codes, short, wide := map[uint16]uint16{}, 0, 0
	for range 2 {
		short, wide = 0, 0
		for glyph := uint16(1); glyph < glyphs; glyph++ {
			code, isWide := f.Code(glyph)
			if isWide {
				if wide++; code != glyph {
					t.Fatalf("glyph %d has the code %d in the wide font", glyph, code)
				}
				continue
			}
			if before, taken := codes[code]; taken && before != glyph {
				t.Fatalf("glyphs %d and %d share the code %#x", before, glyph, code)
			}
			codes[code] = glyph
			switch first := code >> 8; {
			case first == 0 && code >= firstShort:
				short++
			case first == 0 || first >= firstShort:
				t.Fatalf("glyph %d has the code %#x, which is not in the code space", glyph, code)
			}
		}
	}
	// Of the codes of one byte those of ASCII wait for their characters.
	if want := 1 + (latin - freeFrom) + (lastShort - latin + 1); short != want {
		t.Errorf("have %d codes of one byte, want %d", short, want)
	}
	if want := glyphs - 1 - short - (lastLong - firstLong + 1); wide != want || !f.codes.wide {
		t.Errorf("have %d glyphs without a code, want %d", wide, want)
	}
}
