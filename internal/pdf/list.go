package pdf

import (
	"strconv"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// label is the mark of a list item, which is painted beside its first row.
type label struct {
	line    layout.Line
	element *writer.Element
	left    float64
	height  float64 // of the row that it would be alone, and
	base    float64 // how far below its top it would stand
}

// paint shows the mark on a base line: that of the text beside it.
func (m *label) paint(s *sheet, base float64) {
	m.line.Paint(s.canvas, s.page, m.element, m.left, base)
	m.element.Release()
}

// mark lets the next row have a label at the left of a place, in a column of
// that width.
func (b *builder) mark(at place, item *writer.Element, text string, style *layout.Style, column float64) {
	b.unmark(at)
	if at.mirrored {
		text = "\u200f" + text // or the point would stand at the wrong side
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

// unmark shows a label for which no row has come.
func (b *builder) unmark(at place) {
	if b.label != nil {
		b.add(at, row{height: b.label.height, after: tightSpace, paint: func(*sheet, float64) {}})
	}
}

func (b *builder) list(at place, l *document.List) {
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
		b.item(at, list, text, at.style, column, func(in place) { b.blocks(in, item.Blocks) })
	}
	list.Release()
	b.flow.space(paragraphSpace)
}

// item sets what set sets, with a mark in a column of that width.
func (b *builder) item(at place, list *writer.Element, text string, style *layout.Style, column float64, set func(in place)) {
	item := list.Child("LI", writer.Properties{})
	b.mark(at, item, text, style, column)
	body := item.Child("LBody", writer.Properties{})
	in := at.inset(column)
	in.element, in.align = body, document.AlignNone // beside its label
	set(in)
	b.unmark(in)
	body.Release()
	item.Release()
}

func (b *builder) definitions(at place, l *document.DefinitionList) {
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
