package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Walk calls visit for each node in reading order, footnotes last. If visit returns false,
// Walk skips the children.
func (d *Document) Walk(visit func(n Node) bool) {
	walkBlocks(d.Blocks, visit)
	for _, note := range d.Footnotes {
		if visit(note) {
			walkBlocks(note.Blocks, visit)
		}
	}
}

func walkBlocks(blocks []Block, visit func(n Node) bool) {
	for _, b := range blocks {
		if !visit(b) {
			continue
		}
		switch b := b.(type) {
		case *Paragraph:
			walkInlines(b.Inlines, visit)
		case *Heading:
			walkInlines(b.Inlines, visit)
		case *Quote:
			walkBlocks(b.Blocks, visit)
		case *Element:
			walkBlocks(b.Blocks, visit)
		case *Component:
			walkInlines(b.Title, visit)
			walkBlocks(b.Blocks, visit)
		case *List:
			for _, item := range b.Items {
				if visit(item) {
					walkBlocks(item.Blocks, visit)
				}
			}
		case *Table:
			walkTable(b, visit)
		case *DefinitionList:
			walkDefinitions(b, visit)
		}
	}
}

func walkInlines(inlines []Inline, visit func(n Node) bool) {
	for _, n := range inlines {
		if visit(n) {
			walkInlines(Children(n), visit)
		}
	}
}

func walkTable(t *Table, visit func(n Node) bool) {
	for _, row := range append([]*Row{t.Head}, t.Rows...) {
		if !visit(row) {
			continue
		}
		for _, cell := range row.Cells {
			if visit(cell) {
				walkInlines(cell.Inlines, visit)
			}
		}
	}
}

func walkDefinitions(l *DefinitionList, visit func(n Node) bool) {
	for _, item := range l.Items {
		for _, term := range item.Terms {
			if visit(term) {
				walkInlines(term.Inlines, visit)
			}
		}
		for _, description := range item.Descriptions {
			if visit(description) {
				walkBlocks(description.Blocks, visit)
			}
		}
	}
}

// Beginning returns the text of blocks without markup, code included, one line per block. It
// ends after about most bytes.
func Beginning(blocks []Block, most int) string {
	var text strings.Builder
	walkBlocks(blocks, func(n Node) bool {
		if text.Len() >= most {
			return false
		}
		line, inside := Line(n)
		if line != "" && text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(line)
		return inside
	})
	return text.String()[:min(text.Len(), most)]
}

// Line returns the text of a node without that of the blocks in it, if it has text, and whether
// there may be more inside.
func Line(n Node) (line string, inside bool) {
	switch n := n.(type) {
	case *Quote:
		return "", !n.Embedded
	case *Footnote:
		return "", !n.Embedded
	case *Heading:
		return n.Text, false
	case *Code:
		return strings.TrimSuffix(n.Text, "\n"), false
	case *Component:
		title, more := inline.OneLine(PlainText(n.Title)), inline.OneLine(n.Attributes.String("description"))
		return strings.Trim(title+"\n"+more, "\n"), true
	case *Paragraph:
		return inline.OneLine(PlainText(n.Inlines)), false
	case *Row:
		var cells []string
		for _, cell := range n.Cells {
			cells = append(cells, inline.OneLine(PlainText(cell.Inlines)))
		}
		return strings.Join(cells, " · "), false
	case *Term:
		return inline.OneLine(PlainText(n.Inlines)), false
	}
	return "", true
}

// Entry is an entry in a table of contents.
type Entry struct {
	*Heading
	Entries []Entry
}

// Contents returns the table of contents for heading levels first to last, and for sections of
// level 1 below another heading. Each entry is nested in the previous one with a lower level number.
func (d *Document) Contents(first, last int) []Entry {
	var chosen []*Heading
	for i, h := range d.headings {
		section := h.Level == 1 && i > 0
		if (first <= h.Level || section) && h.Level <= last && h.Text != "" {
			chosen = append(chosen, h)
		}
	}
	entries, _ := contents(chosen, 0)
	return entries
}

// contents returns the entries for headings with levels greater than above, and the
// remaining headings.
func contents(headings []*Heading, above int) (entries []Entry, rest []*Heading) {
	for len(headings) > 0 && headings[0].Level > above {
		entry := Entry{Heading: headings[0]}
		entry.Entries, headings = contents(headings[1:], entry.Level)
		entries = append(entries, entry)
	}
	return entries, headings
}
