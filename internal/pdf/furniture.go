package pdf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// backs paints the boxes behind the rows of a sheet, outer ones first.
func (b *builder) backs(c *layout.Canvas, boxes []box) {
	if !b.theme.paper {
		c.Fill(writer.Rect{Right: sheetWidth, Top: sheetHeight}, b.theme.background)
	}
	slices.SortStableFunc(boxes, func(x, y box) int { return x.frame.depth() - y.frame.depth() })
	for _, one := range boxes {
		f := one.frame
		r := writer.Rect{Left: f.left, Bottom: one.bottom, Right: f.left + f.width, Top: one.top}
		if f.back != nil {
			c.Fill(r, *f.back)
		}
		if f.border != nil {
			c.Outline(r, *f.border)
		}
		if f.bar != nil {
			const bar = 2.5
			if f.mirrored {
				r.Left = r.Right - bar
			} else {
				r.Right = r.Left + bar
			}
			c.Fill(r, *f.bar)
		}
	}
}

// furniture paints the running head and the page number.
func (b *builder) furniture(s *sheet, number int, front bool) {
	style := &layout.Style{Size: 8, Color: b.theme.muted}
	if front {
		if number > 1 {
			b.artifact(s, roman(number), style, middle, foot)
		}
		return
	}
	s.canvas.Form("Head")
	b.artifact(s, s.title, style, sheetWidth-marginRight, headLine)
	b.artifact(s, strconv.Itoa(number), style, middle, foot)
}

// artifact paints a line, not part of the text, that ends at right.
func (b *builder) artifact(s *sheet, text string, style *layout.Style, right, y float64) {
	if l := b.running(text, style); l != nil {
		l.Paint(s.canvas, s.page, nil, b.side(right-l.Width, l.Width), y)
	}
}

// running returns a line of at most half the sheet's width. Longer text is truncated.
func (b *builder) running(text string, style *layout.Style) *layout.Line {
	const room, ellipsis = sheetWidth/2 - marginLeft - 6, "…"
	toLeft := direction.Title(text, b.toLeft())
	lines := b.typesetter.Lines([]layout.Span{{Text: text, Style: style}}, room, toLeft)
	if len(lines) > 1 {
		beginning := strings.TrimRight(lines[0].Text(), " ,;:–—-")
		lines = b.typesetter.Lines([]layout.Span{{Text: beginning + ellipsis, Style: style}}, room+style.Size, toLeft)
	}
	if len(lines) == 0 {
		return nil
	}
	return &lines[0]
}

// toLeft reports whether running heads and numbers run from right to left: the book's
// language does, and generated texts exist in it.
func (b *builder) toLeft() bool {
	return direction.Title(words.In(b.book.Language).Of, direction.RightToLeft(b.book.Language))
}

// side mirrors the start of a line in a right-to-left book.
func (b *builder) side(left, width float64) float64 {
	if b.toLeft() {
		return sheetWidth - left - width
	}
	return left
}

// Positions of running heads, of the end of a sheet number, and of the start of the total,
// whose width is not yet known.
const (
	headLine = sheetHeight - 46
	middle   = sheetWidth/2 - 6
	foot     = 40.0
)

// writeHead writes the form shared by all sheets except those at the front: the book's title,
// the line below, and the total number of sheets, which is known last.
func (b *builder) writeHead() {
	style := &layout.Style{Size: 8, Color: b.theme.muted}
	var c layout.Canvas
	c.Fill(writer.Rect{Left: marginLeft, Bottom: sheetHeight - 53.5, Right: sheetWidth - marginRight, Top: sheetHeight - 53}, b.theme.border)
	if l := b.running(b.book.Title, style); l != nil {
		l.PaintPlain(&c, b.side(marginLeft, l.Width), headLine)
	}
	const space = 2.2
	if l := b.running(words.In(b.book.Language).Of+" "+strconv.Itoa(b.report.Sheets), style); l != nil {
		l.PaintPlain(&c, b.side(middle+space, l.Width), foot)
	}
	box := writer.Rect{Right: sheetWidth, Top: sheetHeight}
	b.file.Stream(b.head, "/Type/XObject/Subtype/Form/BBox"+box.String()+"/Resources "+b.file.Resources().String(), c.Plain())
}

func roman(n int) string {
	out := ""
	for _, digit := range []struct {
		value int
		text  string
	}{{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= digit.value {
			out, n = out+digit.text, n-digit.value
		}
	}
	return out
}
