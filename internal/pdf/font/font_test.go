package font

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	gofont "github.com/go-text/typesetting/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// sources has two fonts: one for text, one for code.
func sources() Sources {
	var s Sources
	for i := range s.Styles {
		data := goregular.TTF
		if Style(i)&Mono != 0 {
			data = gomono.TTF
		}
		s.Styles[i] = Source{Name: fmt.Sprint("font-", i), Bytes: func() ([]byte, error) { return data, nil }}
	}
	return s
}

func TestWord(t *testing.T) {
	t.Parallel()
	s := NewShaper(NewSet(sources()), "en")
	for _, c := range []struct {
		text   string
		style  Style
		glyphs int
	}{
		{"word", 0, 4},
		{"word", Mono, 4},
		{"", 0, 0},
		{"a b", 0, 3},
	} {
		w := s.Word(c.text, c.style, false)
		glyphs, advance := 0, 0
		for _, r := range w.Runs {
			for i := range r.Len() {
				glyphs++
				advance += int(r.Glyph(i).Advance)
			}
		}
		if glyphs != c.glyphs || advance != int(w.Advance) || (advance > 0) != (c.glyphs > 0) {
			t.Errorf("Word(%q, %d): have %d glyphs of %d, advance %d; want %d glyphs", c.text, c.style, glyphs, advance, w.Advance, c.glyphs)
		}
		if s.Word(c.text, c.style, false) != w {
			t.Errorf("Word(%q): not remembered", c.text)
		}
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	set := NewSet(sources())
	s := NewShaper(set, "en")
	s.Word("a漢\u200db\u0301𐍈\ufe0fc🏽", 0, false)
	if have, want := string(set.Missing()), "\u0301漢𐍈🏽"; have != want {
		t.Errorf("missing: have %q, want %q", have, want)
	}
}

// TestClinging shows that what clings to a character has a glyph in a font that
// has both, or is told of as missing.
func TestClinging(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, missing string
		boxes         int
	}{
		{"e\u0301", "", 0},
		{"1\ufe0f\u20e3", "", 0},
		{"a1\ufe0f\u20e3b", "", 0},
		{"👍🏽", "", 0},
		{"x\u0f7ey", "\u0f7e", 1},
	} {
		set := NewSet(Builtin())
		w := NewShaper(set, "en").Word(c.text, 0, false)
		boxes := 0
		for i := range w.Runs {
			for at := range w.Runs[i].Len() {
				if w.Runs[i].Glyph(at).ID == 0 {
					boxes++
				}
			}
		}
		if missing := string(set.Missing()); missing != c.missing || boxes != c.boxes {
			t.Errorf("Word(%q): have %q missing and %d boxes, want %q and %d", c.text, missing, boxes, c.missing, c.boxes)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	for name, read := range map[string]func() ([]byte, error){
		"none":    nil,
		"unread":  func() ([]byte, error) { return nil, lost },
		"no font": func() ([]byte, error) { return []byte(strings.Repeat("x", 1000)), nil },
		"empty":   func() ([]byte, error) { return nil, nil },
		"cut":     func() ([]byte, error) { return goregular.TTF[:3000], nil },
	} {
		var s Sources
		s.Styles[0] = Source{Name: name, Bytes: read}
		set := NewSet(s)
		NewShaper(set, "en").Word("word", 0, false)
		if set.Err() == nil || !strings.Contains(set.Err().Error(), name) {
			t.Errorf("%s: have error %v", name, set.Err())
		}
	}
}

// TestTrueTypeSubset reads a subset again: what was used has its outline and
// advance, and the rest takes no room.
func TestTrueTypeSubset(t *testing.T) {
	t.Parallel()
	set := NewSet(sources())
	NewShaper(set, "en").Word("Aé", 0, false)
	f := set.Main(0)
	data, err := f.subset()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > len(goregular.TTF)/5 {
		t.Errorf("a subset of two glyphs has %d of %d bytes", len(data), len(goregular.TTF))
	}
	loaded, whole := outlines(t, withCmap(t, data)), outlines(t, goregular.TTF)
	for _, r := range "Aé" {
		id, _ := f.face.NominalGlyph(r)
		have, haveFound := loaded.GlyphDataOutline(id)
		want, wantFound := whole.GlyphDataOutline(id)
		if !reflect.DeepEqual(have, want) || haveFound != wantFound {
			t.Errorf("%c: the outline differs", r)
		}
		if have, want := loaded.HorizontalAdvance(id), f.face.HorizontalAdvance(id); have != want {
			t.Errorf("%c: advance: have %v, want %v", r, have, want)
		}
	}
	id, _ := f.face.NominalGlyph('B')
	if o, _ := loaded.GlyphDataOutline(id); len(o.Segments) != 0 {
		t.Error("B was not used and has an outline")
	}
}

// outlines reads a font with its outlines.
func outlines(t *testing.T, data []byte) *gofont.Face {
	t.Helper()
	face, err := gofont.ParseTTF(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return face
}

// withCmap gives a subset the table of characters that readers of fonts want
// and PDF does not.
func withCmap(t *testing.T, subset []byte) []byte {
	t.Helper()
	tables := []table{{"cmap", []byte{
		0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, // one subtable, for all of Unicode
		0, 12, 0, 0, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 1, // of format 12 with one group
		0, 0, 0, 'A', 0, 0, 0, 'A', 0, 0, 0, 1,
	}}}
	count := int(subset[4])<<8 | int(subset[5])
	for i := range count {
		e := subset[12+16*i:]
		at := int(e[8])<<24 | int(e[9])<<16 | int(e[10])<<8 | int(e[11])
		size := int(e[12])<<24 | int(e[13])<<16 | int(e[14])<<8 | int(e[15])
		tables = append(tables, table{string(e[:4]), bytes.Clone(subset[at : at+size])})
	}
	return fontFile(tables)
}
