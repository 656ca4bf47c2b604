package pdf

import (
	"strconv"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// label is the marker of a list item, painted beside its first row.
type label struct {
	line    layout.Line
	element *writer.Element
	left    float64
	height  float64 // of a row with only the label
	base    float64 // distance of its base line from the top
}

// paint paints the label at the base line of the text.
func (m *label) paint(s *sheet, base float64) {
	m.line.Paint(s.canvas, s.page, m.element, m.left, base)
	m.element.Release()
}

// mark adds a label to the next row, left of at in a column of a width.
func (b *builder) mark(at area, item *writer.Element, text string, style *layout.Style, column float64) {
	b.unmark(at)
	if at.mirrored {
		text = "\u200f" + text // keeps the point on the correct side
	}
	lines := b.typesetter.Lines([]layout.Span{{Text: text, Style: style}}, column*2, false)
	if len(lines) == 0 {
		return
	}
	const gap = 5.5
	l := lines[0]
	height := max(style.Size*1.5, l.Ascent+l.Descent)
	b.label = &label{
		line: l, element: item.Child("Lbl", writer.Properties{}),
		left: at.start(column-gap-l.Width, l.Width), height: height, base: -baseLine(0, height, &l),
	}
}

// unmark sets a label that got no row.
func (b *builder) unmark(at area) {
	if b.label != nil {
		b.add(at, row{height: b.label.height, after: tightSpace, paint: func(*sheet, float64) {}})
	}
}

func (b *builder) list(at area, l *document.List) {
	numbering := "/Disc"
	if l.Ordered {
		numbering = "/Decimal"
	}
	list := at.element.Child("L", writer.Properties{Attributes: "<</O/List/ListNumbering" + numbering + ">>"})
	column := float64(indent)
	if l.Ordered {
		column = max(column, 10+5.8*float64(len(strconv.Itoa(l.Start+len(l.Items)))))
	}
	for i, item := range l.Items {
		text := "•"
		switch {
		case item.Task == document.TaskDone:
			text = "☑"
		case item.Task == document.TaskOpen:
			text = "☐"
		case l.Ordered:
			text = strconv.Itoa(l.Start+i) + "."
		}
		b.item(at, list, text, at.style, column, func(in area) { b.blocks(in, item.Blocks) })
	}
	list.Release()
	b.flow.space(paragraphSpace)
}

// item calls set for the content of an item, with a label in a column.
func (b *builder) item(at area, list *writer.Element, text string, style *layout.Style, column float64, set func(in area)) {
	item := list.Child("LI", writer.Properties{})
	b.mark(at, item, text, style, column)
	body := item.Child("LBody", writer.Properties{})
	in := at.inset(column)
	in.element, in.align = body, document.AlignNone // next to its label
	set(in)
	b.unmark(in)
	body.Release()
	item.Release()
}

func (b *builder) definitions(at area, l *document.DefinitionList) {
	list := at.element.Child("L", writer.Properties{Attributes: "<</O/List/ListNumbering/None>>"})
	bold := *at.style
	bold.Font |= font.Bold
	for _, d := range l.Items {
		item := list.Child("LI", writer.Properties{})
		terms := item.Child("Lbl", writer.Properties{})
		in := at
		in.element = terms
		for _, term := range d.Terms {
			b.text(in, "P", term.Inlines, &bold, spacing{before: tightSpace, after: tightSpace, keep: true})
		}
		terms.Release()
		body := item.Child("LBody", writer.Properties{})
		in = at.inset(indent)
		in.element = body
		for _, description := range d.Descriptions {
			b.blocks(in, description.Blocks)
		}
		body.Release()
		item.Release()
	}
	list.Release()
	b.flow.space(paragraphSpace)
}
