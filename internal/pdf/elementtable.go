package pdf

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
)

// mostColumns limits the columns of an HTML table.
const mostColumns = 64

// elementTable converts an HTML table; it returns nil if cells contain more than text, lists and
// code. The content of a spanning cell is in its first cell; the others are empty.
func elementTable(e *document.Element) *document.Table {
	g := grid{table: &document.Table{Head: &document.Row{}}}
	if !g.rows(e.Blocks, false) || g.columns == 0 {
		return nil
	}
	g.table.Align = make([]document.Alignment, g.columns)
	copy(g.table.Align, g.align)
	return g.table
}

// grid collects the cells of a table.
type grid struct {
	table   *document.Table
	align   []document.Alignment
	taken   []int // per column: remaining rows of a cell that spans rows
	columns int
}

// rows adds the table rows among blocks. It reports whether there is no other visible content.
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
		case e.Name != "colgroup" && (e.Name != "caption" || head): // a caption is set above the table
			return false
		}
	}
	return true
}

// row adds a row. The first is the header if head is set, or it contains only header cells.
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
		e, _ := b.(*document.Element) // checked above
		inlines, ok := cellText(e.Blocks, nil, 0)
		if !ok {
			return false
		}
		if e.Name == "th" && !head && len(inlines) > 0 {
			inlines = []document.Inline{&document.Strong{Inlines: inlines}}
		}
		g.skip(row)
		if !head && len(g.table.Rows) == 0 {
			g.align = append(g.align, make([]document.Alignment, max(0, len(row.Cells)+1-len(g.align)))...)
			g.align[len(row.Cells)] = alignmentOf(e.Attributes)
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

// skip adds empty cells below spanning ones.
func (g *grid) skip(row *document.Row) {
	for len(row.Cells) < len(g.taken) && g.taken[len(row.Cells)] > 0 {
		g.taken[len(row.Cells)]--
		row.Cells = append(row.Cells, &document.Cell{})
	}
}

// spanOf returns the number of rows or columns of a cell.
func spanOf(e *document.Element, name string) int {
	return min(max(number(e.Attributes, name, 1), 1), mostColumns+1)
}

// alignmentOf returns the alignment set by HTML attributes.
func alignmentOf(attributes document.Attributes) document.Alignment {
	switch strings.ToLower(attributes.String("align")) {
	case "left":
		return document.AlignLeft
	case "center":
		return document.AlignCenter
	case "right":
		return document.AlignRight
	}
	return document.AlignNone
}

// cellText appends blocks as lines of text; depth is that of lists. ok is false if that is
// impossible.
func cellText(blocks []document.Block, to []document.Inline, depth int) (inlines []document.Inline, ok bool) {
	for _, b := range blocks {
		var inside []document.Inline
		switch b := b.(type) {
		case *document.Paragraph:
			inside = b.Inlines
		case *document.Heading:
			inside = []document.Inline{&document.Strong{Inlines: b.Inlines}}
		case *document.Code:
			inside = codeText(b.Text)
		case *document.Rule:
		case *document.Quote:
			if inside, ok = cellText(b.Blocks, nil, depth); !ok {
				return nil, false
			}
		case *document.List:
			for i, item := range b.Items {
				if inside, ok = itemText(item.Blocks, inside, b.Ordered, b.Start+i, depth); !ok {
					return nil, false
				}
			}
		case *document.Element:
			if inside, ok = elementText(b, depth); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
		if len(to) > 0 && len(inside) > 0 {
			to = append(to, &document.Break{Hard: true})
		}
		to = append(to, inside...)
	}
	return to, true
}

// elementText is cellText for an HTML element.
func elementText(e *document.Element, depth int) (inlines []document.Inline, ok bool) {
	switch e.Name {
	case "ul", "ol":
		next := number(e.Attributes, "start", 1)
		for _, block := range e.Blocks {
			item, is := block.(*document.Element)
			if !is || item.Name != "li" {
				return nil, false
			}
			next = number(item.Attributes, "value", next)
			if inlines, ok = itemText(item.Blocks, inlines, e.Name == "ol", next, depth); !ok {
				return nil, false
			}
			next++
		}
		return inlines, true
	case "pre":
		for _, block := range e.Blocks {
			p, is := block.(*document.Paragraph)
			if !is {
				return cellText(e.Blocks, nil, depth)
			}
			inlines = append(inlines, codeText(strings.TrimPrefix(document.PlainText(p.Inlines), "\n"))...)
		}
		return inlines, true
	case "h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary":
		if inlines, ok = cellText(e.Blocks, nil, depth); ok && len(inlines) > 0 {
			inlines = []document.Inline{&document.Strong{Inlines: inlines}}
		}
		return inlines, ok
	case "img":
		return []document.Inline{&document.Image{Src: e.Attributes.String("src"), Alt: e.Attributes.String("alt"), Attributes: e.Attributes}}, true
	case "a":
		if inlines, ok = cellText(e.Blocks, nil, depth); ok && len(inlines) > 0 && e.Attributes.String("href", "to") != "" {
			inlines = []document.Inline{&document.Link{Href: e.Attributes.String("href", "to"), Inlines: inlines}}
		}
		return inlines, ok
	case "hr":
		return nil, true
	case "div", "p", "center", "section", "span", "details", "dl", "dd", "blockquote", "figure", "figcaption", "code":
		return cellText(e.Blocks, nil, depth)
	}
	return nil, false
}

// codeText returns lines of code with their spaces.
func codeText(code string) (to []document.Inline) {
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

func number(attributes document.Attributes, name string, otherwise int) int {
	n, err := strconv.Atoi(attributes.String(name))
	if err != nil {
		return otherwise
	}
	return n
}

func itemMark(ordered bool, number, depth int) string {
	mark := strings.Repeat("\u00a0", 4*depth)
	if ordered {
		return mark + strconv.Itoa(number) + ". "
	}
	return mark + "• "
}

// itemText appends a list item on separate lines.
func itemText(blocks []document.Block, to []document.Inline, ordered bool, number, depth int) (inlines []document.Inline, ok bool) {
	inside, ok := cellText(blocks, nil, depth+1)
	if !ok {
		return nil, false
	}
	if len(to) > 0 {
		to = append(to, &document.Break{Hard: true})
	}
	return append(append(to, &document.Text{Text: itemMark(ordered, number, depth)}), inside...), true
}
