package layout

import (
	"math"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Canvas builds the content of a page.
type Canvas struct {
	buf    []byte
	fill   Color // current fill colour
	filled bool  // fill is set
	behind layer // background
	whole  []byte

	// Marked content is opened on the first painting and closed on another tag: the lines of a
	// paragraph are one piece. Pieces of text are inside one text object, which saves a
	// seventh.
	opening string // tag of the current piece, if not yet written
	open    bool   // the piece is open
	within  bool   // in a text object
	ended   bool
	page    *writer.Page
	of      *writer.Element // nil for an artifact

	drawn  bool // glyph outlines are stroked, which makes them bolder
	inText bool
	face   *font.Face
	wide   bool // the font has glyph numbers as codes
	size   float64
	y      float64 // of the base line
	startX float64 // last position set
	startY float64
	pen    float64 // position of the next glyph
	array  bool    // an array of glyphs is open
	string bool    // a string in the array is open
}

// Bytes returns the content, valid until the canvas is used again.
func (c *Canvas) Bytes() []byte {
	if c.Plain(); len(c.behind.buf) == 0 {
		return c.whole
	}
	const begin, end = "/Artifact BMC\n", "EMC\n"
	c.whole = append(append(append(append(c.whole[:0], begin...), c.behind.buf...), end...), c.buf...)
	return c.whole
}

// Plain returns the content of a form used in an artifact; the background has no tags.
func (c *Canvas) Plain() []byte {
	c.settle()
	c.endText()
	c.behind.solid()
	c.whole = append(append(c.whole[:0], c.behind.buf...), c.buf...)
	return c.whole
}

// Append adds the content of another canvas, its background to the background.
func (c *Canvas) Append(other *Canvas) {
	c.settle()
	c.endText()
	other.settle()
	other.endText()
	c.behind.join(&other.behind)
	c.buf, c.filled = append(c.buf, other.buf...), false
}

// Reset empties the canvas for reuse.
func (c *Canvas) Reset() {
	*c = Canvas{buf: c.buf[:0], whole: c.whole[:0], behind: layer{buf: c.behind.buf[:0]}}
}

func (c *Canvas) raw(s string) { c.buf = append(c.buf, s...) }

func (c *Canvas) number(v float64) { c.buf = append(writer.AppendNumber(c.buf, v), ' ') }

// Begin starts content of an element.
func (c *Canvas) Begin(page *writer.Page, e *writer.Element) {
	if c.ended && c.of == e && c.page == page && page.Continues(e) {
		c.ended = false
		return
	}
	c.settle()
	c.page, c.of = page, e
	c.mark()
}

// begin starts content of an element, or an artifact.
func (c *Canvas) begin(page *writer.Page, e *writer.Element) {
	if e == nil {
		c.BeginArtifact()
	} else {
		c.Begin(page, e)
	}
}

// BeginArtifact starts content that is not part of the text.
func (c *Canvas) BeginArtifact() {
	if c.ended && c.of == nil {
		c.ended = false
		return
	}
	c.settle()
	c.page, c.of = nil, nil
	c.mark()
}

// mark begins a piece of marked content if needed.
func (c *Canvas) mark() {
	c.opening = "/Artifact BMC\n"
	if c.of != nil {
		c.opening = "/" + c.of.Role() + "<</MCID " + strconv.Itoa(c.page.Mark(c.of)) + ">>BDC\n"
	}
}

// End ends content started by Begin or BeginArtifact.
func (c *Canvas) End() { c.ended = true }

// settle applies a pending End.
func (c *Canvas) settle() {
	if !c.ended {
		return
	}
	c.ended = false
	if c.opening != "" && c.of != nil { // its element has a reference to it
		c.begun()
	}
	c.opening = ""
	c.close()
}

// close closes the open piece of content.
func (c *Canvas) close() {
	if !c.open {
		return
	}
	c.open = false
	c.flush()
	if !c.within {
		c.endText()
	}
	c.raw("EMC\n")
}

// begun opens the current piece of content.
func (c *Canvas) begun() {
	if c.opening == "" {
		return
	}
	c.flush()
	c.raw(c.opening)
	c.opening, c.open, c.within = "", true, c.inText
}

// painting prepares for painting other than text.
func (c *Canvas) painting() {
	c.settle()
	if c.open && c.within { // the piece and the text object are nested either way
		c.close()
		c.mark()
	}
	c.endText()
	c.begun()
}

// Image paints a picture resource into a rectangle, transformed by turn within the unit square.
func (c *Canvas) Image(name string, r writer.Rect, turn [6]float64) {
	c.painting()
	c.raw("q ")
	c.number(r.Right - r.Left)
	c.raw("0 0 ")
	c.number(r.Top - r.Bottom)
	c.number(r.Left)
	c.number(r.Bottom)
	c.raw("cm ")
	if turn != [6]float64{1, 0, 0, 1, 0, 0} {
		for _, n := range turn {
			c.number(n)
		}
		c.raw("cm ")
	}
	c.raw(writer.Name(name) + " Do Q\n")
}

func (c *Canvas) color(color Color) {
	if c.filled && c.fill == color {
		return
	}
	c.fill, c.filled = color, true
	c.flush()
	c.buf = color.append(c.buf, "rg\n")
}

func (c *Canvas) endText() {
	if c.inText {
		c.flush()
		if c.drawn {
			c.raw("0 Tr\n")
			c.drawn = false
		}
		c.raw("ET\n")
		c.inText = false
	}
}

// flush closes the array of glyphs.
func (c *Canvas) flush() {
	if c.string {
		c.raw(")")
	}
	if c.array {
		c.raw("]TJ\n")
	}
	c.array, c.string = false, false
}

func (c *Canvas) beginText() {
	c.settle()
	if !c.inText {
		c.raw("BT\n")
		c.inText, c.face, c.startX, c.startY = true, nil, 0, 0
		c.y = math.NaN()
	}
	c.begun()
}

// Saying paints a word with a replacement text, which may be empty.
func (c *Canvas) Saying(text string, w *font.Word, s *Style, x, y float64) {
	c.beginText()
	c.flush()
	c.raw("/Span<</ActualText" + writer.UTF16([]rune(text)) + ">>BDC\n")
	c.word(w, s, x, y, true)
	c.endSpan()
}

// endSpan ends a replacement text with the surrounding piece of content: poppler treats both ends as
// one and would lose the rest of the piece.
func (c *Canvas) endSpan() {
	c.flush()
	c.raw("EMC\n")
	if c.open && c.of != nil {
		c.close()
		c.mark()
		c.begun()
	}
}

// Word paints a word with its base line starting at (x, y).
func (c *Canvas) Word(w *font.Word, s *Style, x, y float64) { c.word(w, s, x, y, false) }

// word paints a word. With said, its glyphs have no replacement texts.
func (c *Canvas) word(w *font.Word, s *Style, x, y float64, said bool) {
	y += s.Rise
	c.beginText()
	if strings.Trim(w.Text, " ") != "" { // a blank word has no colour
		c.color(s.Color)
	}
	for i := range w.Runs {
		run := &w.Runs[i]
		if c.face != run.Face || c.size != s.Size {
			c.font(run.Face, s.Size, false)
		}
		c.thicken(run.Thin, s)
		left := 0
		for i := range run.Len() {
			g := run.Glyph(i)
			if g.Glyphs > 0 && left == 0 && !said {
				left = int(g.Glyphs)
				c.flush()
				c.raw("/Span<</ActualText" + writer.UTF16(run.Characters(g)) + ">>BDC\n")
			}
			c.glyph(g, x, y)
			x += float64(g.Advance) * s.Size / 1000
			if left > 0 {
				if left--; left == 0 {
					c.endSpan()
				}
			}
		}
		if left > 0 {
			c.endSpan()
		}
	}
}

func (c *Canvas) font(face *font.Face, size float64, wide bool) {
	c.flush()
	c.face, c.size, c.wide = face, size, wide
	c.raw("/" + face.Name(wide) + " ")
	c.buf = writer.AppendPrecise(c.buf, size) // used to compute the glyph positions
	c.raw(" Tf\n")
}

// thicken switches between bold and normal glyphs.
func (c *Canvas) thicken(drawn bool, s *Style) {
	if drawn {
		c.flush()
		c.buf = s.Color.append(c.buf, "RG ")
		c.number(0.03 * s.Size)
		c.raw("w 2 Tr\n")
	} else if c.drawn {
		c.flush()
		c.raw("0 Tr\n")
	}
	c.drawn = drawn
}

func (c *Canvas) glyph(g font.Glyph, x, y float64) {
	code, wide := c.face.Code(g.ID)
	if wide != c.wide {
		c.font(c.face, c.size, wide)
	}
	x += float64(g.X) * c.size / 1000
	y += float64(g.Y) * c.size / 1000
	if y != c.y {
		c.flush()
		right, up := writer.Rounded(x-c.startX), writer.Rounded(y-c.startY)
		c.number(right)
		c.number(up)
		c.raw("Td\n")
		c.startX, c.startY = c.startX+right, c.startY+up // rounded, so that errors do not accumulate
		c.y, c.pen = y, x
	}
	if !c.array {
		c.raw("[")
		c.array = true
	}
	if shift := int(math.Round((x - c.pen) * 1000 / c.size)); shift > unseen || shift < -unseen {
		if c.string {
			c.raw(")")
			c.string = false
		}
		c.buf = strconv.AppendInt(c.buf, int64(-shift), 10)
		c.pen += float64(shift) * c.size / 1000
	}
	if !c.string {
		c.raw("(")
		c.string = true
	}
	if wide || code > math.MaxUint8 {
		c.literal(byte(code >> 8))
	}
	c.literal(byte(code))
	c.pen += float64(c.face.Advance(g.ID)) * c.size / 1000
}

// unseen is the tolerated error of a glyph's position, in thousandths of the font size. Errors do not
// accumulate, since absolute positions are compared.
const unseen = 4

// literal adds a byte of a literal string (ISO 32000-1, 7.3.4.2), half as long as hexadecimal.
func (c *Canvas) literal(b byte) {
	switch b {
	case '(', ')', '\\':
		c.buf = append(c.buf, '\\', b)
	case '\r': // a bare CR would be read as LF
		c.buf = append(c.buf, '\\', 'r')
	default:
		c.buf = append(c.buf, b)
	}
}
