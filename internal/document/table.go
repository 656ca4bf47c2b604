package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// startTable makes the last line of the open paragraph a table header if the current line is
// a delimiter row with as many cells.
func (d *divider) startTable(paragraph *block, ahead string) bool {
	align := inline.Delimiters[Alignment](strings.TrimRight(ahead, " \t"))
	if align == nil {
		return false
	}
	head := d.segments[paragraph.to-1]
	if inline.CountCells(d.row(head)) != len(align) {
		return false
	}
	paragraph.to--
	d.closeTo(len(d.open) - 2)
	table := d.push(block{kind: tableBlock, own: align, pos: head.start})
	table.from--
	return true
}

// row returns the trimmed text of a row.
func (p *parser) row(s segment) string { return strings.Trim(p.source[s.start:s.end], " \t\n") }

// table makes the table. Extra cells are dropped and missing ones not added, so a table is
// never larger than its source.
func (p *parser) table(b *block) *Table {
	t := &Table{at: atPos(b.pos), Align: b.own.([]Alignment)}
	for i := b.from; i < b.to; i++ {
		row := p.cells(p.segments[i], len(t.Align))
		if i == b.from {
			t.Head = row
		} else {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (p *parser) cells(s segment, columns int) *Row {
	start := s.start + inline.Blanks(p.source[s.start:s.end])
	line := p.row(s)
	cells := make([]Cell, min(columns, inline.CountCells(line)))
	row := &Row{at: at{Pos(start)}, Cells: make([]*Cell, 0, len(cells))}
	if strings.HasPrefix(line, "|") {
		line, start = line[1:], start+1
	}
	for len(row.Cells) < columns && line != "" {
		cell, width, escaped := inline.CutCell(line)
		lead := inline.Blanks(cell)
		content := strings.Trim(cell, " \t")
		from := start + lead
		start, line = start+width, line[width:]
		source := plainSource(content, Pos(from))
		if escaped {
			source = withPipes(source)
		}
		c := &cells[len(row.Cells)]
		c.pos, c.Inlines = Pos(from), p.inline(source)
		row.Cells = append(row.Cells, c)
	}
	return row
}

// withPipes removes the backslashes before pipes in a cell.
func withPipes(cell inlineSource) inlineSource {
	parts := strings.Split(cell.text, `\|`)
	at, length := cell.pos, 0
	for _, part := range parts[:len(parts)-1] {
		at, length = at+Pos(len(part)+1), length+len(part)
		cell.lines = append(cell.lines, joint{length, at})
		at, length = at+1, length+1
	}
	cell.text = strings.Join(parts, "|")
	return cell
}
