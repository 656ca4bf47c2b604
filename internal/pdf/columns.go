package pdf

import (
	"math"
	"slices"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
)

// A table whose longest words have no room side by side has smaller type and
// narrower gaps, down to an amount that is still read; one of many columns, where
// words would be divided all over it, smaller than others.
const (
	shrinkStep = 0.06
	smallTable = 0.82
	smallWide  = 0.64
	manyColumn = 8
	beyond     = 36.0 // by which a wide one reaches into the margins
)

// tableGrid is what the rows of a table have in common.
type tableGrid struct {
	widths []float64
	style  *layout.Style
	scale  float64 // of type and gaps
}

func (g *tableGrid) pad() float64    { return padOf(g.scale) }
func (g *tableGrid) padY() float64   { return cellPadY * g.scale }
func (g *tableGrid) height() float64 { return tableHeight * g.scale }

// padOf returns the space beside the text of a cell, which shrinks more than the
// text does.
func padOf(scale float64) float64 { return cellPad * scale * scale }

// bold returns the grid with strong type.
func (g *tableGrid) bold() *tableGrid { return &tableGrid{g.widths, strong(g.style), g.scale} }

// measure returns how wide the widest word of inlines is, and all of them on one
// line.
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

// grid finds how a table is set into that width.
func (b *builder) grid(t *document.Table, room float64, around *layout.Style) *tableGrid {
	style := with(around, func(s *layout.Style) { s.Size = tableSize })
	count := len(t.Align)
	words, most := make([]float64, count), make([]float64, count)
	var rows [][]float64 // how wide the cells would be on one line
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

// scaleFor returns by how much the type of a table is smaller than that of
// others: where its longest words have no room else, and have it then.
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

// leastOf returns the least width of a column with a word of that width.
func leastOf(word, room, scale float64) float64 {
	return max(min(word, room*widestWord), narrowest*scale) + 2*padOf(scale)
}

// columns divides the width of a table by what its columns hold: all of it when
// there is room, else their longest words and the rest so that its rows take few
// lines.
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
			if least[i] > widths[i] { // its words are divided in any case
				least[i] = max(widths[i]/2, narrowest*scale+2*pad)
			}
		}
		balance(widths, least, rows, pad)
	}
	return widths
}

// capped returns the width of the widest columns with which all together have
// that much room: those that need less keep what they need.
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

// The most columns that are balanced, and how often width is moved.
const (
	balanced  = 12
	mostMoves = 60
)

// balance moves width between columns as long as rows take fewer lines by it.
func balance(widths, least []float64, rows [][]float64, pad float64) {
	now := lines(widths, rows, pad)
	for range mostMoves {
		from, to, by, best := -1, -1, 0.0, now
		for _, step := range [...]float64{6, 18, 48} { // a small one alone may save nothing
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

// lines estimates how many lines rows take in columns of these widths, from how
// wide their cells would be on one line.
func lines(widths []float64, rows [][]float64, pad float64) (sum float64) {
	for _, row := range rows {
		most := 1.0
		for i, all := range row {
			// Lines are not filled to their ends.
			most = max(most, math.Ceil(1.06*all/max(widths[i]-2*pad, 1)-0.06))
		}
		sum += most
	}
	return sum
}
