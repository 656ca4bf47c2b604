package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmextast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// blocks returns the typed blocks inside one of goldmark's. Tight tells that
// paragraphs are set without space around them.
func (p *parser) blocks(parent gmast.Node, tight bool) []Block {
	a := assembler{p: p}
	p.events(parent, tight, &a)
	return a.assemble()
}

// events gathers what stands in a block of goldmark's, tags apart from what
// they hold.
func (p *parser) events(parent gmast.Node, tight bool, a *assembler) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *gmast.Paragraph:
			p.paragraph(n, tight, a)
		case *gmast.TextBlock:
			p.paragraph(n, true, a)
		case *gmast.HTMLBlock:
			p.html(n, a)
		case *extra:
			p.extra(n, tight, a)
		default:
			if b := p.block(n); b != nil {
				a.block(b)
			}
		}
	}
}

// at is where a node of goldmark's begins. Among tabs it counts columns, and may
// come to stand behind the source.
func (p *parser) at(n gmast.Node) at { return at{Pos(min(max(0, n.Pos()), len(p.source)))} }

// block returns the node of a block that holds its own.
func (p *parser) block(n gmast.Node) Block {
	pos := p.at(n)
	switch n := n.(type) {
	case *gmast.Heading:
		return p.heading(n)
	case *gmast.ThematicBreak:
		return &Rule{pos}
	case *gmast.Blockquote:
		return p.quote(n)
	case *gmast.List:
		return p.list(n)
	case *gmast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = p.source[n.Info.Segment.Start:n.Info.Segment.Stop]
		}
		return code(info, p.lines(n), pos.pos)
	case *gmast.CodeBlock:
		return code("", p.lines(n), pos.pos)
	case *gmextast.DefinitionList:
		return p.definitionList(n)
	}
	return nil // a link reference definition
}

// lines returns the text of a block as it is.
func (p *parser) lines(n gmast.Node) string { return p.sourceOf(segments(n)).text }

func segments(n gmast.Node) []text.Segment { return n.Lines().Sliced(0, n.Lines().Len()) }

func (p *parser) paragraph(n gmast.Node, tight bool, a *assembler) {
	source := p.sourceOf(segments(n))
	a.paragraph(p.flow(source, true), tight, source.pos)
}

// extra gathers what stands in a block of ours.
func (p *parser) extra(n *extra, tight bool, a *assembler) {
	switch own := n.own.(type) {
	case indent:
		p.events(n, tight, a)
	case *Code:
		a.block(own)
	case *table:
		a.block(p.table(n, own))
	case *tagRun:
		p.tagRun(own, a)
	case *admonition:
		title := p.inline(own.title)
		a.block(callout(own.name, title, own.attributes, p.blocks(n, false), p.at(n).pos))
	}
}

// tagRun gathers the tags, or the expression, of lines of their own.
func (p *parser) tagRun(run *tagRun, a *assembler) {
	s := p.source[run.start:run.end]
	if run.expression {
		if text := p.expression(s, Pos(run.start)); text != "" {
			a.block(&Paragraph{at: atPos(run.start), Inlines: []Inline{&Text{atPos(run.start), text}}})
		}
		return
	}
	unbounded := inline.NewBudget(len(s)) // the same scan has succeeded before
	for offset := 0; offset < len(s); {
		offset += inline.Spaces(s[offset:])
		if width := p.program(s[offset:]); width > 0 {
			p.notice(ElementOmitted, Pos(run.start+offset), s[offset:])
			offset += width
			continue
		}
		t, width := scanTag(s[offset:], true, &unbounded, Pos(run.start+offset))
		if width == 0 {
			return
		}
		a.tag(&t, false)
		offset += width
	}
}

// html gathers the tags and text of a block of HTML.
func (p *parser) html(n *gmast.HTMLBlock, a *assembler) {
	lines := segments(n)
	if n.HasClosure() {
		lines = append(lines[:len(lines):len(lines)], n.ClosureLine)
	}
	switch n.HTMLBlockType {
	case gmast.HTMLBlockType2, gmast.HTMLBlockType3, gmast.HTMLBlockType4, gmast.HTMLBlockType5:
		source := p.sourceOf(lines)
		if at := strings.IndexByte(source.text, '>'); n.HTMLBlockType == gmast.HTMLBlockType2 && at >= 0 {
			p.afterComment(source, a)
		}
		return
	}
	a.markup(p.sourceOf(lines))
}

// afterComment gathers what stands behind a comment, on its last line.
func (p *parser) afterComment(source inlineSource, a *assembler) {
	start := strings.Index(source.text, "<!--")
	if end := strings.Index(source.text[start:], "-->"); end >= 0 {
		a.markup(source.from(start + end + len("-->")))
	}
}

func (p *parser) list(n *gmast.List) *List {
	l := &List{at: p.at(n), Ordered: n.IsOrdered(), Start: n.Start, Tight: n.IsTight}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		item := &ListItem{at: p.at(c), Blocks: p.blocks(c, n.IsTight)}
		item.takeTask()
		l.Items = append(l.Items, item)
	}
	return l
}

// takeTask takes "[ ]" or "[x]" from the start of an item.
func (i *ListItem) takeTask() {
	if len(i.Blocks) == 0 {
		return
	}
	paragraph, ok := i.Blocks[0].(*Paragraph)
	if !ok || len(paragraph.Inlines) == 0 {
		return
	}
	t, ok := paragraph.Inlines[0].(*Text)
	if !ok || len(t.Text) < 4 || t.Text[0] != '[' || t.Text[2] != ']' || !inline.IsBlank(t.Text[3]) {
		return
	}
	switch t.Text[1] {
	case ' ':
		i.Task = TaskOpen
	case 'x', 'X':
		i.Task = TaskDone
	default:
		return
	}
	t.Text = strings.TrimLeft(t.Text[4:], " \t")
	t.pos += 4
}

// quote returns a quotation, or the callout that it is an alert for.
func (p *parser) quote(n *gmast.Blockquote) Block {
	pos := p.at(n).pos
	first, ok := n.FirstChild().(*gmast.Paragraph)
	if !ok {
		return &Quote{at{pos}, p.blocks(n, false)}
	}
	source := p.sourceOf(segments(first))
	name, title, width := alert(source.text)
	if name == "" {
		return &Quote{at{pos}, p.blocks(n, false)}
	}
	a := assembler{p: p}
	if rest := source.from(width); strings.TrimSpace(rest.text) != "" {
		a.paragraph(p.flow(rest, true), false, rest.pos)
	}
	n.RemoveChild(n, first)
	p.events(n, false, &a)
	var inlines []Inline
	if title != "" {
		inlines = p.inline(plainSource(title, source.at(strings.Index(source.text, title))))
	}
	return callout(name, inlines, nil, a.assemble(), pos)
}

// description returns the blocks of a definition. Goldmark calls one tight that
// stands right below its term; of several paragraphs each is one nonetheless.
func (p *parser) description(n *gmextast.DefinitionDescription) []Block {
	blocks := p.blocks(n, n.IsTight)
	var texts []*Paragraph
	for _, b := range blocks {
		if text, ok := b.(*Paragraph); ok {
			texts = append(texts, text)
		}
	}
	if len(texts) > 1 {
		for _, text := range texts {
			text.Tight = false
		}
	}
	return blocks
}

func (p *parser) definitionList(n *gmextast.DefinitionList) *DefinitionList {
	l := &DefinitionList{at: p.at(n)}
	var item *Definition
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *gmextast.DefinitionTerm:
			source := p.sourceOf(segments(c))
			if item == nil || len(item.Descriptions) > 0 {
				item = &Definition{at: at{source.pos}}
				l.Items = append(l.Items, item)
			}
			item.Terms = append(item.Terms, &Term{at{source.pos}, p.inline(source)})
		case *gmextast.DefinitionDescription:
			if item == nil {
				item = &Definition{at: l.at}
				l.Items = append(l.Items, item)
			}
			item.Descriptions = append(item.Descriptions, &Description{p.at(c), p.description(c)})
		}
	}
	return l
}
