package document

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// startMark parses a line that is a mark of the page's dialect or of Docsify.
func (d *divider) startMark(matched int, ahead string) lineResult {
	ahead = strings.TrimRight(ahead, " \t")
	width := dialect.Call(d.source[d.TextPos():]) // may span lines that look like quotations
	if width > 0 {
		ahead = d.source[d.TextPos() : d.TextPos()+width]
	}
	m, found := d.dialect.Line(ahead)
	if found && width > 0 {
		d.pos = min(d.TextPos()+width+1, len(d.source))
	}
	if m.Name == "Tabs" {
		d.pane = m
	}
	if m.In != nil {
		m = m.In(d.pane)
	}
	if !found || d.tooFar() && m.Form != dialect.Closing || m.End != "" && !d.follows(m.End) {
		return no
	}
	b := block{kind: markBlock, own: &m, indent: d.Indent(), pos: d.TextPos()}
	switch m.Form {
	case dialect.Indented, dialect.Fenced:
		if !d.nest(matched, markBlock) {
			return no
		}
		d.takeOptions(&m)
		b.marker, b.length = ahead[0], inline.RunLength(ahead, ahead[0])
		d.push(b)
		return lineDone
	case dialect.Literal:
		d.nest(matched, codeBlock)
		d.takeOptions(&m)
		b.kind, b.fenced, b.marker, b.info = codeBlock, true, '%', m.Info
		if m.End == "" {
			b.marker, b.length = ahead[0], inline.RunLength(ahead, ahead[0])
		}
		d.push(b)
		return lineDone
	case dialect.Attributes:
		return d.addLeaf(matched, block{kind: attributesBlock, info: m.Info, pos: b.pos})
	}
	b.kind = tagBlock
	return d.addLeaf(matched, b, segment{start: b.pos, end: b.pos + len(ahead)})
}

// takeOptions parses the option lines below a mark.
func (d *divider) takeOptions(m *dialect.Mark) {
	if m.With == nil {
		return
	}
	options, width := m.Options(d.source[d.pos:], d.Text)
	d.pos += width
	*m = m.With(*m, options)
}

// atMark reports whether the line is an opening or closing mark, which ends an HTML block.
func (d *divider) atMark() bool {
	if d.dialect == nil {
		return false
	}
	ahead := strings.TrimRight(d.Ahead(), " \t")
	if width := dialect.Call(d.source[d.TextPos():]); width > 0 {
		ahead = d.source[d.TextPos() : d.TextPos()+width]
	}
	m, found := d.dialect.Block(ahead)
	return found && (m.Form == dialect.Opening || m.Form == dialect.Closing || m.Form == dialect.Literal && d.follows(m.End))
}

// continuesMark reports whether a line belongs to the content of a mark.
func (d *divider) continuesMark(b *block, number int) lineResult {
	if b.own.(*dialect.Mark).Form == dialect.Indented {
		return d.continuesIndented(max(4, min(4+b.indent, d.Indent())))
	}
	exact := markOf(b).Exact
	if exact && b.first == nil {
		b.indent = d.Indent() // of the first line of the content
	}
	d.SkipColumns(min(b.indent, d.Indent()))
	if exact && slices.ContainsFunc(d.open[number+1:], func(inner *block) bool {
		return inner.kind == markBlock && inner.marker == b.marker && inner.length == b.length
	}) {
		return yes // the line may be the end of an inner one
	}
	inCode := (b.marker == '/' || exact) && d.tip().fenced
	if run := inline.RunLength(d.Ahead(), b.marker); !d.tooFar() && run >= b.length && (run == b.length || !exact) && strings.Trim(d.Ahead()[run:], " \t") == "" && !inCode {
		d.closeTo(number - 1)
		return lineDone
	}
	return yes
}

// markOf returns the mark of a block, nil if it has none.
func markOf(b *block) *dialect.Mark {
	m, _ := b.own.(*dialect.Mark) // own has other types too
	return m
}

func markTag(m *dialect.Mark, text string, pos Pos) tag {
	return tag{
		Tag:  inline.Tag{Name: m.Name, Closing: m.Form == dialect.Closing, SelfClosing: m.Form == dialect.Leaf},
		text: text, pos: pos, mark: m,
	}
}

// marked adds the content of a mark. Consecutive tabs share one component, which it
// returns; before is that of the previous block.
func (p *parser) marked(b *block, before *Component, a *assembler) *Component {
	m := markOf(b)
	t := markTag(m, inline.FirstLine(p.source[b.pos:]), Pos(b.pos))
	p.showTag(&t)
	blocks := p.blocks(b, false)
	if m.Name == "figcaption" && a.caption(blocks) {
		return nil
	}
	if m.Hidden {
		blocks = nil
	}
	made := p.wrapMark(&t, blocks)
	if _, joined := m.Attributes.Get("first"); m.Name != "Tab" || !joined {
		a.blocks(made)
		return nil
	}
	if before == nil || m.Attributes.Bool("first") {
		before = &Component{at: at{t.pos}, Kind: element.Tabs, Name: "Tabs"}
		a.block(before)
	}
	before.Blocks = append(before.Blocks, made...)
	return before
}

func (p *parser) wrapMark(t *tag, blocks []Block) []Block {
	m := t.mark
	if blocks, ok := p.defined(t); ok {
		return blocks
	}
	if m.LeftOut {
		p.notice(ExpressionOmitted, t.pos, t.text)
	}
	if m.Form == dialect.Opening && !m.Alone && len(blocks) == 0 {
		return nil
	}
	var title []Inline
	if m.Title != "" {
		title = p.inline(plainSource(m.Title, t.pos+Pos(max(0, strings.Index(t.text, m.Title)))))
	}
	for i, text := range []string{m.Above, m.Beneath} {
		if text != "" && m.Code {
			blocks = slices.Insert(blocks, i*len(blocks), Block(code(m.Info, text+"\n", t.pos)))
		} else if text != "" {
			blocks = slices.Insert(blocks, i*len(blocks), Block(&Paragraph{at{t.pos}, false, p.inline(plainSource(text, t.pos))}))
		}
	}
	switch {
	case m.Include != nil && m.Code:
		text, _, found := p.file(*m.Include, t)
		if !found {
			return nil
		}
		return []Block{code(m.Info, p.dialect.Coded(m.Info, strings.TrimRight(text, "\n")+"\n"), t.pos)}
	case m.Name == "table":
		heads, _ := strconv.Atoi(m.Attributes.String("header-rows")) // 0 without a number
		if blocks = listTable(blocks, heads); len(title) > 0 {
			blocks = slices.Insert(blocks, 0, Block(&Element{at{t.pos}, "caption", nil, []Block{&Paragraph{at{t.pos}, false, title}}}))
			title = nil
		}
	case m.Name == "Code":
		for _, b := range blocks {
			if code, ok := b.(*Code); ok {
				code.Title, code.Numbered = m.Attributes.String("title"), code.Numbered || m.Attributes.Bool("lineNumbers")
				break
			}
		}
		return blocks
	case m.Name == "content-ref":
		for _, n := range firstText(blocks) {
			if link, ok := n.(*Link); ok {
				link.Unnamed = path.Base(link.Href) == PlainText(link.Inlines) // also of a folder
			}
		}
	case element.KindOf(m.Name) == element.Frame && m.Attributes.String("src") != "":
		return []Block{p.frame(m, title, blocks, t.pos)}
	case element.KindOf(m.Name) == element.Callout && len(blocks) == 0 && len(title) > 0 && !m.Alone && (m.Form == dialect.Fenced || m.Form == dialect.Leaf):
		return []Block{callout(m.Attributes.String("type"), nil, nil, []Block{&Paragraph{at{t.pos}, false, title}}, t.pos)}
	case element.KindOf(m.Name) == element.Callout:
		if m.Attributes.Bool("untitled") {
			title = []Inline{}
		}
		if m.Headed && len(blocks) > 0 {
			if h, ok := blocks[0].(*Heading); ok {
				title, blocks[0] = h.Inlines, &Element{h.at, "div", Attributes{{Name: "id", Value: h.Anchor}}, nil}
			}
		}
		return []Block{callout(m.Attributes.String("type"), title, nil, blocks, t.pos)}
	}
	if m.Text != "" {
		said := &Paragraph{at{t.pos}, false, []Inline{&Text{at{t.pos}, m.Text}}}
		if len(blocks) == 0 || !element.IsLink(m.Name) {
			blocks = append([]Block{said}, blocks...)
		}
	}
	own := *t
	own.mark = &dialect.Mark{Attributes: m.Attributes, Name: m.Name} // for wrap, a generic element
	blocks = p.wrapTag(&own, blocks)
	if len(title) > 0 && (len(blocks) > 0 || m.Hidden || m.Alone) {
		if c, ok := append(slices.Clip(blocks), nil)[0].(*Component); ok {
			c.Title, c.Open = title, m.Attributes.Bool("default")
			return blocks
		}
		blocks = append([]Block{&Paragraph{at{t.pos}, false, []Inline{&Strong{at{t.pos}, title}}}}, blocks...)
	}
	return blocks
}

// listTable makes a table of a list of rows, which are lists of cells.
func listTable(blocks []Block, heads int) []Block {
	var made []Block
	for _, b := range blocks {
		rows, ok := b.(*List)
		for n := 0; ok && n < len(rows.Items); n++ {
			row := &Element{rows.Items[n].at, "tr", nil, nil}
			made = append(made, row)
			for _, b := range rows.Items[n].Blocks {
				cells, ok := b.(*List)
				for i := 0; ok && i < len(cells.Items); i++ {
					name := "td"
					if n < heads {
						name = "th"
					}
					row.Blocks = append(row.Blocks, &Element{cells.Items[i].at, name, nil, cells.Items[i].Blocks})
				}
			}
		}
	}
	return made
}

// frame makes a captioned picture; the caption is the title or the first paragraph below.
func (p *parser) frame(m *dialect.Mark, title []Inline, blocks []Block, pos Pos) *Component {
	src := m.Attributes.String("src")
	p.show(src, pos)
	if len(title) == 0 && len(blocks) > 0 {
		if said, ok := blocks[0].(*Paragraph); ok {
			title, blocks = said.Inlines, blocks[1:]
		}
	}
	image := []Inline{&Image{at{pos}, src, m.Attributes.String("alt"), "", m.Attributes}}
	if href := m.Attributes.String("link"); href != "" {
		image = []Inline{&Link{at: at{pos}, Href: href, Inlines: image}}
	}
	return &Component{at: at{pos}, Kind: element.Frame, Name: m.Name, Title: title, Blocks: append([]Block{&Paragraph{at{pos}, false, image}}, blocks...)}
}

// markEnd is the end of a mark that encloses text.
type markEnd struct {
	at   int
	mark dialect.Mark
}

// markAt reads the dialect's mark at an offset and returns its width.
func (p *parser) markAt(text string, at int) int {
	if i := slices.IndexFunc(p.ends, func(e markEnd) bool { return e.at == at }); i >= 0 {
		p.marks, p.ends = append(p.marks, p.ends[i].mark), p.ends[:i]
		return p.marks[len(p.marks)-1].Width
	}
	m, found := p.dialect.Inline(text, at)
	if !found {
		return 0
	}
	p.marks = append(p.marks, m)
	if m.Reach > 0 {
		p.ends = slices.DeleteFunc(p.ends, func(e markEnd) bool { return e.at < at })
		p.ends = append(p.ends, markEnd{at + m.Reach, dialect.Mark{Form: dialect.Closing, Name: m.Name, Width: cmp.Or(m.Tail, m.Width)}})
	}
	return m.Width
}

func (b *builder) mark(t *inline.Token, m *dialect.Mark, content string, pos Pos) {
	found := markTag(m, content, pos)
	href := m.Attributes.String("href")
	from, name := dialect.Named(content)
	if name == "" {
		from, name = strings.LastIndex(content, href), href
	}
	if from >= 0 {
		b.p.addRange(Range{Kind: LinkRange, Address: href}, &b.source, int(t.Start)+from, name)
	}
	b.p.showTag(&found)
	if blocks, ok := b.p.defined(&found); ok {
		b.nodes = append(b.nodes, b.p.includeInline(&found, blocks)...)
		b.textTo = -1
		return
	}
	if m.LeftOut {
		b.p.notice(ExpressionOmitted, pos, content)
	}
	if m.Form != dialect.Leaf {
		b.tag(&found, t)
		return
	}
	var said []Inline
	if m.Text != "" {
		said = []Inline{&Text{at{pos}, m.Text}}
	}
	b.nodes = append(b.nodes, b.p.span(&found, said, b.inLink > 0)...)
	b.textTo = -1
}

// literal adds the content of a mark whose lines are not parsed.
func (p *parser) literal(m *dialect.Mark, b *block, a *assembler) {
	if m.LeftOut {
		p.notice(ExpressionOmitted, Pos(b.pos), inline.FirstLine(p.source[b.pos:]))
	}
	switch {
	case m.Hidden:
	case m.Include != nil:
		for line := range strings.Lines(p.lines(b)) {
			if name := strings.TrimSpace(line); name != "" {
				file, _ := dialect.Snippet(name)
				a.blocks(p.includeFile(file, nil, &tag{text: name, pos: Pos(b.pos)}))
			}
		}
	default:
		var blocks []Block
		text := strings.Trim(p.lines(b), "\n")
		if text != "" {
			blocks = []Block{code(b.info, p.dialect.Coded(b.info, text+"\n"), Pos(b.pos))}
		}
		t := markTag(m, inline.FirstLine(p.source[b.pos:]), Pos(b.pos))
		if m.Becomes != nil && p.within < maxDefined && p.included+len(text) <= MaxIncluded {
			p.included += len(text)
			blocks = p.textOf(m.Name, m.Becomes(text), false, p.values, &t, false)
		}
		a.blocks(p.wrapMark(&t, blocks))
		if m.Example && p.within < maxDefined && p.included+len(text) <= MaxIncluded {
			p.included += len(text)
			a.blocks(p.textOf(m.Info, text, false, p.values, &t, false))
		}
	}
}

// filled replaces the lines of code that name files by the text of these files.
func (p *parser) filled(info, text string, pos Pos) string {
	if p.dialect == nil || !p.dialect.InCode {
		return p.dialect.Coded(info, text)
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		m, found := p.dialect.Block(strings.TrimSpace(line))
		if !found || m.Include == nil || m.Include.Name == "" {
			out.WriteString(line)
			continue
		}
		file, _, found := p.file(*m.Include, &tag{text: strings.TrimSpace(line), pos: pos})
		if !found {
			out.WriteString(line)
		} else if out.WriteString(file); !strings.HasSuffix(file, "\n") {
			out.WriteByte('\n')
		}
	}
	return p.dialect.Coded(info, out.String())
}

// leads resolves an address by the dialect.
func (p *parser) leads(written string, pos Pos) string {
	written = p.dialect.Fill(written, p.values)
	if p.dialect == nil || p.dialect.Address == nil {
		return written
	}
	to, ok := p.dialect.Address(written)
	if !ok {
		p.notice(ExpressionOmitted, pos, written)
	}
	return to
}
