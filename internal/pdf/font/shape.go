package font

import (
	"slices"
	"unicode/utf8"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

type Glyph struct {
	ID      uint16
	Advance int16  // distance to the next glyph
	X, Y    int16  // offset
	Text    uint16 // start of its cluster in the characters of the run
	Runes   uint8  // number of characters in the cluster
	Glyphs  uint8  // number of glyphs, on the first of a cluster that needs explicit text; else 0
}

// Run is a part of a word in one face, glyphs in visual order.
type Run struct {
	Face  *Face
	Thin  bool // should be bold, but the face is not
	plain bool // each glyph represents one character, in order and without offset
	text  string
	parts []uint16 // of the glyphs, see pack
}

// Word is shaped text, runs in visual order. It is small because many are cached.
type Word struct {
	Text        string
	Runs        []Run
	Advance     int32
	style       Style
	rightToLeft bool
	one         [1]Run // inline storage for most words
}

// Extent returns the maximal ascent of the word's faces, and the descent as a negative number.
func (w *Word) Extent() (ascent, descent int) {
	for _, r := range w.Runs {
		ascent, descent = max(ascent, r.Face.ascent), min(descent, r.Face.descent)
	}
	return ascent, descent
}

// Shaper shapes and caches words. It is not safe for concurrent use.
type Shaper struct {
	set    *Set
	shaper shaping.HarfbuzzShaper
	lang   language.Language
	recent words
	older  words
	length int // characters in recent

	composers [styles][2]*composer // for words without and with letters

	// Reused by each word.
	text   []rune
	glyphs []Glyph
	parts  []uint16
}

// Limits of the cached words and their characters. Up to twice as many are kept.
const (
	maxWords  = 1 << 13
	maxLength = 1 << 16
)

// maxRemembered is the maximal length of a cached word in bytes.
const maxRemembered = 32

// maxWord limits the characters shaped at once.
const maxWord = 1 << 12

// NewShaper returns a shaper for a BCP 47 language.
func NewShaper(set *Set, lang string) *Shaper {
	return &Shaper{set: set, lang: language.NewLanguage(lang)}
}

// Word returns text shaped in one direction.
func (s *Shaper) Word(text string, style Style, rightToLeft bool) *Word {
	if w := (*s.recent.by(style, rightToLeft))[text]; w != nil {
		return w
	}
	w := (*s.older.by(style, rightToLeft))[text]
	if w == nil && !rightToLeft {
		w = s.compose(text, style)
	}
	if w == nil {
		w = s.shape(text, style, rightToLeft)
	}
	if len(w.Text) > maxRemembered {
		return w // comments in code and the like rarely repeat
	}
	if s.recent.count >= maxWords || s.length > maxLength {
		s.older, s.recent, s.length = s.recent, words{}, 0
	}
	s.recent.add(w)
	s.length += utf8.RuneCountInString(w.Text)
	return w
}

// WordOf is Word for bytes, which it does not retain.
func (s *Shaper) WordOf(text []byte, style Style, rightToLeft bool) *Word {
	if w := (*s.recent.by(style, rightToLeft))[string(text)]; w != nil {
		return w
	}
	return s.Word(string(text), style, rightToLeft)
}

// shape splits a word by face and script and shapes each part.
func (s *Shaper) shape(word string, style Style, rightToLeft bool) *Word {
	w := &Word{Text: word, style: style, rightToLeft: rightToLeft}
	w.Runs = w.one[:0]
	text := appendRunes(s.text[:0], word)
	s.text = text
	for from := 0; from < len(text); {
		face := s.set.chooseFor(text[from:], style)
		script, to := language.LookupScript(text[from]), from+1
		for ; to < len(text) && to-from < maxWord; to++ {
			r := text[to]
			if clings(r) {
				continue
			}
			if s.set.chooseFor(text[to:], style) != face {
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
			r.text = word
			if from > 0 || to < len(text) {
				r.text = string(text[from:to])
			}
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

func appendRunes(to []rune, text string) []rune {
	for _, r := range text {
		to = append(to, r)
	}
	return to
}

func (w *Word) add(r Run) {
	for i := range r.Len() {
		w.Advance += int32(r.Glyph(i).Advance)
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
	s.glyphs = s.glyphs[:0]
	for i, g := range out.Glyphs {
		id := face.nothing
		if uint64(g.GlyphID) < uint64(len(face.used)) {
			id = uint16(g.GlyphID)
		}
		own := Glyph{
			ID: id, Advance: int16(g.Advance.Round()), X: int16(g.XOffset.Round()), Y: int16(g.YOffset.Round()),
			Text: uint16(g.TextIndex() - from), Runes: uint8(min(g.RunesCount(), 255)),
		}
		if id == 0 {
			s.box(&own, text[from:to], face)
		}
		face.use(own.ID)
		first := i == 0 || out.Glyphs[i-1].TextIndex() != g.TextIndex()
		if cluster := own.of(text[from:to]); first && (g.GlyphsCount() != 1 || !face.says(own.ID, string(cluster))) {
			own.Glyphs = uint8(min(g.GlyphsCount(), 255))
		}
		s.glyphs = append(s.glyphs, own)
	}
	r := Run{Face: face}
	r.pack(s.glyphs)
	return r
}

// box records missing characters of a cluster, which are shown as a box, except skin tones.
func (s *Shaper) box(g *Glyph, text []rune, face *Face) {
	skin := false
	for _, r := range g.of(text) {
		if !face.has(r) {
			s.set.miss(r)
			skin = isSkin(r)
		}
	}
	if skin {
		g.ID, g.Advance = face.nothing, 0
	}
}

// of returns the characters of a glyph's cluster in the text of its run.
func (g Glyph) of(text []rune) []rune {
	from := min(int(g.Text), len(text))
	return text[from:min(from+int(g.Runes), len(text))]
}

// Characters returns the characters of a glyph's cluster.
func (r *Run) Characters(g Glyph) []rune { return g.of([]rune(r.text)) }

// Numbers per packed glyph.
const (
	plainParts = 2
	allParts   = 6
)

// pack stores glyphs compactly.
func (r *Run) pack(glyphs []Glyph) {
	r.plain = true
	for i, g := range glyphs {
		r.plain = r.plain && g == Glyph{ID: g.ID, Advance: g.Advance, Text: uint16(i), Runes: 1}
	}
	if r.plain {
		r.parts = make([]uint16, 0, plainParts*len(glyphs))
	} else {
		r.parts = make([]uint16, 0, allParts*len(glyphs))
	}
	for _, g := range glyphs {
		r.parts = append(r.parts, g.ID, uint16(g.Advance))
		if !r.plain {
			r.parts = append(r.parts, uint16(g.X), uint16(g.Y), g.Text, uint16(g.Runes)<<8|uint16(g.Glyphs))
		}
	}
}

// Len returns the number of glyphs.
func (r *Run) Len() int {
	if r.plain {
		return len(r.parts) / plainParts
	}
	return len(r.parts) / allParts
}

func (r *Run) Glyph(i int) Glyph {
	if r.plain {
		return Glyph{ID: r.parts[plainParts*i], Advance: int16(r.parts[plainParts*i+1]), Text: uint16(i), Runes: 1}
	}
	p := r.parts[allParts*i : allParts*(i+1)]
	return Glyph{ID: p[0], Advance: int16(p[1]), X: int16(p[2]), Y: int16(p[3]), Text: p[4], Runes: uint8(p[5] >> 8), Glyphs: uint8(p[5])}
}
