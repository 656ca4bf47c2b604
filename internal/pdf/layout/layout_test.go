package layout

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomono"

	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// typesetter sets everything in one font, of which each glyph is 600 wide.
func typesetter() *Typesetter {
	var s font.Sources
	for i := range s.Styles {
		s.Styles[i] = font.Source{Name: "mono", Bytes: func() ([]byte, error) { return gomono.TTF, nil }}
	}
	return New(font.NewShaper(font.NewSet(s), "en"))
}

// show returns lines as text, from left to right.
func show(lines []Line) string {
	var all []string
	for _, l := range lines {
		text := ""
		for _, p := range l.pieces {
			text += string(p.word.Text)
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
		if have := show(typesetter().Lines(spans, ten)); have != c.want {
			t.Errorf("Lines(%q): have %q, want %q", c.texts, have, c.want)
		}
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
	lines := typesetter().Lines([]Span{{Text: "ab cd", Style: &Style{Size: 10, Color: Color{255, 0, 0}}}}, 100)
	var c Canvas
	for i := range lines {
		lines[i].PaintPlain(&c, 10, 20)
	}
	have := string(c.Bytes())
	for _, want := range []string{"BT\n", "1 0 0 rg\n", "/F0 10 Tf\n", "10 20 Td\n", ">]TJ\n", "ET\n"} {
		if strings.Count(have, want) != 1 {
			t.Errorf("have %q, want %q once in it", have, want)
		}
	}
}
