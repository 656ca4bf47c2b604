package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// heading makes a heading. above are the attributes from the previous line.
func (p *parser) heading(b *block, above Attributes) *Heading {
	source := p.sourceOf(b)
	h := &Heading{at: atPos(b.pos), Level: b.level}
	p.inHeading = true
	h.Anchor = p.takeAnchor(&source, h)
	if beside := append(above, attributesBelow(b)...); len(beside) > 0 {
		h.Attributes = append(h.Attributes, beside...)
		h.Anchor = cmp.Or(beside.String("id"), h.Anchor)
	}
	h.Inlines = trimEdges(p.inline(source))
	h.Text = headingText(h.Inlines)
	if h.Anchor == "" {
		text := inline.OneLine(PlainText(h.Inlines))
		if strings.ContainsAny(source.text, "<{") && len(p.marks) == 0 { // an unknown tag is text, but not part of the anchor
			text = inline.OneLine(p.tokens.PlainText(source.text))
		}
		h.Anchor = p.anchors.Unused(text)
	}
	p.inHeading = false
	p.doc.headings = append(p.doc.headings, h)
	return h
}

// takeAnchor removes {#anchor}, {.class} or {: .class} from the end of a heading, and sets
// the attributes in it.
func (p *parser) takeAnchor(source *inlineSource, h *Heading) string {
	rest, anchor, inside := inline.CutAnchor(source.text)
	if open := strings.LastIndexByte(rest, '{'); anchor == "" && strings.HasSuffix(rest, "}") && open >= 0 {
		inside = rest[open+1 : len(rest)-1]
		if mark := strings.TrimPrefix(inside, "."); strings.HasPrefix(inside, ":") || strings.HasPrefix(inside, "docsify-ignore") || mark != inside && mark != "" && inline.IsLetter(mark[0]) {
			rest = rest[:open]
		}
	}
	source.text = rest
	if attributes, ok := attribute.Parse(inside, false); ok {
		h.Attributes = attributes
	}
	return anchor
}
