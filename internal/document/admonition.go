package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// admonition is a container delimited by colons.
type admonition struct {
	*dialect.Container
	title, text inlineSource
	closed      bool // by its own closing line
	mdx         bool // of "::: v-pre": whether the surrounding text is MDX
}

func (p *parser) admonition(line string, at int) (*admonition, bool) {
	c, ok := dialect.Colons(line)
	if !ok {
		return nil, false
	}
	source := func(text string) inlineSource {
		return plainSource(text, Pos(at+max(0, strings.Index(line, text))))
	}
	return &admonition{Container: c, title: source(c.Title), text: source(c.Text)}, true
}

func (p *parser) container(own *admonition, b *block, a *assembler) {
	pos := Pos(b.pos)
	if own.Line {
		a.blocks(p.containerLine(own, pos))
		return
	}
	title := p.inline(own.title)
	mdx := p.mdx
	p.readMDX(mdx && own.Name != "v-pre")
	mark := p.tokens.Mark
	if own.Name == "v-pre" {
		p.tokens.Mark = nil
	}
	blocks := p.blocks(b, false)
	p.tokens.Mark = mark
	p.readMDX(mdx)
	if element.Boxless(own.Name) {
		if len(title) > 0 {
			a.block(&Paragraph{at{pos}, false, []Inline{&Strong{at{pos}, title}}})
		}
		a.blocks(blocks)
		return
	}
	c := callout(own.Written, title, own.Attributes, blocks, pos)
	if id := own.Attributes.String("id"); id != "" && (c.Kind == element.Callout || c.Kind == element.Accordion) {
		a.block(&Element{at{pos}, "div", Attributes{{Name: "id", Value: id}}, []Block{c}})
		return
	}
	a.block(c)
}

func (p *parser) readMDX(mdx bool) { p.mdx, p.tokens.MDX = mdx, mdx }

// containerLine returns the blocks of a one-line container: an image, a link, or its text.
func (p *parser) containerLine(own *admonition, pos Pos) []Block {
	paragraph := func(inlines ...Inline) []Block { return []Block{&Paragraph{at{pos}, false, inlines}} }
	source := own.Attributes.String("source", "src")
	label := own.Attributes.String("alt-text", "alt", "title")
	line := plainSource(inline.FirstLine(p.source[pos:]), pos)
	switch {
	case source != "" && own.Name == "image":
		p.show(source, pos)
		p.addRange(Range{Kind: MediaRange, Address: source}, &line, max(0, strings.Index(line.text, source)), source)
		return paragraph(&Image{at{pos}, source, label, "", nil})
	case source != "":
		p.addRange(Range{Kind: LinkRange, Address: source}, &line, max(0, strings.Index(line.text, source)), source)
		return paragraph(&Link{at: at{pos}, Href: source, Embedded: true, Inlines: []Inline{&Text{at{pos}, cmp.Or(label, source)}}})
	case own.text.text == "" && own.title.text == "":
		return nil // a separator between parts of a page
	}
	title := p.inline(own.title)
	var blocks []Block
	if own.text.text != "" {
		blocks = paragraph(p.inline(own.text)...)
	}
	if element.Boxless(own.Name) {
		return blocks
	}
	return []Block{callout(own.Written, title, own.Attributes, blocks, pos)}
}

// closesAdmonition reports whether the line closes the admonition that is open block
// number, and neither one inside it nor code.
func (d *divider) closesAdmonition(b *block, number int) bool {
	if d.Indent() >= 4 || d.Peek() != ':' {
		return false
	}
	own := b.own.(*admonition)
	colons := inline.RunLength(d.Ahead(), ':')
	behind := strings.TrimSpace(strings.TrimRight(d.Ahead()[colons:], ": \t"))
	named := behind != "" && strings.ToLower(behind) == own.Name+"-end" // :::zone-end
	if colons < own.Colons || behind != "" && !named {
		return false
	}
	for _, inside := range d.open[number+1:] {
		if inside.fenced {
			return false
		}
		if inner, ok := inside.own.(*admonition); ok && !named && colons >= inner.Colons && (colons == inner.Colons || colons != own.Colons) || ok && named && inner.Name == own.Name {
			return false
		}
	}
	own.closed = true
	return true
}

// finishAdmonition completes an admonition. One that is never closed ends before the
// next heading, so that it does not contain the rest of the page.
func (d *divider) finishAdmonition(b *block) {
	own := b.own.(*admonition)
	if own.Name == "v-pre" {
		d.mdx = own.mdx
	}
	if own.closed || own.Line {
		return
	}
	d.notice(Unclosed, Pos(b.pos), inline.FirstLine(d.source[b.pos:]))
	around := d.open[len(d.open)-2]
	for c := b.first; c != nil && c.next != nil; c = c.next {
		if c.next.kind == headingBlock {
			b.next, around.last, b.last, c.next = c.next, b.last, c, nil
			return
		}
	}
}
