package pdf

import (
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

const (
	cellPad     = 5.0
	cellPadY    = 3.2
	measured    = 100 // rows used to compute column widths
	tallRow     = 16  // maximal lines of a table row that stays on one sheet
	narrowest   = 24.0
	widestWord  = 0.5 // maximal share of the table for the widest word
	wholeWord   = 80  // words up to this width are not broken at hyphens for lack of space
	tableSize   = bodySize - 0.8
	tableHeight = tableSize * 1.42
)

// table sets a table. Its header is repeated on each sheet.
func (b *builder) table(at area, t *document.Table) {
	g := b.grid(t, at.width, at.style)
	if g.scale < smallTable && at.frame == nil && at.left == marginLeft && at.width >= sheetWidth-marginLeft-marginRight {
		at.left, at.width = at.left-beyond, at.width+2*beyond
		g = b.grid(t, at.width, at.style)
	}
	table := at.element.Child("Table", writer.Properties{})
	again := b.tableHead(at, table, t, g)
	body := table.Child("TBody", writer.Properties{})
	for n, r := range t.Rows {
		if b.ctx.Err() != nil {
			break
		}
		rows := b.tableRow(at, body, t, r, g, false)
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

// tableHead sets the header of a table and returns the row to repeat, nil if there is none, as
// is possible in HTML.
func (b *builder) tableHead(at area, table *writer.Element, t *document.Table, g *tableGrid) *row {
	if len(t.Head.Cells) == 0 {
		return nil
	}
	head := table.Child("THead", writer.Properties{})
	rows := b.tableRow(at, head, t, t.Head, g.bold(), true)
	again := b.repeated(at, t, g.bold())
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

// repeated returns the repeated header, an artifact.
func (b *builder) repeated(at area, t *document.Table, g *tableGrid) *row {
	cells, most := b.cells(at, nil, t, t.Head, g, true)
	height := float64(most)*g.height() + 2*g.padY()
	return &row{height: height, frame: at.frame, paint: func(s *sheet, top float64) {
		b.shade(s, at, top, height, true)
		for i := range most {
			for _, c := range cells {
				c.paint(s, top-g.padY()-float64(i)*g.height(), g.height(), i)
			}
		}
		b.ruleBelow(s, at, top-height)
	}}
}

type cell struct {
	lines       []layout.Line
	links       []*writer.Element
	element     *writer.Element // nil for an artifact
	align       document.Alignment
	mirrored    bool // the table runs from right to left
	left, width float64
}

// height returns the height of line i of the cells, at least least, and gives them one base line.
func height(cells []*cell, i int, least float64) float64 {
	lines := make([]layout.Line, 0, len(cells))
	for _, c := range cells {
		if i < len(c.lines) {
			lines = append(lines, c.lines[i])
		}
	}
	even(lines)
	for _, c := range cells {
		if i < len(c.lines) {
			c.lines[i], lines = lines[0], lines[1:]
			least = max(least, c.lines[i].Ascent+c.lines[i].Descent)
		}
	}
	return least
}

// paint paints line i of the cell.
func (c *cell) paint(s *sheet, top, height float64, i int) {
	if i < len(c.lines) {
		l := &c.lines[i]
		x := c.left
		switch {
		case c.align == document.AlignRight, c.align == document.AlignNone && (c.mirrored || l.RightToLeft):
			x += c.width - l.Width
		case c.align == document.AlignCenter:
			x += (c.width - l.Width) / 2
		}
		l.Paint(s.canvas, s.page, c.element, x, baseLine(top, height, l))
	}
}

func (c *cell) release() {
	for _, link := range c.links {
		link.Release()
	}
	if c.element != nil {
		c.element.Release()
	}
}

// cells sets the cells of a row and returns the maximal number of lines. Without an element
// they are artifacts.
func (b *builder) cells(at area, e *writer.Element, t *document.Table, r *document.Row, g *tableGrid, head bool) (cells []*cell, most int) {
	most = 1
	left := 0.0
	for i, width := range g.widths {
		c := &cell{align: t.Align[i], mirrored: at.mirrored, left: at.start(left+g.pad(), width-2*g.pad()), width: width - 2*g.pad()}
		left += width
		if i < len(r.Cells) {
			var spans []layout.Span
			if e == nil {
				spans = []layout.Span{{Text: document.PlainText(r.Cells[i].Inlines), Style: g.style}}
			} else {
				role, properties := "TD", writer.Properties{}
				if head {
					role, properties.Attributes = "TH", "<</O/Table/Scope/Column>>"
				}
				c.element = e.Child(role, properties)
				spans, c.links = b.spans(c.element, r.Cells[i].Inlines, g.style, c.width)
			}
			c.lines = b.typesetter.Lines(spans, c.width, at.mirrored && direction.Title(document.PlainText(r.Cells[i].Inlines), true))
			most = max(most, len(c.lines))
		}
		cells = append(cells, c)
	}
	return cells, most
}

// tableRow returns the rows of lines in a table row.
func (b *builder) tableRow(at area, part *writer.Element, t *document.Table, r *document.Row, g *tableGrid, head bool) []row {
	e := part.Child("TR", writer.Properties{})
	cells, most := b.cells(at, e, t, r, g, head)
	rows := make([]row, most)
	for i := range rows {
		line := height(cells, i, g.height())
		height, padTop := line, 0.0
		if i == 0 {
			height, padTop = height+g.padY(), g.padY()
		}
		last := i == most-1
		if last {
			height += g.padY()
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

// shade paints the background of a header.
func (b *builder) shade(s *sheet, at area, top, height float64, head bool) {
	if head {
		s.canvas.Fill(writer.Rect{Left: at.left, Bottom: top - height, Right: at.left + at.width, Top: top}, b.theme.codeBackground)
	}
}

func (b *builder) ruleBelow(s *sheet, at area, y float64) {
	s.canvas.Fill(writer.Rect{Left: at.left, Bottom: y, Right: at.left + at.width, Top: y + 0.6}, b.theme.border)
}
