package document

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// assembler nests blocks in the tags around them. Tags come from HTML blocks, MDX tag
// lines and text; matching them needs all of these.
type assembler struct {
	p      *parser
	events []event
	texts  int // number of paragraphs so far
}

// event is a block, a run of text or a tag, in source order.
type event struct {
	node    Block    // a block, or
	inlines []Inline // text, if text is not 0, or
	tag     *tag     // a tag

	text    int  // number of its paragraph
	tight   bool // of that paragraph
	run     bool // text of an HTML block, not of a paragraph
	partner int  // of a tag: index of the matching event, or -1
}

func (e *event) block() Block {
	if nodes := trimEdges(e.inlines); e.node == nil && e.tag == nil && len(nodes) > 0 {
		return &Paragraph{at{nodes[0].Pos()}, e.tight, nodes}
	}
	return e.node
}

func (a *assembler) block(b Block) { a.events = append(a.events, event{node: b}) }

func (a *assembler) blocks(blocks []Block) {
	for _, b := range blocks {
		a.block(b)
	}
}

// tag adds a tag outside of paragraphs. run means that it is in a run of HTML.
func (a *assembler) tag(t *tag, run bool) {
	own := *t
	e := event{tag: &own, run: run}
	if run {
		e.text = a.texts
	}
	a.events = append(a.events, e)
}

func (a *assembler) paragraph(pieces []piece, tight bool, pos Pos) {
	if n := len(a.events); n > 0 && a.events[n-1].node != nil && len(pieces) == 1 && len(pieces[0].inlines) == 1 {
		if span, ok := pieces[0].inlines[0].(*Span); ok && strings.HasPrefix(span.Attributes.String("id"), "^") { // of the block above
			a.events = slices.Insert(a.events, n-1, event{node: labelAt(span.Attributes.String("id"), span.pos)})
			return
		}
	}
	a.texts++
	for _, piece := range pieces {
		a.events = append(a.events, event{inlines: piece.inlines, tag: piece.tag, text: a.texts, tight: tight})
	}
}

// markup adds the tags and text of HTML. In elements whose content is dropped it looks
// for no tags.
func (a *assembler) markup(source inlineSource) {
	s := source.text
	scan := inline.NewBudget(len(s))
	a.texts++
	loops := append(a.p.dialect.Loops(s), [2]int{len(s), len(s)})
	for offset := 0; offset < len(s); {
		if loop := loops[0]; offset >= loop[0] {
			if offset < loop[1] { // else it is within a tag
				a.p.notice(ExpressionOmitted, source.at(offset), inline.FirstLine(s[loop[0]:]))
			}
			loops, offset = loops[1:], max(offset, loop[1])
			continue
		}
		end := loops[0][0]
		next := strings.IndexByte(s[offset:end], '<')
		if next < 0 {
			next = end - offset
		}
		a.run(s[offset:offset+next], source.at(offset))
		offset += next
		if offset == end {
			continue
		}
		offset += a.angle(s[offset:], source.at(offset), &scan)
	}
}

// angle reads a construct that starts with < and returns its width.
func (a *assembler) angle(s string, pos Pos, scan *inline.Budget) int {
	if strings.HasPrefix(s, "<!--") {
		if end := strings.Index(s, "-->"); end >= 0 {
			return end + len("-->")
		}
		return len(s)
	}
	t, width := scanTag(s, false, scan, pos)
	if width > 0 {
		if name := componentName(&t); name != "" {
			t.Name = name
		}
		a.p.showTag(&t)
	}
	if width == 0 || a.p.class(t.Name) == element.Unknown && !element.StartsUpper(t.Name) {
		a.run(s[:max(width, 1)], pos)
		return max(width, 1)
	}
	if !t.Closing && (t.Name == "script" || t.Name == "style" || t.Name == "svg") {
		a.p.notice(ElementOmitted, pos, t.text)
		end := inline.IndexFold(s[width:], "</"+t.Name)
		if end < 0 {
			return len(s)
		}
		width += end
		if last := strings.IndexByte(s[width:], '>'); last >= 0 {
			return width + last + 1
		}
		return len(s)
	}
	a.tag(&t, true)
	if t.Name == "i" && !t.Closing && a.p.dialect != nil && width < len(s) && strings.IndexByte(a.p.dialect.Starts, s[width]) >= 0 {
		if m, found := a.p.dialect.Inline(s, width); found && m.Form == dialect.Leaf { // an icon
			a.run(m.Text, pos)
			width += m.Width
		}
	}
	return width
}

// run adds HTML text and replaces marks of the dialect in braces.
func (a *assembler) run(s string, pos Pos) {
	from := 0
	for i := 0; a.p.dialect != nil && i < len(s); i++ {
		if s[i] != '{' || strings.IndexByte(a.p.dialect.Starts, '{') < 0 {
			continue
		}
		m, found := a.p.dialect.Inline(s, i)
		if !found || m.Form != dialect.Leaf && !a.p.dialect.Divs || m.Include != nil && m.Code {
			continue
		}
		t := markTag(&m, s[i:i+m.Width], pos+Pos(i))
		if blocks, ok := a.p.defined(&t); ok {
			m.Text, m.LeftOut = PlainText(a.p.includeInline(&t, blocks)), false
		}
		if m.LeftOut {
			a.p.notice(ExpressionOmitted, pos+Pos(i), s[i:i+m.Width])
		}
		a.runText(s[from:i], pos+Pos(from))
		a.runText(m.Text, pos+Pos(i))
		from = i + m.Width
		i = from - 1
	}
	a.runText(s[from:], pos+Pos(from))
}

func (a *assembler) runText(s string, pos Pos) {
	if s == "" {
		return
	}
	var nodes []Inline
	for from := 0; from < len(s); {
		i := strings.IndexByte(s[from:], '&')
		if i < 0 {
			nodes = append(nodes, a.p.newText(pos+Pos(from), s[from:]))
			break
		}
		text, n := inline.ScanEntity(s[from+i:])
		if n == 0 {
			nodes = append(nodes, a.p.newText(pos+Pos(from), s[from:from+i+1]))
			from += i + 1
			continue
		}
		if i > 0 {
			nodes = append(nodes, a.p.newText(pos+Pos(from), s[from:from+i]))
		}
		nodes = append(nodes, a.p.newText(pos+Pos(from+i), text))
		from += i + n
	}
	a.events = append(a.events, event{inlines: nodes, text: a.texts, run: true})
}

func (a *assembler) assemble() []Block {
	if !a.hasTags() {
		return a.plain()
	}
	a.match()
	b := composer{p: a.p, levels: []level{{}}}
	for i := range a.events {
		b.take(&a.events[i], i)
	}
	for len(b.levels) > 1 {
		b.close()
	}
	return b.levels[0].done()
}

func (a *assembler) hasTags() bool {
	for i := range a.events {
		if a.events[i].tag != nil || a.events[i].run {
			return true
		}
	}
	return false
}

// plain returns the blocks of events without tags.
func (a *assembler) plain() []Block {
	if len(a.events) == 0 {
		return nil
	}
	blocks := make([]Block, 0, len(a.events))
	for i := range a.events {
		if b := a.events[i].block(); b != nil {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// match pairs the tags. An unclosed tag in a paragraph becomes text; any other extends to
// the end.
func (a *assembler) match() {
	var open []int
	names := map[string]int{} // number of open tags per name
	pop := func() int {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		names[a.events[last].tag.Name]--
		return last
	}
	text := func(e *event) { // the source of a tag
		e.inlines = []Inline{&Text{at{e.tag.pos}, e.tag.text}}
		e.tag = nil
	}
	unclosed := func(i int) {
		e := &a.events[i]
		if m := e.tag.mark; m != nil && e.text == 0 { // it must not contain the rest of the page
			if e.tag.SelfClosing = true; !m.Alone {
				a.p.notice(Unclosed, e.tag.pos, e.tag.text)
			}
			return
		} else if m != nil && m.Alone {
			e.inlines, e.tag = a.p.span(e.tag, nil, false), nil
			return
		}
		if e.run && element.StartsUpper(e.tag.Name) {
			text(e)
			return
		}
		if e.tag.Name != "" && !element.ImpliedEnd(e.tag.Name, e.tag.Name) {
			a.p.notice(Unclosed, e.tag.pos, e.tag.text)
		}
		class := a.p.class(e.tag.Name)
		if e.text > 0 && !e.run && class == element.Transparent {
			e.tag = nil // its content is shown anyway
		} else if e.text > 0 && !e.run && class != element.Flow {
			text(e)
		}
	}
	for i := range a.events {
		e := &a.events[i]
		if e.tag == nil || element.HoldsNothing(e.tag.Name) || e.tag.SelfClosing {
			continue
		}
		e.partner = -1
		name := e.tag.Name
		switch {
		case !e.tag.Closing:
			if len(open) > 0 && !a.p.mdx && element.ImpliedEnd(a.events[open[len(open)-1]].tag.Name, name) {
				pop()
			}
			open = append(open, i)
			names[name]++
		case names[name] == 0:
			if e.run && element.StartsUpper(name) {
				text(e)
			} else if name != "" {
				a.p.notice(StrayClose, e.tag.pos, e.tag.text)
			}
		default:
			for {
				last := pop()
				if a.events[last].tag.Name == name {
					a.events[last].partner, e.partner = i, last
					break
				}
				unclosed(last)
			}
		}
	}
	for len(open) > 0 {
		unclosed(pop())
	}
}
