package document

import (
	"slices"
	"strings"
)

// piece is a part of the text of a block: inlines, or a tag among them that
// opens or closes something beyond this text.
type piece struct {
	inlines []Inline
	tag     *tag
}

// builder makes nodes of tokens. Nodes that are complete stand in one stack;
// each frame is a mark or tag that is open, and owns those from its start on.
type builder struct {
	p      *parser
	splits bool // whether tags may reach beyond the text
	nodes  []Inline
	frames []frame
	pieces []piece

	inLink, ignored int // ignored counts the marks beyond the greatest depth
	textFrom        int // where the last node, a text, starts
	textTo          int // and ends; -1 if it is no text
}

type frame struct {
	kind  tokenKind
	token *token
	tag   *tag // of a tagToken
	pos   Pos
	start int
}

// inline returns the nodes of a text that tags cannot reach beyond.
func (p *parser) inline(source inlineSource) []Inline {
	pieces := p.flow(source, false)
	if len(pieces) == 0 {
		return nil
	}
	return pieces[0].inlines
}

// flow returns the nodes of a text. Where splits are allowed, tags may divide
// it.
func (p *parser) flow(source inlineSource, splits bool) []piece {
	tokens := p.inlines.parse(source)
	b := builder{p: p, splits: splits, nodes: p.scratch[:0], textTo: -1}
	for i := range tokens {
		b.take(&tokens[i])
	}
	b.finish()
	p.scratch = b.nodes[:0]
	return b.pieces
}

func (b *builder) add(n Inline) {
	b.nodes = append(b.nodes, n)
	b.textTo = -1
}

// text adds a piece of the source as it is.
func (b *builder) text(from, to int) {
	in := &b.p.inlines
	if b.textTo == from {
		b.nodes[len(b.nodes)-1].(*Text).Text = in.text[b.textFrom:to]
		b.textTo = to
		return
	}
	b.add(&Text{at{in.source.at(from)}, in.text[from:to]})
	b.textFrom, b.textTo = from, to
}

func (b *builder) take(t *token) {
	in := &b.p.inlines
	content := in.text[t.start:t.end]
	pos := in.source.at(int(t.start))
	switch t.kind {
	case textToken:
		b.text(int(t.start), int(t.end))
	case entityToken:
		b.add(&Text{at{pos}, decodeEntity(content)})
	case breakToken, hardBreakToken:
		b.add(&Break{at{pos}, t.kind == hardBreakToken})
	case codeToken:
		b.add(&CodeSpan{at{pos}, codeText(content)})
	case expressionToken:
		if text := b.p.expression(content, pos); text != "" {
			b.add(&Text{at{pos}, text})
		}
	case autolinkToken:
		b.autolink(t, content, pos)
	case footnoteToken:
		if ref := b.p.footnoteRef(content, pos-2); ref != nil {
			b.add(ref)
		}
	case tagToken:
		b.tag(&in.tags[t.index], t)
	case linkToken, imageToken, emphasisToken, strongToken, deletedToken:
		if len(b.frames) >= maxDepth || b.ignored > 0 {
			b.ignored++
			return
		}
		if t.kind == linkToken {
			b.inLink++
		}
		b.push(frame{kind: t.kind, token: t, pos: pos})
	case linkEndToken, imageEndToken, emphasisEndToken, strongEndToken, deletedEndToken:
		if b.ignored > 0 {
			b.ignored--
			return
		}
		b.end()
	}
}

func (b *builder) push(f frame) {
	f.start = len(b.nodes)
	b.frames = append(b.frames, f)
	b.textTo = -1
}

// pop takes the innermost frame off and returns it with what it holds.
func (b *builder) pop() (frame, []Inline) {
	f := b.frames[len(b.frames)-1]
	b.frames = b.frames[:len(b.frames)-1]
	children := slices.Clone(b.nodes[f.start:])
	b.nodes = b.nodes[:f.start]
	b.textTo = -1
	return f, children
}

// end closes the innermost mark, and the tags in it that are still open.
func (b *builder) end() {
	for b.frames[len(b.frames)-1].kind == tagToken {
		b.abandon()
	}
	f, children := b.pop()
	to := target{}
	if f.kind == linkToken || f.kind == imageToken {
		to = b.p.inlines.targets[f.token.index]
	}
	switch f.kind {
	case linkToken:
		b.inLink--
		if b.inLink > 0 {
			b.nodes = append(b.nodes, children...)
			return
		}
		b.add(&Link{at{f.pos}, unescape(to.destination), unescape(to.title), to.attributes, children})
	case imageToken:
		b.add(&Image{at{f.pos}, unescape(to.destination), PlainText(children), unescape(to.title), to.attributes})
	case emphasisToken:
		b.add(&Emphasis{at{f.pos}, children})
	case strongToken:
		b.add(&Strong{at{f.pos}, children})
	case deletedToken:
		b.add(&Deleted{at{f.pos}, children})
	}
}

func (b *builder) autolink(t *token, address string, pos Pos) {
	text := &Text{at{pos}, address}
	if b.inLink > 0 {
		b.add(text)
		return
	}
	switch {
	case t.mail:
		address = "mailto:" + address
	case t.www:
		address = "http://" + address
	}
	b.add(&Link{at: at{pos}, Href: address, Inlines: []Inline{text}})
}

// finish closes what is open and completes the last piece.
func (b *builder) finish() {
	if !b.splitFrames() {
		for len(b.frames) > 0 {
			b.abandon()
		}
	}
	b.cut(nil)
}

// splitFrames lets the tags that are open reach beyond this text, if all of
// them may, and reports whether none is open any more.
func (b *builder) splitFrames() bool {
	for _, f := range b.frames {
		if f.kind != tagToken || !b.splits || !b.p.reaches(f.tag) {
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
		own := *t // the tokens do not last
		b.pieces = append(b.pieces, piece{tag: &own})
	}
}

// trimEdges takes line ends and blanks from the start and end of a text.
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
