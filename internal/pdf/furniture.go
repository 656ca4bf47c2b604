package pdf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// backs paints what lies behind the rows of a sheet, outer boxes first.
func (b *builder) backs(c *layout.Canvas, boxes []box) {
	c.BeginArtifact()
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
	c.End()
}

// furniture paints the running head and the page number.
func (b *builder) furniture(s *sheet, number int, front bool) {
	style := &layout.Style{Size: 8, Color: b.theme.muted}
	right := sheetWidth - marginRight
	if front {
		if number > 1 {
			b.artifact(s, roman(number), style, middle, foot, true)
		}
		return
	}
	b.artifact(s, b.book.Title, style, marginLeft, sheetHeight-46, false)
	b.artifact(s, s.title, style, right, sheetHeight-46, true)
	s.canvas.BeginArtifact()
	s.canvas.Fill(writer.Rect{Left: marginLeft, Bottom: sheetHeight - 53.5, Right: right, Top: sheetHeight - 53}, b.theme.border)
	s.canvas.Form("Total", middle, foot)
	s.canvas.End()
	b.artifact(s, strconv.Itoa(number), style, middle, foot, true)
}

// artifact paints a line that is no part of the text, at most half a sheet wide.
// Of a longer text the beginning stands there, and says so.
func (b *builder) artifact(s *sheet, text string, style *layout.Style, x, y float64, right bool) {
	const room, ellipsis = sheetWidth/2 - marginLeft - 6, "…"
	lines := b.typesetter.Lines([]layout.Span{{Text: text, Style: style}}, room)
	if len(lines) > 1 {
		beginning := strings.TrimRight(lines[0].Text(), " ,;:–—-")
		lines = b.typesetter.Lines([]layout.Span{{Text: beginning + ellipsis, Style: style}}, room+style.Size)
	}
	if len(lines) == 0 {
		return
	}
	if right {
		x -= lines[0].Width
	}
	lines[0].Paint(s.canvas, s.page, nil, x, y)
}

// Where the number of a sheet ends and that of all sheets starts, whose width is
// not known yet.
const (
	middle = sheetWidth/2 - 6
	foot   = 40.0
)

// writeTotal writes the form behind each page number, which is known last.
func (b *builder) writeTotal() {
	style := &layout.Style{Size: 8, Color: b.theme.muted}
	var c layout.Canvas
	lines := b.typesetter.Lines([]layout.Span{{Text: words.In(b.book.Language).Of + " " + strconv.Itoa(b.report.Sheets), Style: style}}, sheetWidth)
	const space = 2.2
	for i := range lines {
		lines[i].PaintPlain(&c, space, 0)
	}
	b.file.Stream(b.total, "/Type/XObject/Subtype/Form/BBox[0 -4 99 12]/Resources "+b.file.Resources().String(), c.Bytes())
}

// roman returns a number in small Roman digits.
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
