package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// table is a table of which the cells are not divided yet. goldmark's own
// tables give every row as many cells as the head, which lets a short source
// fill the memory.
type table struct {
	align []Alignment
	lines []text.Segment // the head, then the rows
}

// tables makes a table of the end of a paragraph that has a line of delimiters.
type tables struct{ p *parser }

func (t tables) Transform(node *gmast.Paragraph, _ text.Reader, _ gmparser.Context) {
	segments := node.Lines()
	for i := 1; i < segments.Len(); i++ {
		align := delimiters(t.p.line(segments.At(i)))
		if align == nil || countCells(t.p.line(segments.At(i-1))) != len(align) {
			continue
		}
		own := &table{align: align, lines: append([]text.Segment{segments.At(i - 1)}, segments.Sliced(i+1, segments.Len())...)}
		block := &extra{own: own}
		block.SetPos(segments.At(i - 1).Start)
		parent := node.Parent()
		parent.InsertAfter(parent, node, block)
		segments.SetSliced(0, i-1)
		if i == 1 {
			parent.RemoveChild(parent, node)
		}
		return
	}
}

// line returns the text of a line, without white space around it.
func (p *parser) line(s text.Segment) string { return strings.Trim(p.source[s.Start:s.Stop], " \t\n") }

// delimiters returns the alignments that a line of delimiters gives, or nil
// when the line is none. One of hyphens alone underlines a heading.
func delimiters(line string) []Alignment {
	if line == "" || strings.IndexByte("|:-", line[0]) < 0 || strings.IndexByte(line, '|') < 0 && strings.IndexByte(line, ':') < 0 {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var align []Alignment
	for line != "" {
		cell, rest, more := strings.Cut(line, "|")
		cell = strings.Trim(cell, " \t")
		cell, left := strings.CutPrefix(cell, ":")
		cell, right := strings.CutSuffix(cell, ":")
		if cell == "" || inline.RunLength(cell, '-') != len(cell) || more && rest == "" {
			return nil
		}
		a := AlignNone
		switch {
		case left && right:
			a = AlignCenter
		case left:
			a = AlignLeft
		case right:
			a = AlignRight
		}
		align = append(align, a)
		line = rest
	}
	return align
}

// countCells returns how many cells a row has.
func countCells(line string) int {
	line = strings.TrimPrefix(line, "|")
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

// table makes the typed table. Cells past the head's are dropped and missing
// ones are not made up, so that a table is never larger than its source.
func (p *parser) table(b *extra, own *table) *Table {
	t := &Table{at: p.at(b), Align: own.align}
	for i, segment := range own.lines {
		row := p.row(segment, len(own.align))
		if i == 0 {
			t.Head = row
		} else {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (p *parser) row(segment text.Segment, columns int) *Row {
	start := segment.Start + inline.Blanks(p.source[segment.Start:segment.Stop])
	line := p.line(segment)
	row := &Row{at: at{Pos(start)}}
	if strings.HasPrefix(line, "|") {
		line, start = line[1:], start+1
	}
	for len(row.Cells) < columns && line != "" {
		cell, width, escaped := cutCell(line)
		lead := inline.Blanks(cell)
		content := strings.Trim(cell, " \t")
		from := start + lead
		start, line = start+width, line[width:]
		if escaped {
			content = strings.ReplaceAll(content, `\|`, "|")
		}
		row.Cells = append(row.Cells, &Cell{at: at{Pos(from)}, Inlines: p.inline(plainSource(content, Pos(from)))})
	}
	return row
}

// cutCell returns the first cell of a row and the width of it and the pipe
// behind. Escaped tells of pipes that belong to the cell, in code as well.
func cutCell(line string) (cell string, width int, escaped bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
			escaped = escaped || i < len(line) && line[i] == '|'
		case '|':
			return line[:i], i + 1, escaped
		}
	}
	return line, len(line), escaped
}
