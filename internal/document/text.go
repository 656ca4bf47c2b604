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
	for i := -1; i < len(t.Rows); i++ {
		row := t.Head
		if i >= 0 {
			row = t.Rows[i]
		}
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

// Section is the text between two headings. The first one may have no heading.
type Section struct {
	Heading *Heading
	Text    string // one line per block
	Code    string // the code blocks
}

// Sections returns the plain text for search.
func (d *Document) Sections() []Section {
	w := textWriter{sections: []Section{{}}}
	d.Walk(w.visit)
	w.finish()
	if w.sections[0] == (Section{}) {
		return w.sections[1:]
	}
	return w.sections
}

// Beginning returns the text of blocks without markup, code included, one line per block. It
// ends after about most bytes.
func Beginning(blocks []Block, most int) string {
	w := textWriter{sections: []Section{{}}, together: true, most: most}
	walkBlocks(blocks, w.visit)
	w.finish()
	text := w.sections[0].Text
	return text[:min(len(text), most)]
}

// textWriter collects text during a walk.
type textWriter struct {
	sections   []Section
	together   bool // headings and code are included in the text
	most       int  // limit of the text in bytes
	text, code strings.Builder
}

func (w *textWriter) visit(n Node) bool {
	if w.together && w.text.Len() >= w.most {
		return false
	}
	switch n := n.(type) {
	case *Quote:
		return !n.Embedded
	case *Footnote:
		return !n.Embedded
	case *Heading:
		if w.together {
			w.line(n.Text)
			return false
		}
		w.finish()
		w.sections = append(w.sections, Section{Heading: n})
		return false
	case *Code:
		if w.together {
			w.line(strings.TrimSuffix(n.Text, "\n"))
			return false
		}
		if n.Title != "" {
			w.line(n.Title)
		}
		w.code.WriteString(n.Text)
		return false
	case *Component:
		if title := PlainText(n.Title); title != "" {
			w.line(inline.OneLine(title))
		}
		if description := n.Attributes.String("description"); description != "" {
			w.line(inline.OneLine(description))
		}
		walkBlocks(n.Blocks, w.visit)
		return false
	case *Paragraph:
		w.line(inline.OneLine(PlainText(n.Inlines)))
		return false
	case *Row:
		var cells []string
		for _, cell := range n.Cells {
			cells = append(cells, inline.OneLine(PlainText(cell.Inlines)))
		}
		w.line(strings.Join(cells, " · "))
		return false
	case *Term:
		w.line(inline.OneLine(PlainText(n.Inlines)))
		return false
	}
	return true
}

func (w *textWriter) line(s string) {
	if s == "" {
		return
	}
	if w.text.Len() > 0 {
		w.text.WriteByte('\n')
	}
	w.text.WriteString(s)
}

// finish completes the current section.
func (w *textWriter) finish() {
	last := &w.sections[len(w.sections)-1]
	last.Text, last.Code = w.text.String(), w.code.String()
	w.text.Reset()
	w.code.Reset()
}

// Entry is an entry in a table of contents.
type Entry struct {
	*Heading
	Entries []Entry
}

// Contents returns the table of contents for heading levels first to last. Each entry is
// nested in the previous one with a lower level number.
func (d *Document) Contents(first, last int) []Entry {
	var chosen []*Heading
	for _, h := range d.headings {
		if first <= h.Level && h.Level <= last && h.Text != "" {
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
