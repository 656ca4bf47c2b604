package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// startMark takes a line that is a mark of the dialect of the page.
func (d *divider) startMark(matched int, ahead string) lineResult {
	ahead = strings.TrimRight(ahead, " \t")
	m, found := d.dialect.Block(ahead)
	if !found || m.Form == dialect.Literal && !d.follows(m.End) {
		return no
	}
	b := block{kind: markBlock, own: &m, indent: d.indent() + 4, pos: d.place()}
	switch m.Form {
	case dialect.Indented, dialect.Fenced:
		if !d.nest(matched, markBlock) {
			return no
		}
		if m.Form == dialect.Fenced {
			b.marker, b.length = ahead[0], inline.RunLength(ahead, ahead[0])
		}
		d.push(b)
		return lineDone
	case dialect.Literal:
		d.nest(matched, codeBlock)
		b.kind, b.fenced, b.marker, b.indent, b.info = codeBlock, true, '%', d.indent(), m.Info
		d.push(b)
		return lineDone
	}
	b.kind = tagBlock
	return d.addLeaf(matched, b, segment{start: b.pos, end: b.pos + len(ahead)})
}

// continuesMark reports whether a line belongs to what a mark holds.
func (d *divider) continuesMark(b *block, number int) lineResult {
	if b.own.(*dialect.Mark).Form == dialect.Indented {
		if d.indent() < 4 {
			return d.continuesIndented(4)
		}
		return d.continuesIndented(min(b.indent, d.indent()))
	}
	if run := inline.RunLength(d.ahead(), b.marker); !d.tooFar() && run >= b.length && strings.Trim(d.ahead()[run:], " \t") == "" {
		d.closeTo(number - 1)
		return lineDone
	}
	return yes
}

// markOf returns the mark that a block was made of, nil for none.
func markOf(b *block) *dialect.Mark {
	m, _ := b.own.(*dialect.Mark) // others have something else or nothing
	return m
}

// markTag returns a mark as the tag of an element or component.
func markTag(m *dialect.Mark, text string, pos Pos) tag {
	return tag{
		Tag:  inline.Tag{Name: m.Name, Closing: m.Form == dialect.Closing, SelfClosing: m.Form == dialect.Leaf},
		text: text, pos: pos, mark: m,
	}
}

// marked adds what a mark makes of the blocks that it holds. Tabs that follow each
// other stand in one component, which is returned; before is that of the block
// before.
func (p *parser) marked(b *block, before *Component, a *assembler) *Component {
	m := markOf(b)
	t := markTag(m, firstLine(p.source[b.pos:]), Pos(b.pos))
	made := p.wrapMark(&t, p.blocks(b, false))
	if m.Name != "Tab" || m.Form != dialect.Indented {
		a.blocks(made)
		return nil
	}
	if before == nil || m.Attributes.Bool("first") {
		before = &Component{at: at{t.pos}, Kind: Tabs, Name: "Tabs"}
		a.block(before)
	}
	before.Blocks = append(before.Blocks, made...)
	return before
}

// wrapMark makes the blocks of a mark around others.
func (p *parser) wrapMark(t *tag, blocks []Block) []Block {
	m := t.mark
	if m.Form == dialect.Opening && !m.Alone && len(blocks) == 0 {
		return nil
	}
	var title []Inline
	if m.Title != "" {
		title = p.inline(plainSource(m.Title, t.pos+Pos(max(0, strings.Index(t.text, m.Title)))))
	}
	switch {
	case m.Name == "Code":
		for _, b := range blocks {
			if code, ok := b.(*Code); ok {
				code.Title, code.Numbered = m.Attributes.String("title"), code.Numbered || m.Attributes.Bool("lineNumbers")
				break
			}
		}
		return blocks
	case element.KindOf(m.Name) == Callout:
		return []Block{callout(m.Attributes.String("type"), title, nil, blocks, t.pos)}
	}
	own := *t
	own.mark = &dialect.Mark{Attributes: m.Attributes, Name: m.Name} // which wrap takes for that of any element
	blocks = p.wrapTag(&own, blocks)
	if len(title) > 0 && len(blocks) > 0 {
		if c, ok := blocks[0].(*Component); ok {
			c.Title, c.Open = title, m.Attributes.Bool("default")
		}
	}
	return blocks
}

// markAt reads the mark of the dialect at a place of a text, and returns its width.
func (p *parser) markAt(text string, at int) int {
	m, found := p.dialect.Inline(text, at)
	if !found {
		return 0
	}
	p.marks = append(p.marks, m)
	return m.Width
}

// mark takes a mark in a line of text.
func (b *builder) mark(t *inline.Token, m *dialect.Mark, content string, pos Pos) {
	found := markTag(m, content, pos)
	b.p.showTag(&found)
	if m.Form != dialect.Leaf {
		b.tag(&found, t)
		return
	}
	var children []Inline
	if m.Text != "" {
		children = []Inline{&Text{at{pos}, m.Text}}
	}
	b.nodes = append(b.nodes, b.p.span(&found, children, b.inLink > 0)...)
	b.textTo = -1
}
