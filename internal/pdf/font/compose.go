package font

import (
	"math"

	"github.com/go-text/typesetting/di"
	gofont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// composer shapes ASCII words in a style and script from pairs, each shaped once. It only accepts
// characters for which the font does no more than kerning (see habits), so the result is
// the same.
type composer struct {
	face    *Face
	style   Style
	script  language.Script
	letters [lastASCII + 1]letter
	pairs   []int16 // kerning by both characters
}

// letter is a character shaped alone.
type letter struct {
	known, alone bool
	glyph        uint16
	advance      int16
}

// Markers for pairs that were not shaped yet, and for those that need full shaping.
const (
	unmet  = math.MinInt16
	joined = math.MinInt16 + 1

	countASCII = lastASCII - firstASCII + 1
)

// compose shapes a word like shape, or returns nil if that is not possible.
func (s *Shaper) compose(word string, style Style) *Word {
	c := s.composer(word, style)
	if c == nil || len(word) > maxWord {
		return nil
	}
	s.parts = s.parts[:0]
	advance := int32(0)
	for i := range len(word) {
		l := s.letter(c, word[i])
		if !l.alone {
			return nil
		}
		moves := l.advance
		if i+1 < len(word) && c.face.habits.led[word[i]] {
			if moves = s.pair(c, word[i], word[i+1]); moves == joined {
				return nil
			}
		}
		s.parts = append(s.parts, l.glyph, uint16(moves))
		advance += int32(moves)
	}
	for i := range len(word) {
		c.face.use(s.parts[plainParts*i])
		if at := word[i] - firstASCII; !c.face.says(s.parts[plainParts*i], printable[at:at+1]) {
			return nil
		}
	}
	w := &Word{Text: word, Advance: advance, style: style}
	w.one[0] = Run{Face: c.face, plain: true, text: word, parts: append([]uint16(nil), s.parts...)}
	w.Runs = w.one[:]
	return w
}

// composer returns the composer for a word, nil if the word is empty or not ASCII.
func (s *Shaper) composer(word string, style Style) *composer {
	if word == "" {
		return nil
	}
	script, at := language.Common, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c < firstASCII || c > lastASCII:
			return nil
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			script, at = language.Latin, 1
		}
	}
	c := &s.composers[style%styles][at]
	if *c == nil {
		face := s.set.Main(style)
		if face == nil {
			return nil
		}
		if face.habits == nil {
			face.habits = observe(face.face)
		}
		*c = &composer{face: face, style: style, script: script}
	}
	return *c
}

// letter returns a character shaped alone.
func (s *Shaper) letter(c *composer, char byte) *letter {
	l := &c.letters[char]
	if l.known {
		return l
	}
	*l = letter{known: true}
	if s.set.Choose(rune(char), c.style) != c.face || !c.face.habits.alone[char] {
		return l
	}
	if out := s.alone(c, char); len(out) == 1 && still(out[0]) && uint64(out[0].GlyphID) < uint64(len(c.face.used)) {
		l.alone, l.glyph, l.advance = true, uint16(out[0].GlyphID), int16(out[0].Advance.Round())
	}
	return l
}

// pair returns the kerning between two characters.
func (s *Shaper) pair(c *composer, first, second byte) int16 {
	if c.pairs == nil {
		c.pairs = make([]int16, countASCII*countASCII)
		for i := range c.pairs {
			c.pairs[i] = unmet
		}
	}
	p := &c.pairs[int(first-firstASCII)*countASCII+int(second-firstASCII)]
	if *p != unmet {
		return *p
	}
	a, b := s.letter(c, first), s.letter(c, second)
	out := s.alone(c, first, second)
	*p = joined
	if !c.face.habits.joined[[2]byte{first, second}] && b.alone && len(out) == 2 && still(out[0]) && still(out[1]) &&
		out[0].GlyphID == gofont.GID(a.glyph) && out[1].GlyphID == gofont.GID(b.glyph) && int16(out[1].Advance.Round()) == b.advance {
		*p = int16(out[0].Advance.Round())
	}
	return *p
}

// still reports whether a glyph represents one character at its own position.
func still(g shaping.Glyph) bool {
	return g.XOffset.Round() == 0 && g.YOffset.Round() == 0 && g.RunesCount() == 1 && g.GlyphsCount() == 1
}

// alone shapes characters without the cache.
func (s *Shaper) alone(c *composer, chars ...byte) []shaping.Glyph {
	s.text = appendRunes(s.text[:0], string(chars))
	return s.shaper.ShapeNoExtents(shaping.Input{
		Text: s.text, RunEnd: len(s.text), Direction: di.DirectionLTR, Face: c.face.face, Size: fixed.I(1000), Script: c.script, Language: s.lang,
	}).Glyphs
}

// says records the text of a glyph, and reports whether it is unambiguous.
func (f *Face) says(glyph uint16, text string) bool {
	if f.texts[glyph] == "" {
		f.texts[glyph] = text
	}
	return f.texts[glyph] == text
}
