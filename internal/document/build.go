package document

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/fence"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// piece is a part of a text: inlines, or a tag that opens or closes something outside of
// the text.
type piece struct {
	inlines []Inline
	tag     *tag
}

// builder makes nodes of tokens. Complete nodes are on one stack; each frame is an open
// mark or tag, and owns the nodes above its start.
type builder struct {
	p      *parser
	source inlineSource
	splits bool // tags may extend beyond the text
	nodes  []Inline
	frames []frame
	pieces []piece

	pairs *element.Pairs // of Markdown; nil until there is a component

	inLink, inImage, ignored int // ignored counts the marks beyond the maximal depth
	textFrom                 int // start of the last node if it is text
	textTo                   int // its end; -1 if it is not text
}

type frame struct {
	kind  inline.Kind
	token *inline.Token
	tag   *tag // of Markup
	pos   Pos
	start int
}

// inline returns the nodes of a self-contained text.
func (p *parser) inline(source inlineSource) []Inline {
	pieces := p.flow(source, false)
	if len(pieces) == 0 {
		return nil
	}
	return pieces[0].inlines
}

// flow returns the nodes of a text, valid until the next call. With splits, tags may
// divide it.
func (p *parser) flow(source inlineSource, splits bool) []piece {
	p.behind, p.marks, p.ends = p.behind[:0], p.marks[:0], p.ends[:0]
	tokens := p.tokens.Parse(source.text)
	b := builder{p: p, source: source, splits: splits, nodes: p.scratch[:0], pieces: p.pieces[:0], textTo: -1}
	for i := range tokens {
		b.take(&tokens[i])
	}
	b.finish()
	p.ends = p.ends[:0]
	p.scratch, p.pieces = b.nodes[:0], b.pieces[:0]
	return b.pieces
}

// newText allocates texts in batches.
func (p *parser) newText(pos Pos, text string) *Text {
	if len(p.texts) == 0 {
		p.texts = make([]Text, 16)
	}
	t := &p.texts[0]
	p.texts = p.texts[1:]
	*t = Text{at{pos}, text}
	return t
}

func (b *builder) add(n Inline) {
	b.nodes = append(b.nodes, n)
	b.textTo = -1
}

// text adds a piece of the source literally.
func (b *builder) text(from, to int) {
	if b.textTo == from {
		b.nodes[len(b.nodes)-1].(*Text).Text = b.source.text[b.textFrom:to]
		b.textTo = to
		return
	}
	b.add(b.p.newText(b.source.at(from), b.source.text[from:to]))
	b.textFrom, b.textTo = from, to
}

func (b *builder) take(t *inline.Token) {
	content := b.source.text[t.Start:t.End]
	pos := b.source.at(int(t.Start))
	switch t.Kind {
	case inline.Plain:
		if len(b.p.abbreviations) > 0 {
			b.abbreviated(int(t.Start), int(t.End))
			return
		}
		b.text(int(t.Start), int(t.End))
	case inline.Entity:
		text, _ := inline.ScanEntity(content)
		b.add(b.p.newText(pos, text))
	case inline.Break, inline.HardBreak:
		wanted := t.Kind == inline.HardBreak
		if d := b.p.dialect; d != nil && d.Notes && len(b.nodes) > 0 {
			_, broken := b.nodes[len(b.nodes)-1].(*Break)
			wanted = !broken
		}
		b.add(&Break{at{pos}, wanted})
	case inline.Code:
		content = inline.CodeText(content)
		if b.p.mdx {
			content = fence.Plain(content)
		}
		b.add(&CodeSpan{at{pos}, b.p.dialect.Coded("", content)})
	case inline.Expression:
		if text := b.p.expression(content, pos); text != "" {
			b.add(b.p.newText(pos, text))
		}
	case inline.Autolink:
		b.p.addRange(Range{Kind: LinkRange, Address: t.Address(content)}, &b.source, int(t.Start), content)
		b.autolink(t, content, pos)
	case inline.Footnote:
		b.p.addRange(Range{Kind: FootnoteRefRange, Label: inline.FoldLabel(content)}, &b.source, int(t.Start), content)
		if ref := b.p.footnoteRef(content, pos-2); ref != nil {
			b.add(ref)
		}
	case inline.Note:
		said := b.source.from(int(t.Start))
		said.text = content
		b.add(b.p.refer(&footnoteSource{said: said, footnote: &Footnote{at: at{pos}}}, pos-2))
	case inline.Mark:
		m := b.p.marks[t.Index] // the slice is reused
		b.mark(t, &m, content, pos)
	case inline.Markup:
		found := &tag{Tag: b.p.tokens.Tags[t.Index], text: content, pos: pos}
		if !b.p.mdx {
			b.nameComponent(found, int(t.End))
		}
		b.p.showTag(found)
		b.tag(found, t)
	case inline.Link, inline.Image, inline.Emphasis, inline.Strong, inline.Deleted:
		if len(b.frames) >= maxDepth || b.ignored > 0 {
			b.ignored++
			return
		}
		switch t.Kind {
		case inline.Link:
			b.inLink++
		case inline.Image:
			if b.inImage++; b.inImage == 1 {
				b.p.show(b.p.leads(inline.Unescape(b.p.tokens.Targets[t.Index].Destination), pos), pos)
			}
		}
		b.push(frame{kind: t.Kind, token: t, pos: pos})
	case inline.LinkEnd, inline.ImageEnd, inline.EmphasisEnd, inline.StrongEnd, inline.DeletedEnd:
		if b.ignored > 0 {
			b.ignored--
			return
		}
		b.end(t)
	}
}

func (b *builder) push(f frame) {
	f.start = len(b.nodes)
	b.frames = append(b.frames, f)
	b.textTo = -1
}

// pop removes the innermost frame and returns it with its content.
func (b *builder) pop() (frame, []Inline) {
	f := b.frames[len(b.frames)-1]
	b.frames = b.frames[:len(b.frames)-1]
	children := slices.Clone(b.nodes[f.start:])
	b.nodes = b.nodes[:f.start]
	b.textTo = -1
	return f, children
}

// end closes the innermost mark and the tags open in it. t is the closing token.
func (b *builder) end(t *inline.Token) {
	for b.frames[len(b.frames)-1].kind == inline.Markup {
		b.abandon()
	}
	f, children := b.pop()
	to, title, attributes := inline.Target{}, "", Attributes(nil)
	if f.kind == inline.Link || f.kind == inline.Image {
		to = b.p.tokens.Targets[f.token.Index]
		title, attributes = dialect.Titled(inline.Unescape(to.Title), b.p.behind[f.token.Index])
		b.p.addTargetRange(f.token, t, to, &b.source)
	}
	switch f.kind {
	case inline.Link:
		b.inLink--
		if b.inLink > 0 {
			b.nodes = append(b.nodes, children...)
			return
		}
		href := b.p.leads(inline.Unescape(to.Destination), f.pos)
		if href == "" && to.Destination != "" {
			b.nodes = append(b.nodes, children...)
			return
		}
		b.add(&Link{at: at{f.pos}, Href: href, Title: title, Attributes: attributes, Inlines: children})
	case inline.Image:
		b.inImage--
		alt := PlainText(children)
		if d := b.p.dialect; d != nil && d.Alt != nil {
			said, size := d.Alt(alt)
			alt, attributes = said, append(attributes, size...)
		}
		if d := b.p.dialect; d != nil && d.Leads != nil && strings.HasPrefix(to.Destination, "#") { // what has the label
			b.add(&Link{at: at{f.pos}, Href: to.Destination, Attributes: append(attributes, Attribute{Name: dialect.Shown, Value: true}), Inlines: children})
			return
		}
		b.add(&Image{at{f.pos}, b.p.leads(inline.Unescape(to.Destination), f.pos), alt, title, attributes})
	case inline.Emphasis:
		b.add(&Emphasis{at{f.pos}, children})
	case inline.Strong:
		b.add(&Strong{at{f.pos}, children})
	case inline.Deleted:
		b.add(&Deleted{at{f.pos}, children})
	}
}

func (b *builder) autolink(t *inline.Token, written string, pos Pos) {
	text := &Text{at{pos}, written}
	if b.inLink > 0 {
		b.add(text)
		return
	}
	b.add(&Link{at: at{pos}, Href: t.Address(written), Inlines: []Inline{text}})
}

// finish closes all frames and completes the last piece.
func (b *builder) finish() {
	if !b.splitFrames() {
		for len(b.frames) > 0 {
			b.abandon()
		}
	}
	b.cut(nil)
}

// splitFrames moves the open tags out of the text if all of them may contain blocks. It
// reports whether none is left open.
func (b *builder) splitFrames() bool {
	for _, f := range b.frames {
		if f.kind != inline.Markup || !b.splits || b.p.class(f.tag.Name) == element.Phrasing {
			return false
		}
	}
	if len(b.frames) == 0 {
		return true
	}
	frames, nodes, from := b.frames, b.nodes, 0
	b.frames = nil
	for _, f := range frames {
		b.nodes = nodes[from:f.start:f.start]
		from = f.start
		b.cut(f.tag)
	}
	b.nodes = nodes[from:]
	b.textTo = -1
	return true
}

// cut ends a piece before a tag.
func (b *builder) cut(t *tag) {
	if len(b.nodes) > 0 {
		b.pieces = append(b.pieces, piece{inlines: slices.Clone(b.nodes)})
	}
	b.nodes, b.textTo = b.nodes[:0], -1
	if t != nil {
		own := *t // the tokens are reused
		b.pieces = append(b.pieces, piece{tag: &own})
	}
}

// trimEdges trims line ends and blanks at both ends.
func trimEdges(nodes []Inline) []Inline {
	for len(nodes) > 0 {
		if text, ok := nodes[0].(*Text); ok {
			if text.Text = strings.TrimLeft(text.Text, " \t\n"); text.Text != "" {
				break
			}
		} else if _, ok := nodes[0].(*Break); !ok {
			break
		}
		nodes = nodes[1:]
	}
	for len(nodes) > 0 {
		last := nodes[len(nodes)-1]
		if text, ok := last.(*Text); ok {
			if text.Text = strings.TrimRight(text.Text, " \t\n"); text.Text != "" {
				break
			}
		} else if _, ok := last.(*Break); !ok {
			break
		}
		nodes = nodes[:len(nodes)-1]
	}
	return nodes
}
