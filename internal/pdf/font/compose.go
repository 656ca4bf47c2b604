package font

import (
	"math"

	"github.com/go-text/typesetting/di"
	gofont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// composer shapes words of ASCII in one style and script from their pairs, of
// which each is shaped once. Fonts that do more to such words than moving the
// first of two characters are found out by their habits; what comes is the same.
type composer struct {
	face    *Face
	style   Style
	script  language.Script
	letters [lastASCII + 1]letter
	pairs   []int16 // how far the first one moves on, by both characters
}

// letter is a character as it is shaped by itself.
type letter struct {
	known, alone bool
	glyph        uint16
	advance      int16
}

// What stands for a pair that was not met yet, and one that is more than its
// characters.
const (
	unmet  = math.MinInt16
	joined = math.MinInt16 + 1

	countASCII = lastASCII - firstASCII + 1
)

// compose returns a word as shape does, or nil where that takes more.
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

// composer returns the composer of a word, nil if it has other characters than
// those of ASCII, or none.
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

// letter returns a character by itself.
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

// pair returns how far a character moves on before another.
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

// still reports whether a glyph stands for one character at its own place.
func still(g shaping.Glyph) bool {
	return g.XOffset.Round() == 0 && g.YOffset.Round() == 0 && g.RunesCount() == 1 && g.GlyphsCount() == 1
}

// alone shapes characters that no word has yet.
func (s *Shaper) alone(c *composer, chars ...byte) []shaping.Glyph {
	s.text = appendRunes(s.text[:0], string(chars))
	return s.shaper.ShapeNoExtents(shaping.Input{
		Text: s.text, RunEnd: len(s.text), Direction: di.DirectionLTR, Face: c.face.face, Size: fixed.I(1000), Script: c.script, Language: s.lang,
	}).Glyphs
}

// says remembers that a glyph stands for text, and reports whether it does.
func (f *Face) says(glyph uint16, text string) bool {
	if f.texts[glyph] == "" {
		f.texts[glyph] = text
	}
	return f.texts[glyph] == text
}
