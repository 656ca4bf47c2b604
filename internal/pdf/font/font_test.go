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
	data, err := f.subsetTrueType()
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

func TestIndex(t *testing.T) {
	t.Parallel()
	for _, items := range [][][]byte{
		nil,
		{[]byte("a")},
		{{}, []byte("ab"), {}},
		{bytes.Repeat([]byte("x"), 300), []byte("y")},
		{bytes.Repeat([]byte("x"), 70_000)},
	} {
		data := append(appendIndex(nil, items), "rest"...)
		have, rest, err := readIndex(data)
		if err != nil || string(rest) != "rest" || fmt.Sprint(have) != fmt.Sprint(items) {
			t.Errorf("index of %d items: have %d items, rest %q, %v", len(items), len(have), rest, err)
		}
		for cut := range min(len(data)-4, 50) {
			if _, _, err := readIndex(data[:cut]); err == nil && len(items) > 0 {
				t.Errorf("index of %d items, %d bytes of it: have no error", len(items), cut)
			}
		}
	}
}

func TestDict(t *testing.T) {
	t.Parallel()
	data := appendOp(nil, opROS, 391, 392, 0)
	data = appendRaw(data, []byte{28, 0xff, 0x38, 30, 0x0a, 0x14, 0x05, 0x41, 0xff}, opFontBBox) // -200, 0.140541
	data = append(data, 139, opCharset, 247, 0, opSubrs)
	d, err := readDict(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ op, i, want int }{
		{opROS, 0, 391}, {opROS, 2, 0}, {opFontBBox, 0, -200}, {opCharset, 0, 0}, {opSubrs, 0, 108}, {opPrivate, 0, -1}, {opROS, 3, -1},
	} {
		if have := d.number(c.op, c.i); have != c.want {
			t.Errorf("operand %d of %d: have %d, want %d", c.i, c.op, have, c.want)
		}
	}
	if have, want := d.without(opSubrs), data[:len(data)-3]; !bytes.Equal(have, want) {
		t.Errorf("without subroutines: have %v, want %v", have, want)
	}
}

func TestDropSubrs(t *testing.T) {
	t.Parallel()
	call := func(subr int) byte { return byte(subr - 107 + 139) }
	for _, c := range []struct {
		name, want string
		code       []byte
	}{
		{"nothing", "11 11, 11 11", []byte{endchar}},
		{"a local one", "14 11, 11 11", []byte{call(0), csCallSubr}},
		{"one that calls another", "14 0 10, 11 11", []byte{call(1), csCallSubr}},
		{"a global one", "11 11, 1 11", []byte{call(0), csCallGSubr, endchar}},
		{"behind a mask", "11 11, 1 11", []byte{139, 139, csHStemHM, 139, 139, csHintMask, csCallSubr, call(0), csCallGSubr, endchar}},
		{"one that is not there", "14 0 10, 1 2", []byte{call(7), csCallSubr}},
		{"a mask that is cut off", "14 0 10, 1 2", []byte{139, 139, csHStemHM, csHintMask}},
	} {
		subrs := [][]byte{{endchar}, {call(0), csCallSubr}}
		font := &cffFont{charstrings: [][]byte{c.code}, selected: []byte{0}, globals: [][]byte{{1}, {2}}, dicts: []cffDict{{subrs: subrs}}}
		font.dropSubrs([]bool{true})
		words := func(b [][]byte) string {
			return strings.NewReplacer("[", "", "]", "", fmt.Sprint(call(0)), "0").Replace(fmt.Sprint(b))
		}
		if have := words(subrs) + ", " + words(font.globals); have != c.want {
			t.Errorf("%s: have %s, want %s", c.name, have, c.want)
		}
	}
}

// TestCFF writes a font keyed by name, reads it, keeps one glyph and reads the
// subset.
func TestCFF(t *testing.T) {
	t.Parallel()
	made := &cffFont{
		charstrings: [][]byte{{endchar}, {1, 2, endchar}, {3, 4, 5, endchar}},
		selected:    []byte{0, 0, 1},
		globals:     [][]byte{{11}},
		dicts:       []cffDict{{private: []byte{139, 20}, subrs: [][]byte{{11}, {12, 11}}}, {private: []byte{140, 20}}},
	}
	have, err := readCFF(made.bytes("Font"))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*have) != fmt.Sprint(*made) {
		t.Errorf("have %v\nwant %v", *have, *made)
	}
	data := made.bytes("Font")
	for cut := range len(data) {
		_, _ = readCFF(data[:cut]) // must not panic
	}
}
