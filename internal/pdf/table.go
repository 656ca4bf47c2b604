package pdf

import (
	"math"
	"slices"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

const (
	cellPad     = 5.0
	cellPadY    = 3.2
	measured    = 100 // rows by which the widths of columns are found
	tallRow     = 16  // lines up to which a row of a table stays on one sheet
	narrowest   = 24.0
	widestWord  = 0.5 // share of the table that the widest word may claim
	wholeWord   = 80  // up to which a word is not divided at its hyphens for want of room
	tableSize   = bodySize - 0.8
	tableHeight = tableSize * 1.42
)

// table sets a table. Its head is shown again on each sheet.
func (b *builder) table(at place, t *document.Table) {
	style := with(at.style, func(s *layout.Style) { s.Size = tableSize })
	widths := b.columns(t, at.width, style)
	table := at.element.Child("Table", writer.Properties{})
	again := b.tableHead(at, table, t, widths, style)
	body := table.Child("TBody", writer.Properties{})
	for n, r := range t.Rows {
		if b.ctx.Err() != nil {
			break
		}
		rows := b.tableRow(at, body, t, r, widths, style, false)
		for i := range rows {
			if again == nil && n == 0 && i == 0 {
				rows[i].before = blockSpace
			}
			rows[i].head = again
			rows[i].keep = i+1 < len(rows) && (len(rows) <= tallRow || i == 0 || i+2 == len(rows)) ||
				i+1 == len(rows) && (n == 0 && len(t.Rows) > 1)
			b.add(at, rows[i])
		}
	}
	body.Release()
	table.Release()
	b.flow.space(blockSpace)
}

// tableHead sets the head of a table, and returns it as it is shown once more;
// nil when the table has none, as one of HTML may.
func (b *builder) tableHead(at place, table *writer.Element, t *document.Table, widths []float64, style *layout.Style) *row {
	if len(t.Head.Cells) == 0 {
		return nil
	}
	head := table.Child("THead", writer.Properties{})
	bold := with(style, func(s *layout.Style) { s.Font |= font.Bold })
	rows := b.tableRow(at, head, t, t.Head, widths, bold, true)
	again := b.repeated(at, t, widths, bold)
	for i := range rows {
		rows[i].keep = true
		if i == 0 {
			rows[i].before = blockSpace
		}
		b.add(at, rows[i])
	}
	head.Release()
	return again
}

// repeated returns the head of a table as it is shown once more, which is no
// part of the text.
func (b *builder) repeated(at place, t *document.Table, widths []float64, style *layout.Style) *row {
	cells, most := b.cells(at, nil, t, t.Head, widths, style, true)
	height := float64(most)*tableHeight + 2*cellPadY
	return &row{height: height, frame: at.frame, paint: func(s *sheet, top float64) {
		b.shade(s, at, top, height, true)
		for i := range most {
			for _, c := range cells {
				c.paint(s, top-cellPadY-float64(i)*tableHeight, tableHeight, i)
			}
		}
		b.ruleBelow(s, at, top-height)
	}}
}

// cell is a cell that is set.
type cell struct {
	lines       []layout.Line
	links       []*writer.Element
	element     *writer.Element // nil for an artifact
	align       document.Alignment
	left, width float64
}

// height returns the height that a line of the cells needs.
func height(cells []*cell, i int) float64 {
	h := tableHeight
	for _, c := range cells {
		if i < len(c.lines) {
			h = max(h, c.lines[i].Ascent+c.lines[i].Descent)
		}
	}
	return h
}

// paint paints a line of the cell, which is that high.
func (c *cell) paint(s *sheet, top, height float64, i int) {
	if i < len(c.lines) {
		l := &c.lines[i]
		x := c.left
		switch {
		case c.align == document.AlignRight, c.align == document.AlignNone && l.RightToLeft:
			x += c.width - l.Width
		case c.align == document.AlignCenter:
			x += (c.width - l.Width) / 2
		}
		l.Paint(s.canvas, s.page, c.element, x, baseLine(top, height, l))
	}
}

// release gives up the elements of the cell.
func (c *cell) release() {
	for _, link := range c.links {
		link.Release()
	}
	if c.element != nil {
		c.element.Release()
	}
}

// cells sets the cells of a row, and tells how many lines the tallest has.
// Without an element for the row they are artifacts.
func (b *builder) cells(at place, e *writer.Element, t *document.Table, r *document.Row, widths []float64, style *layout.Style, head bool) (cells []*cell, most int) {
	most = 1
	left := 0.0
	for i, width := range widths {
		c := &cell{align: t.Align[i], left: at.start(left+cellPad, width-2*cellPad), width: width - 2*cellPad}
		left += width
		if i < len(r.Cells) {
			var spans []layout.Span
			if e == nil {
				spans = []layout.Span{{Text: document.PlainText(r.Cells[i].Inlines), Style: style}}
			} else {
				role, properties := "TD", writer.Properties{}
				if head {
					role, properties.Attributes = "TH", "<</O/Table/Scope/Column>>"
				}
				c.element = e.Child(role, properties)
				spans, c.links = b.spans(c.element, r.Cells[i].Inlines, style, c.width)
			}
			c.lines = b.typesetter.Lines(spans, c.width, at.mirrored)
			most = max(most, len(c.lines))
		}
		cells = append(cells, c)
	}
	return cells, most
}

// tableRow returns the rows of lines that a row of a table takes.
func (b *builder) tableRow(at place, part *writer.Element, t *document.Table, r *document.Row, widths []float64, style *layout.Style, head bool) []row {
	e := part.Child("TR", writer.Properties{})
	cells, most := b.cells(at, e, t, r, widths, style, head)
	rows := make([]row, most)
	for i := range rows {
		line := height(cells, i)
		height, padTop := line, 0.0
		if i == 0 {
			height, padTop = height+cellPadY, cellPadY
		}
		last := i == most-1
		if last {
			height += cellPadY
		}
		rows[i] = row{height: height, paint: func(s *sheet, top float64) {
			b.shade(s, at, top, height, head)
			for _, c := range cells {
				c.paint(s, top-padTop, line, i)
			}
			if last {
				b.ruleBelow(s, at, top-height)
				for _, c := range cells {
					c.release()
				}
				e.Release()
			}
		}}
	}
	return rows
}

// shade paints what is behind a head.
func (b *builder) shade(s *sheet, at place, top, height float64, head bool) {
	if head {
		s.canvas.Fill(writer.Rect{Left: at.left, Bottom: top - height, Right: at.left + at.width, Top: top}, b.theme.codeBackground)
	}
}

func (b *builder) ruleBelow(s *sheet, at place, y float64) {
	s.canvas.Fill(writer.Rect{Left: at.left, Bottom: y, Right: at.left + at.width, Top: y + 0.6}, b.theme.border)
}

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

// columns divides the width of a table by what its columns hold: all of it when
// there is room, else their longest words and the rest so that its rows take few
// lines.
func (b *builder) columns(t *document.Table, room float64, style *layout.Style) []float64 {
	count := len(t.Align)
	least, most := make([]float64, count), make([]float64, count)
	var rows [][]float64 // how wide the cells would be on one line
	measure := func(r *document.Row, style *layout.Style) {
		row := make([]float64, count)
		for i, c := range r.Cells {
			word, all := b.measure(c.Inlines, style, room)
			least[i], most[i], row[i] = max(least[i], word), max(most[i], all), all
		}
		rows = append(rows, row)
	}
	measure(t.Head, with(style, func(s *layout.Style) { s.Font |= font.Bold }))
	for _, r := range t.Rows[:min(len(t.Rows), measured)] {
		measure(r, style)
	}
	sumLeast, sumMost := 0.0, 0.0
	for i := range count {
		least[i] = max(min(least[i], room*widestWord), narrowest) + 2*cellPad
		most[i] = max(most[i]+2*cellPad+1, least[i])
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
				least[i] = max(widths[i]/2, narrowest+2*cellPad)
			}
		}
		balance(widths, least, rows)
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
func balance(widths, least []float64, rows [][]float64) {
	now := lines(widths, rows)
	for range mostMoves {
		from, to, by, best := -1, -1, 0.0, now
		for _, step := range [...]float64{6, 18, 48} { // a small one alone may save nothing
			for i := range widths {
				for j := range widths {
					if i == j || widths[i]-step < least[i] {
						continue
					}
					widths[i], widths[j] = widths[i]-step, widths[j]+step
					if n := lines(widths, rows); n < best {
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
func lines(widths []float64, rows [][]float64) (sum float64) {
	for _, row := range rows {
		most := 1.0
		for i, all := range row {
			// Lines are not filled to their ends.
			most = max(most, math.Ceil(1.06*all/max(widths[i]-2*cellPad, 1)-0.06))
		}
		sum += most
	}
	return sum
}
