package pdf

import (
	"math"
	"slices"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
)

// If the longest words of a table do not fit, its type and gaps shrink to a legible minimum;
// to a smaller one for many columns, where otherwise most words would be divided.
const (
	shrinkStep = 0.06
	smallTable = 0.82
	smallWide  = 0.64
	manyColumn = 8
	beyond     = 36.0 // how far a wide table extends into the margins
)

// tableGrid is the layout shared by the rows of a table.
type tableGrid struct {
	widths []float64
	style  *layout.Style
	scale  float64 // of type and gaps
}

func (g *tableGrid) pad() float64    { return padOf(g.scale) }
func (g *tableGrid) padY() float64   { return cellPadY * g.scale }
func (g *tableGrid) height() float64 { return tableHeight * g.scale }

// padOf returns the padding of a cell, which shrinks faster than the text.
func padOf(scale float64) float64 { return cellPad * scale * scale }

// bold returns the grid for bold text.
func (g *tableGrid) bold() *tableGrid { return &tableGrid{g.widths, strong(g.style), g.scale} }

// measure returns the width of the widest word in inlines, and of all of them on one line.
func (b *builder) measure(nodes []document.Inline, style *layout.Style, room float64) (word, all float64) {
	for _, n := range nodes {
		w, a := 0.0, 0.0
		inside := document.Children(n)
		image, isImage := n.(*document.Image)
		if isImage {
			if pic, _ := b.load(image); pic != nil {
				w, _ = inlineSize(pic, image, style.Size, room*widestWord)
			} else {
				w, _ = b.typesetter.Measure(image.Alt, style, wholeWord)
			}
			a = w
		} else if len(inside) > 0 {
			w, a = b.measure(inside, style, room)
		} else {
			s := style
			if _, code := n.(*document.CodeSpan); code {
				s = b.theme.mono(style)
			}
			w, a = b.typesetter.Measure(document.PlainText([]document.Inline{n}), s, wholeWord)
		}
		word, all = max(word, w), all+a
	}
	return word, all
}

// grid computes the layout of a table in an available width.
func (b *builder) grid(t *document.Table, room float64, around *layout.Style) *tableGrid {
	style := with(around, func(s *layout.Style) { s.Size = tableSize })
	count := len(t.Align)
	words, most := make([]float64, count), make([]float64, count)
	var rows [][]float64 // width of each cell on one line
	measure := func(r *document.Row, style *layout.Style) {
		row := make([]float64, count)
		for i, c := range r.Cells {
			word, all := b.measure(c.Inlines, style, room)
			words[i], most[i], row[i] = max(words[i], word), max(most[i], all), all
		}
		rows = append(rows, row)
	}
	measure(t.Head, strong(style))
	for _, r := range t.Rows[:min(len(t.Rows), measured)] {
		measure(r, style)
	}
	g := &tableGrid{style: style, scale: scaleFor(words, room)}
	if g.scale < 1 {
		style.Size *= g.scale
		for _, row := range append(rows, most, words) {
			for i := range row {
				row[i] *= g.scale
			}
		}
	}
	g.widths = columns(words, most, rows, room, g.scale)
	return g
}

// scaleFor returns the scale of type at which the longest words fit, at most 1.
func scaleFor(words []float64, room float64) float64 {
	needed := func(scale float64) (sum float64) {
		for _, word := range words {
			sum += leastOf(word*scale, room, scale)
		}
		return sum
	}
	smallest := smallTable
	if len(words) > manyColumn {
		smallest = smallWide
	}
	for scale := 1.0; scale >= smallest; scale -= shrinkStep {
		if needed(scale) <= room {
			return scale
		}
	}
	if len(words) > manyColumn {
		return smallest // so that fewer words are divided
	}
	return 1
}

// leastOf returns the minimal width of a column with a word of a width.
func leastOf(word, room, scale float64) float64 {
	return max(min(word, room*widestWord), narrowest*scale) + 2*padOf(scale)
}

// columns divides the width of a table among its columns. If their content does not fit,
// they get at least their longest words, and the rest minimises the lines of the rows.
func columns(words, most []float64, rows [][]float64, room, scale float64) []float64 {
	count := len(words)
	least := make([]float64, count)
	pad := padOf(scale)
	sumLeast, sumMost := 0.0, 0.0
	for i := range count {
		least[i] = leastOf(words[i], room, scale)
		most[i] = max(most[i]+2*pad+1, least[i])
		sumLeast, sumMost = sumLeast+least[i], sumMost+most[i]
	}
	widths, widest := make([]float64, count), room
	if sumLeast >= room {
		widest = capped(least, room)
	}
	for i := range count {
		switch {
		case sumMost <= room:
			widths[i] = most[i] + (room-sumMost)*most[i]/sumMost
		case sumLeast >= room:
			widths[i] = min(least[i], widest)
		default:
			widths[i] = least[i] + (room-sumLeast)*(most[i]-least[i])/(sumMost-sumLeast)
		}
	}
	if sumMost > room && count <= balanced {
		for i := range least {
			if least[i] > widths[i] { // its words are divided anyway
				least[i] = max(widths[i]/2, narrowest*scale+2*pad)
			}
		}
		balance(widths, least, rows, pad)
	}
	return widths
}

// capped returns the maximal column width at which all columns fit; narrower columns keep
// their width.
func capped(least []float64, room float64) float64 {
	sorted := slices.Sorted(slices.Values(least))
	for i, width := range sorted {
		share := room / float64(len(sorted)-i)
		if width > share {
			return share
		}
		room -= width
	}
	return sorted[len(sorted)-1]
}

// Limits of balancing: columns, and moves of width.
const (
	balanced  = 12
	mostMoves = 60
)

// balance moves width between columns while that reduces the lines of the rows.
func balance(widths, least []float64, rows [][]float64, pad float64) {
	now := lines(widths, rows, pad)
	for range mostMoves {
		from, to, by, best := -1, -1, 0.0, now
		for _, step := range [...]float64{6, 18, 48} { // a small one alone may change nothing
			for i := range widths {
				for j := range widths {
					if i == j || widths[i]-step < least[i] {
						continue
					}
					widths[i], widths[j] = widths[i]-step, widths[j]+step
					if n := lines(widths, rows, pad); n < best {
						from, to, by, best = i, j, step, n
					}
					widths[i], widths[j] = widths[i]+step, widths[j]-step
				}
			}
		}
		if from < 0 {
			return
		}
		widths[from], widths[to], now = widths[from]-by, widths[to]+by, best
	}
}

// lines estimates the number of lines of rows from the widths of the cells on one line.
func lines(widths []float64, rows [][]float64, pad float64) (sum float64) {
	for _, row := range rows {
		most := 1.0
		for i, all := range row {
			// Lines are not filled completely.
			most = max(most, math.Ceil(1.06*all/max(widths[i]-2*pad, 1)-0.06))
		}
		sum += most
	}
	return sum
}
