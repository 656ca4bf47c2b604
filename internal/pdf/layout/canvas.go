package layout

import (
	"math"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Canvas is the content of a page while it is made.
type Canvas struct {
	buf    []byte
	fill   Color // that of what is painted next
	filled bool  // whether fill was set
	behind layer // what lies behind
	whole  []byte

	// Marked content is begun when something of it is painted, and ended when
	// something else is: the lines of a paragraph are one piece, and of text the
	// pieces stand within one text object, which is a seventh shorter.
	opening string // what begins the present piece, until it is written
	open    bool   // whether it is written
	within  bool   // in a text object
	ended   bool
	page    *writer.Page
	of      *writer.Element // nil for what is no part of the text

	drawn  bool // whether the outlines of glyphs are drawn, which makes them thicker
	inText bool
	face   *font.Face
	wide   bool // whether the font is the one that has numbers of glyphs for codes
	size   float64
	y      float64 // of the base line
	startX float64 // where the last position was set
	startY float64
	pen    float64 // where the next glyph would stand
	array  bool    // whether an array of glyphs is open
	string bool    // and a string in it
}

// Bytes returns the content, which is good until the canvas is used again.
func (c *Canvas) Bytes() []byte {
	if c.Plain(); len(c.behind.buf) == 0 {
		return c.whole
	}
	const begin, end = "/Artifact BMC\n", "EMC\n"
	c.whole = append(append(append(append(c.whole[:0], begin...), c.behind.buf...), end...), c.buf...)
	return c.whole
}

// Plain returns the content of a form that is shown within an artifact, without
// tags for what lies behind.
func (c *Canvas) Plain() []byte {
	c.settle()
	c.endText()
	c.behind.solid()
	c.whole = append(append(c.whole[:0], c.behind.buf...), c.buf...)
	return c.whole
}

// Append adds the content of another canvas, what lies behind to what does here.
func (c *Canvas) Append(other *Canvas) {
	c.settle()
	c.endText()
	other.settle()
	other.endText()
	c.behind.join(&other.behind)
	c.buf, c.filled = append(c.buf, other.buf...), false
}

// Reset empties the canvas for another page.
func (c *Canvas) Reset() {
	*c = Canvas{buf: c.buf[:0], whole: c.whole[:0], behind: layer{buf: c.behind.buf[:0]}}
}

func (c *Canvas) raw(s string) { c.buf = append(c.buf, s...) }

func (c *Canvas) number(v float64) { c.buf = append(writer.AppendNumber(c.buf, v), ' ') }

// Begin starts content that belongs to an element.
func (c *Canvas) Begin(page *writer.Page, e *writer.Element) {
	if c.ended && c.of == e && c.page == page && page.Continues(e) {
		c.ended = false
		return
	}
	c.settle()
	c.page, c.of = page, e
	c.mark()
}

// begin starts content that belongs to an element, or to none.
func (c *Canvas) begin(page *writer.Page, e *writer.Element) {
	if e == nil {
		c.BeginArtifact()
	} else {
		c.Begin(page, e)
	}
}

// BeginArtifact starts content that is no part of the text.
func (c *Canvas) BeginArtifact() {
	if c.ended && c.of == nil {
		c.ended = false
		return
	}
	c.settle()
	c.page, c.of = nil, nil
	c.mark()
}

// mark takes up a piece of content of what was begun.
func (c *Canvas) mark() {
	c.opening = "/Artifact BMC\n"
	if c.of != nil {
		c.opening = "/" + c.of.Role() + "<</MCID " + strconv.Itoa(c.page.Mark(c.of)) + ">>BDC\n"
	}
}

// End ends what Begin or BeginArtifact has started.
func (c *Canvas) End() { c.ended = true }

// settle writes the end of what was ended.
func (c *Canvas) settle() {
	if !c.ended {
		return
	}
	c.ended = false
	if c.opening != "" && c.of != nil { // its element knows of it
		c.begun()
	}
	c.opening = ""
	c.close()
}

// close ends a piece of content that is open.
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

// begun writes the beginning of a piece of content.
func (c *Canvas) begun() {
	if c.opening == "" {
		return
	}
	c.flush()
	c.raw(c.opening)
	c.opening, c.open, c.within = "", true, c.inText
}

// painting makes ready to paint something other than text.
func (c *Canvas) painting() {
	c.settle()
	if c.open && c.within { // a piece is in a text object or around it
		c.close()
		c.mark()
	}
	c.endText()
	c.begun()
}

// Image paints a picture of the shared resources into a rectangle, after it was
// turned within the unit square.
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

// flush ends an array of glyphs.
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

// Saying paints a word that stands for other text, or for none.
func (c *Canvas) Saying(text string, w *font.Word, s *Style, x, y float64) {
	c.beginText()
	c.flush()
	c.raw("/Span<</ActualText" + writer.UTF16([]rune(text)) + ">>BDC\n")
	c.word(w, s, x, y, true)
	c.endSpan()
}

// endSpan ends what stands for other text, and the piece of content around it:
// readers such as poppler take the one end for both, and would lose the rest of
// the piece.
func (c *Canvas) endSpan() {
	c.flush()
	c.raw("EMC\n")
	if c.open && c.of != nil {
		c.close()
		c.mark()
		c.begun()
	}
}

// Word paints a word whose base line starts at a place.
func (c *Canvas) Word(w *font.Word, s *Style, x, y float64) { c.word(w, s, x, y, false) }

// word paints a word. Of one whose text is said already, no glyph says its own.
func (c *Canvas) word(w *font.Word, s *Style, x, y float64, said bool) {
	y += s.Rise
	c.beginText()
	if strings.Trim(w.Text, " ") != "" { // else it has no colour
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
	c.buf = writer.AppendPrecise(c.buf, size) // what the glyphs' places are reckoned with
	c.raw(" Tf\n")
}

// thicken lets glyphs look bold, or as they are.
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
		c.startX, c.startY = c.startX+right, c.startY+up // what was rounded does not add up
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

// unseen is by how many thousandths of its size a glyph may stand beside its
// place. It is the glyph's place that is compared, so they do not add up.
const unseen = 4

// literal adds a byte of a literal string (ISO 32000-1, 7.3.4.2), which is half
// as long as a hexadecimal one.
func (c *Canvas) literal(b byte) {
	switch b {
	case '(', ')', '\\':
		c.buf = append(c.buf, '\\', b)
	case '\r': // by itself it would be read as a line feed
		c.buf = append(c.buf, '\\', 'r')
	default:
		c.buf = append(c.buf, b)
	}
}
