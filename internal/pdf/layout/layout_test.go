package layout

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomono"

	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
)

// typesetter sets everything in one font, of which each glyph is 600 wide.
func typesetter() *Typesetter {
	var s font.Sources
	for i := range s.Styles {
		s.Styles[i] = font.Source{Name: "mono", Bytes: func() ([]byte, error) { return gomono.TTF, nil }}
	}
	return New(font.NewShaper(font.NewSet(s), "en"))
}

// TestLinesWithoutSpaces checks that text in Thai is divided between its words, and
// that a table measures them.
func TestLinesWithoutSpaces(t *testing.T) {
	t.Parallel()
	const word = "มหาวิทยาลัย"
	setter, style := typesetter(), &Style{Size: 10}
	one, _ := setter.Measure(word, style, 0)
	for _, l := range setter.Lines([]Span{{Text: strings.Repeat(word, 20), Style: style}}, 2.5*one, false) {
		if have := l.Text(); have != word+word {
			t.Errorf("have the line %s, want %s", have, word+word)
		}
	}
	if have, _ := setter.Measure(strings.Repeat(word, 20), style, one); have != one {
		t.Errorf("have a word %v wide, want %v", have, one)
	}
}

// show returns lines as text, from left to right.
func show(lines []Line) string {
	var all []string
	for _, l := range lines {
		text := ""
		for _, p := range l.pieces {
			text += p.word.Text
		}
		all = append(all, text)
	}
	return strings.Join(all, "|")
}

func TestLines(t *testing.T) {
	t.Parallel()
	style := &Style{Size: 10}
	bold := &Style{Size: 10, Font: font.Bold}
	const ten = 10*6 + 0.5 // room for ten characters
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{""}, ""},
		{[]string{"  "}, ""},
		{[]string{"one two three four"}, "one two|three four"},
		{[]string{"one\ttwo  three"}, "one two|three"},
		{[]string{"one two ", "three"}, "one two|three"},
		{[]string{"bo", "ld and", " more"}, "bold and|more"},
		{[]string{"a\nb\n\nc"}, "a|b||c"},
		{[]string{"a "}, "a"},
		{[]string{"abcdefghijklmnopqrstuvwxyz"}, "abcdefghij|klmnopqrst|uvwxyz"},
		{[]string{"a abcdefghijklmno"}, "a|abcdefghij|klmno"},
		{[]string{"snapshotOfNames"}, "snapshotOf|Names"},
		{[]string{"snapshotsOf_a_word"}, "snapshots|Of_a_word"},
		{[]string{"a snap_shot_ofNames"}, "a|snap_shot_|ofNames"},
		{[]string{"hyphen\u00adation"}, "hyphen-|ation"},
		{[]string{"one\u00ad two"}, "one two"},
		{[]string{"no\u00a0break\u00a0x y"}, "no\u00a0break\u00a0x|y"},
		{[]string{"well-known word"}, "well-known|word"},
		{[]string{"漢字漢字漢字漢字漢字漢"}, "漢字漢字漢字漢字漢字|漢"},
		{[]string{"אב גד"}, "גד אב"},
		{[]string{"a אב גד b"}, "a גד אב b"},
		{[]string{"אב 12 abc"}, "abc 12 אב"},
		{[]string{"x אב 1 ab"}, "x 1 אב ab"},
	} {
		var spans []Span
		for i, text := range c.texts {
			s := style
			if i%2 == 1 {
				s = bold
			}
			spans = append(spans, Span{Text: text, Style: s})
		}
		if have := show(typesetter().Lines(spans, ten, false)); have != c.want {
			t.Errorf("Lines(%q): have %q, want %q", c.texts, have, c.want)
		}
	}
}

// TestCodeIsolated checks that code in a line runs from left to right, whatever
// is around it, and that it does not tell the direction of a line.
func TestCodeIsolated(t *testing.T) {
	t.Parallel()
	style, mono := &Style{Size: 10}, &Style{Size: 10, Font: font.Mono}
	for _, c := range []struct {
		texts    []string // the second is code
		mirrored bool
		want     string
	}{
		{[]string{"אב ", "f()", " גד"}, false, "גד f() אב"},
		{[]string{"x אב ", "f()", " גד"}, false, "x גד f() אב"},
		{[]string{"x ", "f()", " אב"}, false, "x f() אב"},
		{[]string{"", "f()", " אב"}, false, "אב f()"},
		{[]string{"אב ", "(א, ב)", " גד"}, false, "גד (ב א,) אב"},
		{[]string{"- ", "f()"}, true, "f() -"},
		{[]string{"1 -"}, true, "- 1"},
		{[]string{"1 -"}, false, "1 -"},
		{[]string{"a -"}, true, "- a"},
		{[]string{"x אב y"}, true, "y אב x"}, // a page from right to left tells before the first letter
		{[]string{"x אב y"}, false, "x אב y"},
	} {
		var spans []Span
		for i, text := range c.texts {
			s := style
			if i == 1 {
				s = mono
			}
			spans = append(spans, Span{Text: text, Style: s})
		}
		if have := show(typesetter().Lines(spans, 300, c.mirrored)); have != c.want {
			t.Errorf("Lines(%q, %v): have %q, want %q", c.texts, c.mirrored, have, c.want)
		}
	}
}

// TestCodeOfBothDirections checks that text from right to left runs so in code.
func TestCodeOfBothDirections(t *testing.T) {
	t.Parallel()
	style, other := &Style{Size: 10}, &Style{Size: 10}
	lines, counts := typesetter().Code([]Span{{Text: "x = אב", Style: style}, {Text: " גד + z\n# אב\ny\n", Style: other}}, 300)
	if have, want := fmt.Sprint(show(lines), counts), "x =  גדאב + z|# אב|y[1 1 1]"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if last := lines[1].pieces[len(lines[1].pieces)-1]; last.level != 1 {
		t.Errorf("have %q of level %d, want 1", last.word.Text, last.level)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	style := &Style{Size: 10}
	const ten = 10*6 + 0.5
	for _, c := range []struct{ text, want string }{
		{"", " []"},
		{"a\n", "a [1]"},
		{"a\n\n  b", "a||  b [1 1 1]"},
		{"\tx\n", "    x [1]"},
		{"0123456789abc\nd\n", "0123456789|abc|d [2 1]"},
		{"01234567 9abc\n", "01234567 |9abc [2]"},
		{"0 23456789abc\n", "0 23456789|abc [2]"},
	} {
		lines, counts := typesetter().Code([]Span{{Text: c.text, Style: style}}, ten)
		if have := fmt.Sprint(show(lines), " ", counts); have != c.want {
			t.Errorf("Code(%q): have %q, want %q", c.text, have, c.want)
		}
	}
}

func TestCanvas(t *testing.T) {
	t.Parallel()
	lines := typesetter().Lines([]Span{{Text: "ab cd", Style: &Style{Size: 10, Color: Color{255, 0, 0}}}}, 100, false)
	var c Canvas
	for i := range lines {
		lines[i].PaintPlain(&c, 10, 20)
	}
	have := string(c.Bytes())
	for _, want := range []string{"BT\n", "1 0 0 rg\n", "/F0 10 Tf\n", "10 20 Td\n", ")]TJ\n", "ET\n"} {
		if strings.Count(have, want) != 1 {
			t.Errorf("have %q, want %q once in it", have, want)
		}
	}
}

func TestHyphenate(t *testing.T) {
	t.Parallel()
	plain := &Style{Size: 10}
	patterns := hyphen.NewLibrary().For("en")
	divided := &Style{Size: 10, Hyphens: patterns}
	small := &Style{Size: 8, Hyphens: patterns}
	for _, c := range []struct {
		style *Style
		room  int // in characters of ten points
		text  string
		want  string
	}{
		{divided, 20, "the whole configuration is read", "the whole configura-|tion is read"},
		{plain, 20, "the whole configuration is read", "the whole|configuration is|read"},
		{divided, 20, "the whole (configuration) is read", "the whole (configu-|ration) is read"},
		{divided, 20, "the wholesome things configuration", "the wholesome things|configuration"}, // nothing is left to fill
		{divided, 20, "the whole configuration", "the whole|configuration"},                       // the last word
		{divided, 20, "the whole Configuration is read", "the whole|Configuration is|read"},       // a name
		{divided, 20, "the whole camelCaseWords is read", "the whole|camelCaseWords is|read"},
		{divided, 20, "the whole snake_case_words is", "the whole|snake_case_words is"},
		{divided, 20, "see example.com/documentation now", "see example.com/|documentation now"},
		{divided, 20, "a half-configuration is read", "a half-configuration|is read"},
		{divided, 20, "the whole con\u00adfiguration is read", "the whole con-|figuration is read"},
		{divided, 8, "configuration", "configu-|ration"}, // wider than a line
		{plain, 8, "configuration", "configur|ation"},
		{divided, 14, "our documentation documentation documentation documentation x", "our documenta-|tion documen-|tation|documentation|documentation|x"},
	} {
		lines := typesetter().Lines([]Span{{Text: c.text, Style: c.style}}, float64(c.room)*6+0.5, false)
		if have := show(lines); have != c.want {
			t.Errorf("Lines(%q) of %d: have %q, want %q", c.text, c.room, have, c.want)
		}
	}
	mixed := []Span{{Text: "the whole con", Style: divided}, {Text: "figuration", Style: small}, {Text: " is", Style: divided}}
	if have, want := show(typesetter().Lines(mixed, 120.5, false)), "the whole|configuration is"; have != want {
		t.Errorf("a word of two styles: have %q, want %q", have, want)
	}
}

// TestHyphenText holds what the parts of a word say that stands on two lines.
func TestHyphenText(t *testing.T) {
	t.Parallel()
	divided := &Style{Size: 10, Hyphens: hyphen.NewLibrary().For("en")}
	for _, c := range []struct {
		text string
		room int // in characters
		want string
	}{
		{"hyphen\u00adation", 10, "hyphen|-=\u00ad|ation"},
		{"the whole (configuration) is", 20, "the| |whole| |(configu=(configuration)|-=|ration)=| |is"},
		{"the internationalisationalisationally is set", 20, "the| |internationali=internationalisationalisationally|-=|sationalisationally=|is| |set"},
		{"internationalisationalisationally x", 14, "international=internationalisationalisationally|-=|isationalisa=|-=|tionally=| |x"},
	} {
		var have []string
		for _, l := range typesetter().Lines([]Span{{Text: c.text, Style: divided}}, float64(c.room)*6+0.5, false) {
			for _, p := range l.pieces {
				part := p.word.Text
				if p.says != nil {
					part += "=" + *p.says
				}
				have = append(have, part)
			}
		}
		if joined := strings.Join(have, "|"); joined != c.want {
			t.Errorf("%q: have %q, want %q", c.text, joined, c.want)
		}
	}
	var c Canvas
	says := ""
	p := typesetter().piece("-", divided, 0, false)
	c.Saying(says, p.word, p.style, 1, 2)
	if have := string(c.Bytes()); strings.Count(have, "BT\n") != 1 || strings.Count(have, "/Span<</ActualText<FEFF>>>BDC\n") != 1 || strings.Count(have, "EMC\n") != 1 {
		t.Errorf("have %q, want a hyphen that says nothing", have)
	}
}
