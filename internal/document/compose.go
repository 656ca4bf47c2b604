package document

import (
	"math"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// composer builds blocks from matched events.
type composer struct {
	p       *parser
	levels  []level
	tooDeep bool // a notice was recorded
}

// level is an open element and its content so far.
type level struct {
	tag     *tag
	event   int // index of its tag
	partner int // index of the closing tag, or -1
	blocks  []Block
	inline  []Inline // of the current paragraph
	text    int      // number of that paragraph
	tight   bool
	run     bool
}

// flush completes the current paragraph.
func (l *level) flush() {
	nodes := l.inline
	l.inline = nil
	if l.tag == nil || l.tag.Name != "pre" {
		nodes = trimEdges(nodes)
	}
	if len(nodes) > 0 {
		l.blocks = append(l.blocks, &Paragraph{at{nodes[0].Pos()}, l.tight || l.run, nodes})
	}
}

func (l *level) done() []Block {
	l.flush()
	return l.blocks
}

// add adds text. Text of another paragraph starts a new one.
func (l *level) add(nodes []Inline, e *event) {
	if len(l.inline) > 0 && (l.text != e.text || l.run != e.run) {
		l.flush()
	}
	l.inline = append(l.inline, nodes...)
	l.text, l.tight, l.run = e.text, e.tight, e.run
}

func (c *composer) top() *level { return &c.levels[len(c.levels)-1] }

func (c *composer) take(e *event, number int) {
	top := c.top()
	switch {
	case e.node != nil:
		if _, section := e.node.(*Heading); section && c.p.mdx {
			for top.tag != nil && top.partner < 0 { // an unclosed element must not contain what follows
				c.close()
				top = c.top()
			}
		}
		top.flush()
		top.blocks = append(top.blocks, e.node)
	case e.tag == nil:
		top.add(e.inlines, e)
	case element.HoldsNothing(e.tag.Name) || e.tag.SelfClosing:
		c.leaf(e)
	case !e.tag.Closing:
		c.openTag(e, number)
	case e.partner >= 0:
		c.closeTag(e)
	}
}

func (c *composer) openTag(e *event, number int) {
	if !c.p.mdx {
		if top := c.top(); top.tag != nil && element.ImpliedEnd(top.tag.Name, e.tag.Name) {
			c.close()
		}
	}
	if len(c.levels) >= maxDepth {
		if !c.tooDeep {
			c.tooDeep = true
			c.p.notice(TooDeep, e.tag.pos, e.tag.text)
		}
		return
	}
	if !element.InText(e.tag.Name) {
		c.top().flush()
	}
	c.levels = append(c.levels, level{tag: e.tag, event: number, partner: e.partner, text: e.text, run: e.run})
}

// closeTag closes the level opened by the partner of e, and those inside it.
func (c *composer) closeTag(e *event) {
	depth := len(c.levels) - 1
	for depth > 0 && c.levels[depth].event != e.partner {
		depth--
	}
	for depth > 0 && len(c.levels) > depth { // otherwise it was opened beyond the maximal depth
		c.close()
	}
}

// leaf adds a node without content.
func (c *composer) leaf(e *event) {
	top := c.top()
	if e.tag.Name == "hr" {
		top.flush()
		top.blocks = append(top.blocks, &Rule{at{e.tag.pos}})
		return
	}
	name, class := e.tag.Name, c.p.class(e.tag.Name)
	if e.tag.mark != nil || c.p.isBlock(name) || e.text == 0 && (class == element.Embedded || class == element.Unknown && element.StartsUpper(name)) {
		top.flush()
		top.blocks = append(top.blocks, c.p.wrap(e.tag, nil)...)
		return
	}
	if e.tag.Closing { // </img>
		return
	}
	if e.tag.Name != "col" {
		top.add(c.p.span(e.tag, nil, false), e)
	}
}

// close closes the innermost level and adds its node to the parent.
func (c *composer) close() {
	l := c.top()
	c.levels = c.levels[:len(c.levels)-1]
	top := c.top()
	if len(l.blocks) == 0 && element.InText(l.tag.Name) { // inline content
		e := event{text: l.text, run: l.run, tight: l.tight}
		top.add(c.p.span(l.tag, l.inline, false), &e)
		return
	}
	top.flush()
	if l.partner < 0 && c.p.class(l.tag.Name) == element.Dropped { // its intended end is unknown
		top.blocks = append(top.blocks, l.done()...)
		return
	}
	top.blocks = append(top.blocks, c.p.wrap(l.tag, l.done())...)
}

// wrap wraps blocks in an element, component or mark.
func (p *parser) wrap(t *tag, blocks []Block) []Block {
	if t.mark != nil {
		return p.wrapMark(t, blocks)
	}
	return p.wrapTag(t, blocks)
}

func (p *parser) wrapTag(t *tag, blocks []Block) []Block {
	switch p.class(t.Name) {
	case element.Dropped:
		p.notice(ElementOmitted, t.pos, t.text)
		return nil
	case element.Transparent:
		return blocks
	case element.Unknown:
		if t.Name != "" {
			return p.wrapUnknown(t, blocks)
		}
		return blocks
	case element.Embedded:
		if nodes := p.embedded(t, p.attributes(t), nil, false); len(nodes) > 0 {
			blocks = append([]Block{&Paragraph{at{t.pos}, !p.mdx && t.mark == nil, nodes}}, blocks...)
		}
		return blocks
	case element.Component:
		return p.wrapComponent(t, blocks)
	}
	attributes := p.attributes(t)
	if class := attributes.String("class"); p.dialect != nil && p.dialect.Divs && strings.HasPrefix(class, "grid") && strings.Contains(class, "cards") {
		return []Block{cards(blocks, t.pos)}
	} else if class == "grid" && p.dialect != nil && p.dialect.Divs {
		return []Block{columns(blocks, t.pos)}
	}
	if t.Name == "table" && attributes.String("data-view") == "cards" {
		return []Block{p.cardTable(t.pos, blocks)}
	}
	if strings.Contains(" div aside section p blockquote ", " "+t.Name+" ") {
		if box := boxOf(attributes, true, blocks, t.pos); box != nil {
			return []Block{box}
		}
	}
	switch {
	case t.Name == "pre" && p.dialect != nil && p.dialect.Summaries && strings.HasPrefix(attributes.String("class"), "language-"):
		return []Block{preformatted(attributes, blocks, t.pos)}
	case t.Name == "center":
		attributes = append(attributes, Attribute{Name: "align", Value: "center"})
	case t.Name == "summary" && p.dialect != nil && p.dialect.Summaries && attributes.String("id") == "":
		attributes = append(attributes, Attribute{Name: "id", Value: p.anchors.Unused(inline.OneLine(Beginning(blocks, math.MaxInt)))})
	}
	return []Block{&Element{at{t.pos}, element.Modern(t.Name), attributes, blocks}}
}

func (p *parser) wrapComponent(t *tag, blocks []Block) []Block {
	kind := element.KindOf(t.Name)
	switch {
	case element.IsLink(t.Name) || element.IsImage(t.Name) || kind.Inline():
		var inlines []Inline
		if len(blocks) == 1 {
			if paragraph, ok := blocks[0].(*Paragraph); ok {
				inlines = paragraph.Inlines
			}
		}
		if inlines == nil && len(blocks) > 0 && element.IsLink(t.Name) {
			return []Block{&Element{at{t.pos}, "a", p.attributes(t), blocks}}
		}
		if inlines == nil && len(blocks) > 0 {
			return blocks
		}
		if nodes := p.span(t, inlines, false); len(nodes) > 0 {
			return []Block{&Paragraph{at{t.pos}, false, nodes}}
		}
		return nil
	case kind == element.Formula:
		c := &Code{at: at{t.pos}, Language: "math", Label: "Math", Text: Beginning(blocks, math.MaxInt) + "\n", First: 1}
		return []Block{c}
	case kind == element.Callout && strings.HasSuffix(t.Name, "Group"):
		return blocks
	}
	return []Block{p.component(t, blocks)}
}
