package markdown

import (
	"bytes"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// startTable makes the last line of the open paragraph the head of a table
// when the current line is a delimiter row with as many cells.
func (p *blockParser) startTable(paragraph *block, delimiters []byte) bool {
	columns := delimiterCells(delimiters)
	if columns == 0 {
		return false
	}
	lines := bytes.TrimSuffix(paragraph.text, []byte("\n"))
	head := lines[bytes.LastIndexByte(lines, '\n')+1:]
	if countCells(head) != columns {
		return false
	}
	paragraph.text = lines[:len(lines)-len(head)]
	p.closeTo(len(p.open) - 2)
	table := p.push(block{kind: tableBlock, length: columns})
	p.addCells(table, head)
	return true
}

// addRow adds the rest of the line to a table.
func (p *blockParser) addRow(table *block) {
	// The arena gives the row a place that lasts and may be written to.
	start := len(p.arena)
	p.arena = append(p.arena, p.ahead()...)
	p.addCells(table, p.arena[start:])
}

// addCells adds a row. Cells past the head's are dropped and missing ones are
// not made up, so that a table is never larger than its source.
func (p *blockParser) addCells(table *block, line []byte) {
	row := p.make(block{kind: rowBlock})
	table.add(row)
	line = bytes.TrimPrefix(bytes.Trim(line, " \t"), []byte("|"))
	for n := 0; n < table.length && len(line) > 0; n++ {
		var text []byte
		text, line = cutCell(line)
		row.add(p.make(block{kind: cellBlock, text: text}))
	}
}

// cutCell divides a row after its first cell. An escaped pipe belongs to its
// cell and loses its backslash, in code as well, for which the line is
// overwritten.
func cutCell(line []byte) (cell, rest []byte) {
	to := 0
	i := 0
	for ; i < len(line) && line[i] != '|'; i++ {
		if line[i] == '\\' && i+1 < len(line) {
			if line[i+1] != '|' {
				line[to] = line[i]
				to++
			}
			i++
		}
		line[to] = line[i]
		to++
	}
	return bytes.Trim(line[:to], " \t"), line[min(i+1, len(line)):]
}

// countCells returns how many cells a row has.
func countCells(line []byte) int {
	line = bytes.TrimPrefix(bytes.Trim(line, " \t"), []byte("|"))
	cells, last := 0, 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if line[i] == '|' {
			cells++
			last = i + 1
		}
	}
	if last < len(line) {
		cells++
	}
	return cells
}

// delimiterCells returns the number of columns that a delimiter row declares,
// or 0 when the line is none. A line of hyphens alone underlines a heading.
func delimiterCells(line []byte) int {
	line = bytes.Trim(line, " \t")
	if bytes.IndexByte(line, '|') < 0 && bytes.IndexByte(line, ':') < 0 {
		return 0
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	columns := 0
	for len(line) > 0 {
		cell, rest, more := bytes.Cut(line, []byte("|"))
		cell = bytes.Trim(cell, " \t")
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(cell) == 0 || inline.RunLength(cell, '-') != len(cell) || more && len(rest) == 0 {
			return 0
		}
		columns++
		line = rest
	}
	return columns
}
