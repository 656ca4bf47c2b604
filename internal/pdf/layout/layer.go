package layout

import (
	"math"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// layer is the background of a page: boxes, lines and dots in painting order. It is one artifact, so
// that it does not interrupt the marked content of the text.
type layer struct {
	buf    []byte
	fill   Color // of the next rectangles
	filled bool  // fill is set
	path   bool  // there are unpainted rectangles
	dashed bool
}

// Fill paints a rectangle in the background.
func (c *Canvas) Fill(r writer.Rect, color Color) {
	l := &c.behind
	if !l.filled || l.fill != color {
		l.end()
		l.fill, l.filled = color, true
		l.buf = color.append(l.buf, "rg\n")
	}
	l.numbers(r.Left, r.Bottom, r.Right-r.Left, r.Top-r.Bottom)
	l.raw("re\n")
	l.path = true
}

// Outline paints a border inside a rectangle in the background.
func (c *Canvas) Outline(r writer.Rect, color Color) {
	const line = 0.6
	l := &c.behind
	l.solid()
	l.buf = color.append(l.buf, "RG ")
	l.numbers(line)
	l.raw("w ")
	l.numbers(r.Left+line/2, r.Bottom+line/2, r.Right-r.Left-line, r.Top-r.Bottom-line)
	l.raw("re S\n")
}

// Dots paints a row of dots; dots of all rows are aligned.
func (c *Canvas) Dots(from, to, y float64, color Color) {
	const dot, every = 0.7, 4.0
	first := math.Ceil(from/every) * every
	count := math.Floor((to-dot-first)/every) + 1
	if count < 1 {
		return
	}
	l := &c.behind
	l.end()
	if !l.dashed {
		l.dashed = true
		l.raw("[.7 3.3]0 d .7 w ")
		l.buf = color.append(l.buf, "RG\n")
	}
	l.numbers(first, y+dot/2)
	l.raw("m ")
	l.numbers(first+(count-1)*every+dot, y+dot/2)
	l.raw("l S\n")
}

// Form paints a form resource in the background.
func (c *Canvas) Form(name string) {
	c.behind.end()
	c.behind.raw(writer.Name(name) + " Do\n")
}

func (l *layer) raw(s string) { l.buf = append(l.buf, s...) }

func (l *layer) numbers(all ...float64) {
	for _, v := range all {
		l.buf = append(writer.AppendNumber(l.buf, v), ' ')
	}
}

// end paints the pending rectangles.
func (l *layer) end() {
	if l.path {
		l.raw("f\n")
		l.path = false
	}
}

// solid selects solid lines.
func (l *layer) solid() {
	l.end()
	if l.dashed {
		l.raw("[]0 d\n")
		l.dashed = false
	}
}

func (l *layer) join(above *layer) {
	l.solid()
	above.solid()
	l.buf, l.filled = append(l.buf, above.buf...), false
}

// append appends the operands and operator that set a colour.
func (color Color) append(dst []byte, operator string) []byte {
	for _, part := range color {
		dst = append(writer.AppendPrecise(dst, float64(part)/255), ' ')
	}
	return append(dst, operator...)
}
