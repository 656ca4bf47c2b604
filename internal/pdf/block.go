package pdf

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// area is where blocks are set: the horizontal extent, the box and the structure element.
type area struct {
	left, width float64
	element     *writer.Element
	frame       *frame
	style       *layout.Style
	align       document.Alignment // of lines and images, as set by the author
	mirrored    bool               // the page, or the block around, runs from right to left
}

// narrowestArea is the minimal width of an area, however deeply nested.
const narrowestArea = 60.0

// inset returns the area indented at the start of lines.
func (at area) inset(by float64) area {
	return at.within(by, 0)
}

// within returns the area indented at both ends of lines.
func (at area) within(start, end float64) area {
	if at.mirrored {
		start, end = end, start
	}
	width := max(at.width-start-end, narrowestArea)
	at.left = min(at.left+start, sheetWidth-marginRight-width)
	at.width = width
	return at
}

// start returns the left edge of a box of width at the start of lines, indented by by.
func (at area) start(by, width float64) float64 {
	if at.mirrored {
		return at.left + at.width - by - width
	}
	return at.left + by
}

// edge returns the left edge of a box of width by the alignment. Without one, right puts it at
// the right edge.
func (at area) edge(width float64, right bool) float64 {
	switch {
	case at.align == document.AlignCenter:
		return at.left + (at.width-width)/2
	case at.align == document.AlignRight, at.align == document.AlignNone && right:
		return at.left + at.width - width
	}
	return at.left
}

// aligned returns the area with the alignment set by HTML attributes.
func (at area) aligned(attributes document.Attributes) area {
	at.align = cmp.Or(alignmentOf(attributes), at.align)
	return at
}

// spacing is the space around a block; keep keeps it with the next one.
type spacing struct {
	before, after float64
	keep          bool
}

const (
	paragraphSpace = 6.5
	tightSpace     = 2.5
	blockSpace     = 10
	indent         = 18
)

func (b *builder) blocks(at area, blocks []document.Block) {
	for i, block := range blocks {
		if b.ctx.Err() != nil {
			return
		}
		if p, ok := block.(*document.Paragraph); ok {
			b.paragraph(b.facing(at, p), p, i+1 < len(blocks) && introduces(p, blocks[i+1]))
			continue
		}
		b.block(at, block)
	}
}

// introduces reports whether a paragraph introduces the next block: it ends with a colon or
// is a bold title. Both stay on one sheet.
func introduces(p *document.Paragraph, next document.Block) bool {
	if len(p.Inlines) == 1 {
		if _, title := p.Inlines[0].(*document.Strong); title {
			return true
		}
	}
	switch next.(type) {
	case *document.Code, *document.List, *document.Table, *document.Quote, *document.DefinitionList:
	default:
		return false
	}
	if len(p.Inlines) == 0 {
		return false
	}
	last := strings.TrimRight(document.PlainText(p.Inlines[len(p.Inlines)-1:]), " \n")
	return strings.HasSuffix(last, ":") || strings.HasSuffix(last, "：")
}

// paragraph sets a paragraph. keep keeps its last line with the next block.
func (b *builder) paragraph(at area, p *document.Paragraph, keep bool) {
	space := spacing{after: paragraphSpace, keep: keep}
	if p.Tight {
		space.after = tightSpace
	}
	if images := imagesOf(p.Inlines, nil); len(images) > 0 {
		b.illustrated(at, p, images, space)
		return
	}
	b.text(at, "P", p.Inlines, at.style, space)
}

// facing returns the area with the direction of a block.
func (b *builder) facing(at area, block document.Block) area {
	if b.turns {
		at.mirrored = direction.ToLeft(block, at.mirrored)
	}
	return at
}

func (b *builder) block(at area, block document.Block) {
	at = b.facing(at, block)
	switch n := block.(type) {
	case *document.Paragraph:
		b.paragraph(at, n, false)
	case *document.Heading:
		b.heading(at, n)
	case *document.Rule:
		b.rule(at)
	case *document.Quote:
		b.quote(at, n.Blocks)
	case *document.Code:
		b.code(at, n)
	case *document.List:
		b.list(at, n)
	case *document.Table:
		b.table(at, n)
	case *document.DefinitionList:
		b.definitions(at, n)
	case *document.Element:
		b.htmlElement(at, n)
	case *document.Component:
		b.component(at, n)
	}
}

func (b *builder) text(at area, role string, nodes []document.Inline, style *layout.Style, s spacing, more ...layout.Span) {
	e := at.element.Child(role, writer.Properties{})
	spans, links := b.spans(e, nodes, style, at.width)
	b.rows(at, e, append(spans, more...), s)
	for _, link := range links {
		link.Release()
	}
	e.Release()
}

// lines sets spans as lines of one element.
func (b *builder) lines(at area, role string, spans []layout.Span, s spacing) {
	e := at.element.Child(role, writer.Properties{})
	b.rows(at, e, spans, s)
	e.Release()
}

// rows adds lines of text. The first two and the last two stay together.
func (b *builder) rows(at area, e *writer.Element, spans []layout.Span, s spacing) {
	lines := b.typesetter.Lines(spans, at.width, at.mirrored)
	even(lines)
	for i := range lines {
		r := b.line(at, e, &lines[i], spans[0].Style.Size)
		if i == 0 {
			r.before = s.before
		}
		switch last := len(lines) - 1; i {
		case last:
			r.after, r.keep = s.after, s.keep
		case 0, last - 1:
			r.keep = true
		}
		b.add(at, r)
	}
}

// even gives lines the height and the base line of the highest without a large picture.
func even(lines []layout.Line) {
	var ascent, descent float64
	for i := range lines {
		if l := &lines[i]; !l.Tall {
			ascent, descent = max(ascent, l.Ascent), max(descent, l.Descent)
		}
	}
	for i := range lines {
		if l := &lines[i]; !l.Tall {
			l.Ascent, l.Descent = ascent, descent
		}
	}
}

// line returns the row of a line of text of a size. It starts at the edge given by its own
// direction or by the author.
func (b *builder) line(at area, e *writer.Element, l *layout.Line, size float64) row {
	return b.lineAt(at.edge(l.Width, l.RightToLeft), e, l, size)
}

// lineAt returns the row of a line of text of a size at a left edge.
func (b *builder) lineAt(left float64, e *writer.Element, l *layout.Line, size float64) row {
	leading := 1.5
	if size > 12 {
		leading = 1.25
	}
	height := max(size*leading, l.Ascent+l.Descent)
	e.Hold()
	links := l.Links()
	for _, link := range links {
		link.Element.Hold()
	}
	pictures := l.Pictures()
	for _, picture := range pictures {
		picture.Hold()
	}
	base := -baseLine(0, height, l)
	return row{height: height, base: base, paint: func(s *sheet, top float64) {
		l.Paint(s.canvas, s.page, e, left, top-base)
		for _, link := range links {
			link.Element.Release()
		}
		for _, picture := range pictures {
			picture.Release()
		}
		e.Release()
	}}
}

// baseLine returns the height of a line's base line in its row.
func baseLine(top, height float64, l *layout.Line) float64 {
	return top - (height-l.Ascent-l.Descent)/2 - l.Ascent
}

// add adds a row, with the label of a list item if one is pending.
func (b *builder) add(at area, r row) {
	r.frame = at.frame
	if mark := b.label; mark != nil {
		b.label = nil
		paint := r.paint
		r.paint = func(s *sheet, top float64) {
			mark.paint(s, top-cmp.Or(r.base, mark.base))
			paint(s, top)
		}
	}
	b.flow.add(r)
}

func (b *builder) heading(at area, h *document.Heading) {
	level := min(max(h.Level, 2), 6) // level 1 is the page's title
	name := b.page.Key + "#" + h.Anchor
	if level <= 3 && h.Anchor != "" && h.Text != "" {
		b.enter(b.page.Level+level-1, h.Text, name)
	} else if h.Anchor != "" {
		b.flow.destination(name)
	}
	style := b.theme.heading(level)
	b.text(at, "H"+strconv.Itoa(level), h.Inlines, style, spacing{before: 1.1 * style.Size, after: 0.45 * style.Size, keep: true})
}

func (b *builder) rule(at area) {
	b.add(at, row{before: blockSpace, after: blockSpace, height: 1, paint: func(s *sheet, top float64) {
		s.canvas.Fill(writer.Rect{Left: at.left, Bottom: top - 0.7, Right: at.left + at.width, Top: top}, b.theme.border)
	}})
}

func (b *builder) quote(at area, blocks []document.Block) {
	e := at.element.Child("BlockQuote", writer.Properties{})
	style := *at.style
	style.Color = b.theme.muted
	inner := at
	inner.element, inner.style = e, &style
	b.framed(inner, &frame{bar: &b.theme.border}, 2, func(in area) { b.blocks(in, blocks) })
	e.Release()
}

// framed calls f to set the content of a box with padding pad above and below.
func (b *builder) framed(at area, fr *frame, pad float64, f func(in area)) {
	fr.outer, fr.left, fr.width, fr.mirrored = at.frame, at.left, at.width, at.mirrored
	nothing := func(*sheet, float64) {}
	b.flow.add(row{before: blockSpace - 2, height: pad, keep: true, frame: fr, paint: nothing})
	in := at.within(12, 10)
	in.frame = fr
	f(in)
	b.flow.join()
	b.flow.add(row{after: blockSpace, height: pad, frame: fr, paint: nothing})
}

// footnotes sets the footnotes below a page.
func (b *builder) footnotes(at area, notes []*document.Footnote) {
	if len(notes) == 0 {
		return
	}
	b.rule(at)
	style := *at.style
	style.Size = bodySize - 1.5
	for _, note := range notes {
		at := b.facing(at, &document.Quote{Blocks: note.Blocks})
		e := at.element.Child("Note", writer.Properties{})
		b.flow.destination(b.page.Key + "#fn-" + strconv.Itoa(note.Number))
		b.mark(at, e, strconv.Itoa(note.Number)+".", &style, indent)
		in := at.inset(indent)
		in.element, in.style = e, &style
		b.blocks(in, note.Blocks)
		b.unmark(in)
		e.Release()
	}
}
