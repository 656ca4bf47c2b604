package document

import (
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo/internal/document/element"
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
	if n := inline.CountCells(d.row(head), d.strict()); n != len(align) && (n > len(align) || d.dialect == nil || !d.dialect.Ragged) {
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

func (p *parser) strict() bool { return p.dialect == nil || !p.dialect.Loose }

func (p *parser) cells(s segment, columns int) *Row {
	start := s.start + inline.Blanks(p.source[s.start:s.end])
	line := p.row(s)
	cells := make([]Cell, min(columns, inline.CountCells(line, p.strict())))
	row := &Row{at: at{Pos(start)}, Cells: make([]*Cell, 0, len(cells))}
	if strings.HasPrefix(line, "|") {
		line, start = line[1:], start+1
	}
	for len(row.Cells) < columns && line != "" {
		cell, width, escaped := inline.CutCell(line, p.strict())
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

// cardTable makes a card of each row of a table of GitBook. The heads of the columns tell
// which have the target and the picture of a card.
func (p *parser) cardTable(pos Pos, parts []Block) *Component {
	all := &Component{at: at{pos}, Kind: element.Cards, Name: "Cards"}
	var heads []*Element
	for _, part := range elementsIn(parts) {
		for _, row := range elementsIn(part.Blocks) {
			if part.Name == "thead" {
				heads = elementsIn(row.Blocks)
				continue
			}
			card := &Component{at: at{row.pos}, Kind: element.Card, Name: "Card"}
			all.Blocks = append(all.Blocks, card)
			for i, cell := range elementsIn(row.Blocks) {
				is := func(name string) bool { return i < len(heads) && heads[i].Attributes.Bool(name) }
				said, first := firstText(cell.Blocks), Inline(nil)
				if len(said) > 0 {
					first = said[0]
				}
				link, linked := first.(*Link)
				_, icon := first.(*Span)
				switch {
				case linked && is("data-card-target"):
					card.Attributes = Attributes{{Name: "href", Value: link.Href}}
				case linked && is("data-card-cover"):
					p.show(link.Href, link.pos)
					card.Blocks = append([]Block{&Paragraph{at{link.pos}, false, []Inline{&Image{at{link.pos}, link.Href, "", "", nil}}}}, card.Blocks...)
				case linked && is("data-card-cover-dark"):
					p.show(link.Href, link.pos) // which an import keeps
				case is("data-hidden"), icon && len(cell.Blocks) == 1 && strings.TrimSpace(PlainText(said)) == "": // an icon is not shown
				case card.Title == nil && strings.ContainsFunc(PlainText(said), unicode.IsLetter):
					card.Title = said
					card.Blocks = append(card.Blocks, cell.Blocks[1:]...)
				default:
					for _, b := range cell.Blocks {
						if line, ok := b.(*Paragraph); ok {
							line.Tight = false // it would run together with the next cell
						}
						card.Blocks = append(card.Blocks, b)
					}
				}
			}
		}
	}
	return all
}

func elementsIn(blocks []Block) (list []*Element) {
	for _, b := range blocks {
		if e, ok := b.(*Element); ok {
			list = append(list, e)
		}
	}
	return list
}

// firstText returns the text of the first block if that is a paragraph, a heading or the like.
func firstText(blocks []Block) []Inline {
	if len(blocks) == 0 {
		return nil
	}
	e, ok := blocks[0].(*Element)
	if ok && strings.Contains(" h1 h2 h3 h4 h5 h6 p div ", " "+e.Name+" ") && len(e.Blocks) == 1 {
		blocks = e.Blocks
	}
	said, ok := blocks[0].(*Paragraph)
	if !ok {
		return nil
	}
	return said.Inlines
}
