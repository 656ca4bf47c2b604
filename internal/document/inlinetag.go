package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/literal"
)

func (b *builder) tag(t *tag, token *inline.Token) {
	class := b.p.class(t.Name)
	if class == element.Unknown && !b.p.mdx && !element.StartsUpper(t.Name) {
		b.text(int(token.Start), int(token.End)) // List<String> and similar
		return
	}
	switch {
	case t.Closing:
		b.closeTag(t)
	case element.HoldsNothing(t.Name) || t.SelfClosing:
		if b.p.isBlock(t.Name) && b.splits && b.splitFrames() {
			own := *t
			own.SelfClosing = true
			b.cut(&own)
			return
		}
		b.nodes = append(b.nodes, b.p.span(t, nil, b.inLink > 0)...)
		b.textTo = -1
	case b.p.isBlock(t.Name) && b.splits && b.splitFrames():
		b.cut(t)
	case len(b.frames) >= maxDepth:
		b.p.notice(TooDeep, t.pos, t.text)
	default:
		if element.IsLink(t.Name) {
			b.inLink++
		}
		b.push(frame{kind: inline.Markup, tag: t, pos: t.pos})
	}
}

// closeTag closes the innermost element with that name in the innermost mark.
func (b *builder) closeTag(t *tag) {
	for i := len(b.frames) - 1; i >= 0 && b.frames[i].kind == inline.Markup; i-- {
		if b.frames[i].tag.Name != t.Name {
			continue
		}
		for len(b.frames) > i+1 {
			b.abandon()
		}
		b.wrap()
		return
	}
	if b.splits && b.splitFrames() {
		b.cut(t)
		return
	}
	if t.Name != "" {
		b.p.notice(StrayClose, t.pos, t.text)
	}
}

// wrap completes the innermost tag.
func (b *builder) wrap() {
	f, children := b.pop()
	if element.IsLink(f.tag.Name) {
		b.inLink--
	}
	b.nodes = append(b.nodes, b.p.span(f.tag, children, b.inLink > 0)...)
}

// abandon ends the innermost unclosed tag. An HTML element contains what follows; any other
// tag becomes text.
func (b *builder) abandon() {
	f := b.frames[len(b.frames)-1]
	class := b.p.class(f.tag.Name)
	if m := f.tag.mark; m != nil && m.Alone {
		_, children := b.pop()
		b.nodes = append(append(b.nodes, b.p.span(f.tag, nil, b.inLink > 0)...), children...)
		return
	}
	if f.tag.Name != "" {
		b.p.notice(Unclosed, f.pos, f.tag.text)
	}
	if class != element.Component && class != element.Unknown && class != element.Dropped {
		b.wrap()
		return
	}
	_, children := b.pop()
	if element.IsLink(f.tag.Name) {
		b.inLink--
	}
	b.nodes = append(append(b.nodes, &Text{at{f.pos}, f.tag.text}), children...)
}

// span makes an inline element or component.
func (p *parser) span(t *tag, children []Inline, inLink bool) []Inline {
	class := p.class(t.Name)
	pos := at{t.pos}
	switch {
	case class == element.Dropped:
		p.notice(ElementOmitted, t.pos, t.text)
		return nil
	case class == element.Transparent || t.Name == "":
		return children
	}
	if p.imports[t.Name] != "" {
		return append(p.includeInline(t, p.include(t)), children...)
	}
	attributes := p.readAttributes(t, class != element.Unknown)
	if class == element.Unknown {
		p.notice(UnknownComponent, t.pos, t.text)
		if href, ok := attributes.Target(element.StartsUpper(t.Name)); ok && !inLink && href != "" {
			return []Inline{&Link{at: pos, Href: href, Inlines: orLabel(children, append(attributes, Attribute{Name: "name", Value: href}), pos)}}
		}
		return p.saidInline(t, attributes, children)
	}
	switch {
	case t.Name == "br":
		return []Inline{&Break{pos, true}}
	case element.IsLink(t.Name):
		if href, ok := attributes.Target(element.StartsUpper(t.Name)); ok && !inLink {
			return []Inline{&Link{at: pos, Href: href, Title: attributes.String("title"), Attributes: attributes, Inlines: orLabel(children, attributes, pos)}}
		}
		if inLink {
			return children
		}
		t.Name = "a"
	case element.IsImage(t.Name):
		src := attributes.String("src")
		return []Inline{&Image{pos, src, attributes.String("alt"), attributes.String("title"), attributes}}
	case class == element.Embedded:
		return p.embedded(t, attributes, children, inLink)
	}
	if href, ok := attributes.Target(true); ok && href != "" && class == element.Component && !inLink {
		return []Inline{&Link{at: pos, Href: href, Title: attributes.String("tip", "title"), Attributes: attributes, Inlines: orLabel(children, attributes, pos)}}
	}
	s := &Span{at: pos, Name: t.Name, Attributes: attributes, Inlines: children}
	if s.Kind = element.KindOf(t.Name); s.Kind == element.NoKind {
		s.Name, s.Kind = element.Modern(t.Name), element.NoKind
	} else if len(children) == 0 && s.Kind == element.Icon {
		s.Inlines = orLabel(nil, Attributes{{Name: "label", Value: cmp.Or(attributes.String("label", "title", "alt"), element.Sign(attributes.String("icon", "name")))}}, pos) // no name is one
	} else if len(children) == 0 {
		s.Inlines = orLabel(nil, attributes, pos)
	}
	return []Inline{s}
}

// embedded returns a link instead of an embedded site or player.
func (p *parser) embedded(t *tag, attributes Attributes, children []Inline, inLink bool) []Inline {
	p.notice(ElementOmitted, t.pos, t.text)
	src := element.Source(t.Name, attributes)
	if src == "" || inLink {
		return children
	}
	label := cmp.Or(attributes.String("title", "alt"), src)
	return []Inline{&Link{at: at{t.pos}, Href: src, Embedded: true, Inlines: []Inline{&Text{at{t.pos}, label}}}}
}

// orLabel returns children, or a label from the attributes.
func orLabel(children []Inline, attributes Attributes, pos at) []Inline {
	if len(children) > 0 {
		return children
	}
	if label := attributes.String("title", "label", "text", "name"); label != "" {
		return []Inline{&Text{pos, label}}
	}
	return nil
}

// expression returns the text of an MDX expression that is a literal.
func (p *parser) expression(written string, pos Pos) string {
	if literal.Comment(written) {
		return ""
	}
	value, ok := literal.Value(written[1:len(written)-1], p.values)
	if !ok {
		p.notice(ExpressionOmitted, pos, written)
		return ""
	}
	items, isList := value.([]any)
	if !isList {
		return attribute.Text(value)
	}
	var text strings.Builder
	for _, item := range items {
		text.WriteString(attribute.Text(item))
	}
	return text.String()
}
