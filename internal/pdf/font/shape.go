package font

import (
	"slices"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// Glyph is a glyph of a word. Many words are remembered, so it is small.
type Glyph struct {
	ID      uint16
	Advance int16  // how far the next glyph is
	X, Y    int16  // by how much it is moved
	Text    uint16 // where its cluster starts among the characters of the run
	Runes   uint8  // how many characters the cluster stands for
	Glyphs  uint8  // in how many glyphs, on the first of a cluster that has to say its text; else 0
}

// Run is a part of a word in one face, its glyphs from left to right.
type Run struct {
	Face   *Face
	Thin   bool // whether it is meant to be bold and the face is not
	Text   []rune
	Glyphs []Glyph
}

// Word is text that was shaped, its runs from left to right.
type Word struct {
	Text    []rune
	Runs    []Run
	Advance int
}

// Extent returns how far the faces of the word reach above its base line, and
// as a negative number below.
func (w *Word) Extent() (ascent, descent int) {
	for _, r := range w.Runs {
		ascent, descent = max(ascent, r.Face.ascent), min(descent, r.Face.descent)
	}
	return ascent, descent
}

// Shaper shapes words and remembers them. It is not safe for use by several
// goroutines.
type Shaper struct {
	set    *Set
	shaper shaping.HarfbuzzShaper
	lang   language.Language
	recent map[wordKey]*Word
	older  map[wordKey]*Word
	length int // characters in recent
}

type wordKey struct {
	text        string
	style       Style
	rightToLeft bool
}

// The bounds of the words that are remembered, and of their characters: twice as
// many at most.
const (
	maxWords  = 1 << 14
	maxLength = 1 << 17
)

// maxWord bounds the characters that are shaped at once.
const maxWord = 1 << 12

// NewShaper returns a shaper of text in a language, a tag of BCP 47.
func NewShaper(set *Set, lang string) *Shaper {
	return &Shaper{set: set, lang: language.NewLanguage(lang), recent: map[wordKey]*Word{}}
}

// Set returns the fonts.
func (s *Shaper) Set() *Set { return s.set }

// Word returns text as it is shaped in one direction.
func (s *Shaper) Word(text string, style Style, rightToLeft bool) *Word {
	key := wordKey{text, style, rightToLeft}
	if w, ok := s.recent[key]; ok {
		return w
	}
	w, ok := s.older[key]
	if !ok {
		w = s.shape([]rune(text), style, rightToLeft)
	}
	if len(s.recent) >= maxWords || s.length > maxLength {
		s.older, s.recent, s.length = s.recent, map[wordKey]*Word{}, 0
	}
	s.recent[key] = w
	s.length += len(w.Text)
	return w
}

// WordOf returns the same of text as bytes, which are not kept.
func (s *Shaper) WordOf(text []byte, style Style, rightToLeft bool) *Word {
	if w, ok := s.recent[wordKey{string(text), style, rightToLeft}]; ok { // which makes no string
		return w
	}
	return s.Word(string(text), style, rightToLeft)
}

// shape divides a word by face and script and shapes each part.
func (s *Shaper) shape(text []rune, style Style, rightToLeft bool) *Word {
	w := &Word{Text: text}
	for from := 0; from < len(text); {
		face := s.set.Choose(text[from], style)
		script, to := language.LookupScript(text[from]), from+1
		for ; to < len(text) && to-from < maxWord; to++ {
			r := text[to]
			if clings(r) {
				continue
			}
			if s.set.Choose(r, style) != face {
				break
			}
			if next := language.LookupScript(r); next.Strong() && next != script {
				if script.Strong() {
					break
				}
				script = next
			}
		}
		if face != nil {
			r := s.run(face, text, from, to, script, rightToLeft)
			r.Thin = style&Bold != 0 && face != s.set.Main(style) && face != s.set.Main(style&^Mono)
			w.add(r)
		}
		from = to
	}
	if rightToLeft {
		slices.Reverse(w.Runs)
	}
	return w
}

func (w *Word) add(r Run) {
	for _, g := range r.Glyphs {
		w.Advance += int(g.Advance)
	}
	w.Runs = append(w.Runs, r)
}

func (s *Shaper) run(face *Face, text []rune, from, to int, script language.Script, rightToLeft bool) Run {
	direction := di.DirectionLTR
	if rightToLeft {
		direction = di.DirectionRTL
	}
	out := s.shaper.ShapeNoExtents(shaping.Input{
		Text: text, RunStart: from, RunEnd: to, Direction: direction, Face: face.face,
		Size: fixed.I(1000), Script: script, Language: s.lang,
	})
	r := Run{Face: face, Text: text[from:to], Glyphs: make([]Glyph, 0, len(out.Glyphs))}
	for i, g := range out.Glyphs {
		id := face.nothing
		if uint64(g.GlyphID) < uint64(len(face.used)) {
			id = uint16(g.GlyphID)
		}
		own := Glyph{
			ID: id, Advance: int16(g.Advance.Round()), X: int16(g.XOffset.Round()), Y: int16(g.YOffset.Round()),
			Text: uint16(g.TextIndex() - from), Runes: uint8(min(g.RunesCount(), 255)),
		}
		face.use(id)
		first := i == 0 || out.Glyphs[i-1].TextIndex() != g.TextIndex()
		if cluster := r.Characters(own); first && !face.means(id, cluster, g.GlyphsCount()) {
			own.Glyphs = uint8(min(g.GlyphsCount(), 255))
		}
		r.Glyphs = append(r.Glyphs, own)
	}
	return r
}

// Characters returns what the cluster of a glyph stands for.
func (r *Run) Characters(g Glyph) []rune {
	from := min(int(g.Text), len(r.Text))
	return r.Text[from:min(from+int(g.Runes), len(r.Text))]
}

// means remembers that a glyph stands for text, and reports whether that is
// enough to find the text again.
func (f *Face) means(glyph uint16, text []rune, glyphs int) bool {
	if glyphs != 1 {
		return false
	}
	if f.texts[glyph] == "" {
		f.texts[glyph] = string(text)
	}
	return f.texts[glyph] == string(text)
}
