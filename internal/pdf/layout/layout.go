// Package layout breaks styled text into lines of shaped words and paints lines
// and boxes into the content of a page. It owns the breaking of lines by Unicode's
// rules (UAX 14), the order of text in both directions (UAX 9), and the operators
// of a page's content, with the tags that tell what the content is.
//
// The package knows no documents and no pages' furniture: what is a heading or a
// list is decided above. Lengths are points; heights count from the lower edge.
package layout

import (
	"strings"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/segmenter"

	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Color is a colour of red, green and blue.
type Color [3]uint8

// Link is a link whose text may stand on several lines.
type Link struct {
	Destination string     // in the file, or
	URI         string     // elsewhere, or
	File        writer.Ref // attached
	Contents    string     // in words where it leads
	Element     *writer.Element
}

// Style tells how text looks.
type Style struct {
	Font      font.Style
	Size      float64
	Color     Color
	Rise      float64 // above the base line
	Underline bool
	Strike    bool
	Back      *Color // of the box behind it
	Link      *Link

	// Hyphens tell where words may be divided; nil has them stay whole.
	Hyphens *hyphen.Patterns
}

// Span is text of one style, in which a line feed ends a line, or a picture.
type Span struct {
	Text    string
	Style   *Style
	Picture *Picture // in place of text, which is then PictureText
}

// PictureText is what stands for a picture in text: the object replacement
// character, beside which a line may end.
const PictureText = "\ufffc"

// Picture is a picture that stands in a line.
type Picture struct {
	Name          string // among the resources
	Width, Height float64
	Turn          [6]float64      // of the unit square
	Element       *writer.Element // nil for an ornament
}

// Typesetter makes lines. It is not safe for use by several goroutines.
type Typesetter struct {
	shaper   *font.Shaper
	segments segmenter.Segmenter
	bidi     bidi.Paragraph

	// Room that is used again by each text.
	text   []rune
	ends   []int
	utf8   []byte
	filled []piece
	word   []piece

	space piece // the last single one
}

// New returns a Typesetter that shapes words with a shaper.
func New(s *font.Shaper) *Typesetter { return &Typesetter{shaper: s} }

// Line is a line of text.
type Line struct {
	Width       float64
	Ascent      float64 // above the base line
	Descent     float64 // below, positive
	RightToLeft bool    // whether its paragraph is
	Indent      float64 // of a line of code that goes on, by which it is moved in
	pieces      []piece // from left to right
}

// piece is a part of a line in one style and direction. Most of what a book
// allocates is pieces, so that their size counts.
type piece struct {
	word  *font.Word
	style *Style
	width float64
	level uint8 // of embedding; odd ones run from right to left
	space bool
	says  *string // the text that it stands for, where that is not its own

	picture *Picture // in place of a word
}

// Links returns the links of the line, each once.
func (l *Line) Links() []*Link {
	var links []*Link
	for i, p := range l.pieces {
		if p.style.Link != nil && (i == 0 || l.pieces[i-1].style.Link != p.style.Link) {
			links = append(links, p.style.Link)
		}
	}
	return links
}

// Text returns what the line says, its pieces as they stand from left to right.
func (l *Line) Text() string {
	var b strings.Builder
	for _, p := range l.pieces {
		if p.word != nil {
			b.WriteString(p.word.Text)
		}
	}
	return b.String()
}

// Pictures returns the elements of the pictures of the line.
func (l *Line) Pictures() []*writer.Element {
	var all []*writer.Element
	for _, p := range l.pieces {
		if p.picture != nil && p.picture.Element != nil {
			all = append(all, p.picture.Element)
		}
	}
	return all
}

// drop is how far a picture reaches below the base line: one that is hardly
// higher than letters stands in their middle.
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

// line makes a line of pieces in the order of reading.
func line(pieces []piece, base uint8) Line {
	l := Line{pieces: append([]piece(nil), pieces...), RightToLeft: base == 1}
	for _, p := range pieces {
		l.Width += p.width
		if p.picture != nil {
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
