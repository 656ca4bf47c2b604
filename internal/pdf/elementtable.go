package pdf

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
)

// mostColumns bounds the columns of a table that was written as HTML.
const mostColumns = 64

// elementTable makes a table of one that was written as HTML; nil when its cells
// hold more than lines of text, lists and code. Cells that reach over several
// columns or rows stand in the first, and the others are empty.
func elementTable(e *document.Element) *document.Table {
	g := grid{table: &document.Table{Head: &document.Row{}}}
	if !g.rows(e.Blocks, false) || g.columns == 0 {
		return nil
	}
	g.table.Align = make([]document.Alignment, g.columns)
	copy(g.table.Align, g.align)
	return g.table
}

// grid fills a table.
type grid struct {
	table   *document.Table
	align   []document.Alignment
	taken   []int // for how many rows yet a cell above reaches into each column
	columns int
}

// rows adds the rows among blocks, and reports whether all else is nothing that
// is shown.
func (g *grid) rows(blocks []document.Block, head bool) bool {
	for _, b := range blocks {
		e, ok := b.(*document.Element)
		switch {
		case !ok:
			return false
		case e.Name == "thead", e.Name == "tbody", e.Name == "tfoot":
			if !g.rows(e.Blocks, e.Name == "thead") {
				return false
			}
		case e.Name == "tr":
			if !g.row(e, head) {
				return false
			}
		case e.Name != "colgroup":
			return false
		}
	}
	return true
}

// row adds a row. The first one is the head if it is called so, or has nothing
// but titles.
func (g *grid) row(tr *document.Element, head bool) bool {
	row := &document.Row{}
	titles := true
	for _, b := range tr.Blocks {
		e, ok := b.(*document.Element)
		if !ok || e.Name != "td" && e.Name != "th" {
			return false
		}
		titles = titles && e.Name == "th"
	}
	first := len(g.table.Head.Cells) == 0 && len(g.table.Rows) == 0
	head = (head || titles) && first
	for _, b := range tr.Blocks {
		e, _ := b.(*document.Element) // as was seen above
		inlines, ok := cellText(e.Blocks, nil)
		if !ok {
			return false
		}
		if e.Name == "th" && !head && len(inlines) > 0 {
			inlines = []document.Inline{&document.Strong{Inlines: inlines}}
		}
		g.skip(row)
		if !head && len(g.table.Rows) == 0 {
			g.align = append(g.align, make([]document.Alignment, max(0, len(row.Cells)+1-len(g.align)))...)
			g.align[len(row.Cells)] = alignmentOf(e)
		}
		over, down := spanOf(e, "colspan"), spanOf(e, "rowspan")
		for i := range over {
			cell := &document.Cell{}
			if i == 0 {
				cell.Inlines = inlines
			}
			row.Cells = append(row.Cells, cell)
			g.taken = append(g.taken, make([]int, max(0, len(row.Cells)-len(g.taken)))...)
			g.taken[len(row.Cells)-1] = down - 1
		}
		if len(row.Cells) > mostColumns {
			return false
		}
	}
	g.skip(row)
	for i := len(row.Cells); i < len(g.taken); i++ {
		g.taken[i] = max(0, g.taken[i]-1)
	}
	g.columns = max(g.columns, len(row.Cells))
	if head {
		g.table.Head = row
	} else {
		g.table.Rows = append(g.table.Rows, row)
	}
	return true
}

// skip adds empty cells where one of a row above reaches down.
func (g *grid) skip(row *document.Row) {
	for len(row.Cells) < len(g.taken) && g.taken[len(row.Cells)] > 0 {
		g.taken[len(row.Cells)]--
		row.Cells = append(row.Cells, &document.Cell{})
	}
}

// spanOf returns over how many rows or columns a cell reaches.
func spanOf(e *document.Element, name string) int {
	n, err := strconv.Atoi(e.Attributes.String(name))
	if err != nil {
		return 1
	}
	return min(max(n, 1), mostColumns+1)
}

// alignmentOf returns to which side a cell is set.
func alignmentOf(e *document.Element) document.Alignment {
	switch strings.ToLower(e.Attributes.String("align")) {
	case "left":
		return document.AlignLeft
	case "center":
		return document.AlignCenter
	case "right":
		return document.AlignRight
	}
	return document.AlignNone
}

// cellText appends what blocks say as lines of one text; ok is false where they
// cannot be shown so.
func cellText(blocks []document.Block, to []document.Inline) (inlines []document.Inline, ok bool) {
	for _, b := range blocks {
		if len(to) > 0 {
			if _, plain := b.(*document.Element); !plain {
				to = append(to, &document.Break{Hard: true})
			}
		}
		switch b := b.(type) {
		case *document.Paragraph:
			to = append(to, b.Inlines...)
		case *document.Code:
			to = codeText(b.Text, to)
		case *document.List:
			if to, ok = listText(b, to); !ok {
				return nil, false
			}
		case *document.Element:
			switch b.Name {
			case "div", "p", "center", "section", "span", "pre":
			default:
				return nil, false
			}
			inside, ok := cellText(b.Blocks, nil)
			if !ok {
				return nil, false
			}
			if len(to) > 0 && len(inside) > 0 {
				to = append(to, &document.Break{Hard: true})
			}
			to = append(to, inside...)
		default:
			return nil, false
		}
	}
	return to, true
}

// codeText appends the lines of code, whose spaces are kept.
func codeText(code string, to []document.Inline) []document.Inline {
	for i, line := range strings.Split(strings.TrimRight(code, "\n"), "\n") {
		if i > 0 {
			to = append(to, &document.Break{Hard: true})
		}
		text := strings.TrimLeft(strings.ReplaceAll(line, "\t", "    "), " ")
		indent := len(strings.ReplaceAll(line, "\t", "    ")) - len(text)
		to = append(to, &document.CodeSpan{Text: strings.Repeat("\u00a0", indent) + strings.ReplaceAll(text, "  ", "\u00a0\u00a0")})
	}
	return to
}

// listText appends the items of a list, each on lines of its own.
func listText(l *document.List, to []document.Inline) (inlines []document.Inline, ok bool) {
	for i, item := range l.Items {
		if i > 0 {
			to = append(to, &document.Break{Hard: true})
		}
		mark := "• "
		if l.Ordered {
			mark = strconv.Itoa(l.Start+i) + ". "
		}
		inside, ok := cellText(item.Blocks, nil)
		if !ok {
			return nil, false
		}
		to = append(append(to, &document.Text{Text: mark}), inside...)
	}
	return to, true
}
