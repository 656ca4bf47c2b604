package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// blocks returns the typed children of parent. tight omits paragraph margins.
func (p *parser) blocks(parent *block, tight bool) []Block {
	a := assembler{p: p}
	if last := len(p.idle) - 1; last >= 0 {
		a.events, p.idle = p.idle[last], p.idle[:last]
	}
	p.events(parent, tight, &a)
	blocks := a.assemble()
	clear(a.events)
	p.idle = append(p.idle, a.events[:0])
	return blocks
}

// events collects the content of a block, with tags separate from their content.
func (p *parser) events(parent *block, tight bool, a *assembler) {
	var definitions *DefinitionList // if it is the previous block
	var above Attributes            // on the previous line
	var tabs *Component             // of the preceding marks
	for b := parent.first; b != nil; b = b.next {
		at := atPos(b.pos)
		if b.kind != definitionsBlock {
			definitions = nil
		}
		if b.kind != markBlock && b.kind != emptyBlock {
			tabs = nil
		}
		if b.afterBlank {
			above = nil
		}
		if m := markOf(b); m != nil && m.Anchor != "" && m.Name != "Tab" && m.Name != "Column" {
			a.block(labelAt(m.Anchor, at.pos))
		}
		start := len(a.events)
		switch b.kind {
		case emptyBlock:
			continue
		case paragraphBlock:
			source := p.sourceOf(b)
			if name, title, options, width := p.dialect.Hint(source.text); name != "" {
				a.block(p.alert(name, title, options, source, width, &block{}))
				continue
			}
			a.paragraph(p.flow(source, true), tight, source.pos)
		case headingBlock:
			a.block(p.heading(b, above))
		case ruleBlock:
			a.block(&Rule{at})
		case quoteBlock:
			a.block(p.quote(b))
		case listBlock:
			a.block(p.list(b))
		case codeBlock:
			if m := markOf(b); m != nil {
				p.literal(m, b, a)
			} else {
				p.addCode(code(b.info, p.filled(b.info, p.lines(b), at.pos), at.pos), a)
			}
		case readyBlock:
			formula := b.own.(*Code)
			if label := cmp.Or(b.info, dialect.FormulaLabel(formula.Text)); label != "" && p.dialect != nil && p.dialect.Leads != nil {
				a.block(labelAt(label, at.pos))
			}
			a.block(formula)
		case tableBlock:
			a.block(p.table(b))
		case definitionsBlock:
			if definitions == nil {
				definitions = &DefinitionList{at: at}
				a.block(definitions)
			}
			definitions.Items = append(definitions.Items, p.definition(b))
		case admonitionBlock:
			p.container(b.own.(*admonition), b, a)
		case htmlBlock:
			p.html(b, a)
		case markBlock:
			tabs = p.marked(b, tabs, a)
		case tagBlock:
			if m := markOf(b); m != nil {
				t := markTag(m, p.sourceOf(b).text, at.pos)
				p.showTag(&t)
				a.tag(&t, false)
			} else {
				p.tagRun(b, a)
			}
		case expressionBlock:
			source := p.sourceOf(b)
			if text := p.expression(source.text, source.pos); text != "" {
				a.block(&Paragraph{at: at, Inlines: []Inline{&Text{at, text}}})
			}
		case contentsBlock:
			p.contents(b, a)
		case attributesBlock:
			if above = nil; b == parent.first || b.afterBlank {
				above = attributesOf(b)
			}
			continue
		}
		below := attributesBelow(b)
		switch {
		case b.kind == listBlock && below.Bool("toc"): // a placeholder for the table of contents
			a.events = a.events[:start]
			p.dropContents(a)
		case b.kind != headingBlock:
			a.dress(start, append(above, below...))
		}
		above = nil
	}
}

// addCode adds a code block, joining consecutive tabs.
func (p *parser) addCode(c *Code, a *assembler) {
	if each := c.managers(); each != nil {
		a.block(&Component{at: c.at, Kind: element.CodeGroup, Name: "CodeGroup", Blocks: each})
		return
	}
	if !c.tab {
		a.block(c)
		return
	}
	if last := len(a.events) - 1; last >= 0 {
		if group, ok := a.events[last].node.(*Component); ok && group.Kind == element.CodeGroup && group.Name == "tabs" {
			group.Blocks = append(group.Blocks, c)
			return
		}
	}
	a.block(&Component{at: c.at, Kind: element.CodeGroup, Name: "tabs", Blocks: []Block{c}})
}

// dropContents removes the heading directly above a table of contents if it is not listed
// there.
func (p *parser) dropContents(a *assembler) {
	last := len(a.events) - 1
	if last < 0 {
		return
	}
	if h, ok := a.events[last].node.(*Heading); ok && strings.Contains(h.Attributes.String("class"), "no_toc") && h.Level > 1 {
		a.events, p.doc.headings = a.events[:last], p.doc.headings[:len(p.doc.headings)-1]
	}
}

// lines returns the text of a code block, ending in a line feed.
func (p *parser) lines(b *block) string {
	text := p.sourceOf(b).text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func (p *parser) list(b *block) *List {
	l := &List{at: atPos(b.pos), Ordered: b.marker == '.' || b.marker == ')', Start: b.length, Tight: b.tight()}
	for c := b.first; c != nil; c = c.next {
		item := &ListItem{at: atPos(c.pos), Blocks: p.blocks(c, l.Tight)}
		item.takeTask(p.dialect != nil && p.dialect.Notes)
		l.Items = append(l.Items, item)
	}
	return l
}

// takeTask removes "[ ]" or "[x]" from the start of an item, in notes any mark.
func (i *ListItem) takeTask(notes bool) {
	if len(i.Blocks) == 0 {
		return
	}
	paragraph, ok := i.Blocks[0].(*Paragraph)
	if !ok || len(paragraph.Inlines) == 0 {
		return
	}
	t, ok := paragraph.Inlines[0].(*Text)
	if ok && strings.HasPrefix(t.Text, "{:") { // attributes of kramdown, which items do not have
		if _, text, found := strings.Cut(t.Text, "}"); found {
			t.Text = strings.TrimLeft(text, " ")
		}
		return
	}
	if !ok || len(t.Text) < 3 || t.Text[0] != '[' || t.Text[2] != ']' {
		return
	}
	mark, rest := t.Text[1], t.Text[3:]
	switch {
	case rest != "" && !inline.IsBlank(rest[0]),
		rest == "" && (!notes || len(paragraph.Inlines) > 1), // only notes have tasks without a text
		!notes && strings.IndexByte(" xX", mark) < 0:
		return
	}
	if i.Task = TaskDone; mark == ' ' {
		i.Task = TaskOpen
	}
	t.Text = strings.TrimLeft(rest, " \t")
	t.pos += 4
}

// quote returns a quotation, or a callout for an alert.
func (p *parser) quote(b *block) Block {
	if first := b.first; first != nil && first.kind == paragraphBlock {
		source := p.sourceOf(first)
		if name, title, options, width := p.dialect.Alert(source.text); name != "" {
			b.first = first.next
			return p.alert(name, title, options, source, width, b)
		}
	}
	return &Quote{at: atPos(b.pos), Blocks: p.blocks(b, false)}
}

// alert returns the callout of a name and title at the start of a text, with the blocks in b.
func (p *parser) alert(name, title string, options Attributes, source inlineSource, width int, b *block) Block {
	pos := source.pos
	a := assembler{p: p}
	rest := source.from(width)
	if p.dialect == nil && len(options) == 0 && name != "iframe" && dialect.Untitled(title, rest.text, b.first != nil) {
		rest, title = source.from(strings.Index(source.text, title)), ""
	}
	if strings.TrimSpace(rest.text) != "" {
		a.paragraph(p.flow(rest, true), false, rest.pos)
	}
	p.events(b, false, &a)
	switch name {
	case "div":
		return &Element{at{pos}, name, nil, a.assemble()}
	case "iframe":
		t := markTag(&dialect.Mark{Name: name, Attributes: Attributes{{Name: "src", Value: title}}}, inline.FirstLine(source.text), pos)
		return &Element{at{pos}, "div", nil, p.wrapTag(&t, a.assemble())}
	}
	var inlines []Inline
	if title != "" {
		inlines = p.inline(plainSource(title, source.at(strings.Index(source.text, title))))
	}
	return callout(name, inlines, options, a.assemble(), pos)
}

func (p *parser) definition(b *block) *Definition {
	d := &Definition{at: atPos(b.pos)}
	for i := b.from; i < b.to; i++ {
		line := p.segments[i]
		text := strings.TrimRight(p.source[line.start:line.end], " \t\n")
		words := p.inline(plainSource(text, Pos(line.start)))
		if p.dialect != nil && p.dialect.Terms {
			words = []Inline{&Span{at: atPos(line.start), Name: "span", Attributes: Attributes{{Name: "id", Value: p.anchors.Unused(PlainText(words))}}, Inlines: words}}
		}
		d.Terms = append(d.Terms, &Term{atPos(line.start), words})
	}
	for c := b.first; c != nil; c = c.next {
		d.Descriptions = append(d.Descriptions, &Description{atPos(c.pos), p.description(c)})
	}
	return d
}

// description returns the blocks of a description. It is tight if it directly follows its
// term; several paragraphs remain separate.
func (p *parser) description(b *block) []Block {
	blocks := p.blocks(b, !b.afterBlank)
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
