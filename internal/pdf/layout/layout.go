// Package layout breaks styled text into lines of shaped words, and paints lines and boxes into page
// content. It implements line breaking (UAX 14), bidirectional text (UAX 9) and the content
// operators with their tags.
//
// It knows no documents; callers decide what a heading or list looks like. Lengths are in points;
// the y axis points up from the lower edge.
package layout

import (
	"strings"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/segmenter"

	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

type Color [3]uint8

// Link is a link, possibly on several lines.
type Link struct {
	Destination string     // one of these three is set
	URI         string     // external
	File        writer.Ref // attached file
	Contents    string     // description of the target
	Element     *writer.Element
}

// Style is the look of text.
type Style struct {
	Font      font.Style
	Size      float64
	Color     Color
	Rise      float64 // above the base line
	Underline bool
	Strike    bool
	Back      *Color // background
	Link      *Link

	// Hyphens are the hyphenation patterns; nil disables hyphenation.
	Hyphens *hyphen.Patterns
}

// Span is text of one style, in which a line feed ends a line, or a picture.
type Span struct {
	Text    string
	Style   *Style
	Picture *Picture // instead of text; Text is then PictureText
}

// PictureText is the object replacement character, which represents a picture. It allows a line break
// on both sides.
const PictureText = "\ufffc"

// Picture is an inline picture.
type Picture struct {
	Name          string // in the resources
	Width, Height float64
	Turn          [6]float64      // in the unit square
	Element       *writer.Element // nil if decorative
}

// Typesetter makes lines. It is not safe for concurrent use.
type Typesetter struct {
	shaper   *font.Shaper
	segments segmenter.Segmenter
	bidi     bidi.Paragraph

	// Reused by each text.
	text   []rune
	ends   []int
	utf8   []byte
	filled []piece
	word   []piece

	space piece // cached
}

func New(s *font.Shaper) *Typesetter { return &Typesetter{shaper: s} }

type Line struct {
	Width       float64
	Ascent      float64 // above the base line
	Descent     float64 // below the base line, positive
	Tall        bool    // with a picture higher than text
	RightToLeft bool    // direction of its paragraph
	Indent      float64 // of a continuation line of code
	pieces      []piece // in visual order
}

// piece is a part of a line with one style and direction. It is small, as a book allocates mostly
// pieces.
type piece struct {
	word  *font.Word
	style *Style
	width float64
	level uint8 // embedding level; odd ones run from right to left
	space bool
	says  *string // replacement text, if any

	picture *Picture // instead of a word
}

// Links returns the distinct links of the line.
func (l *Line) Links() []*Link {
	var links []*Link
	for i, p := range l.pieces {
		if p.style.Link != nil && (i == 0 || l.pieces[i-1].style.Link != p.style.Link) {
			links = append(links, p.style.Link)
		}
	}
	return links
}

// Text returns the text of the line in visual order.
func (l *Line) Text() string {
	var b strings.Builder
	for _, p := range l.pieces {
		if p.word != nil {
			b.WriteString(p.word.Text)
		}
	}
	return b.String()
}

// Pictures returns the elements of the line's pictures.
func (l *Line) Pictures() []*writer.Element {
	var all []*writer.Element
	for _, p := range l.pieces {
		if p.picture != nil && p.picture.Element != nil {
			all = append(all, p.picture.Element)
		}
	}
	return all
}

// drop is how far a picture extends below the base line: a picture about as high as letters is
// centred on them.
func (p *piece) drop() float64 {
	if p.picture.Height > 2*p.style.Size {
		return 0
	}
	return 0.18 * p.style.Size
}

func (t *Typesetter) piece(text string, s *Style, level uint8, space bool) piece {
	return pieceOf(t.shaper.Word(text, s.Font, level%2 == 1), s, level, space)
}

func pieceOf(w *font.Word, s *Style, level uint8, space bool) piece {
	return piece{word: w, style: s, level: level, width: float64(w.Advance) * s.Size / 1000, space: space}
}

// line makes a line of pieces in logical order.
func line(pieces []piece, base uint8) Line {
	l := Line{pieces: append([]piece(nil), pieces...), RightToLeft: base == 1}
	for _, p := range pieces {
		l.Width += p.width
		if p.picture != nil {
			l.Tall = l.Tall || p.drop() == 0
			l.Ascent, l.Descent = max(l.Ascent, p.picture.Height-p.drop()+1), max(l.Descent, p.drop()+1)
			continue
		}
		ascent, descent := p.word.Extent()
		l.Ascent = max(l.Ascent, float64(ascent)*p.style.Size/1000+p.style.Rise)
		l.Descent = max(l.Descent, -float64(descent)*p.style.Size/1000-p.style.Rise)
	}
	reorder(l.pieces)
	return l
}
