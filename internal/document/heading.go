package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// heading makes the node of a heading. Its anchor is the one that package
// markdown finds.
func (p *parser) heading(n *gmast.Heading) *Heading {
	source := p.sourceOf(segments(n))
	h := &Heading{at: p.at(n), Level: n.Level}
	p.inHeading = true
	h.Anchor = p.takeAnchor(&source, h)
	if h.Anchor == "" {
		h.Anchor = p.anchors.Unused(oneLine(p.tokens.PlainText(source.text)))
	}
	h.Inlines = trimEdges(p.inline(source))
	p.inHeading = false
	h.Text = oneLine(PlainText(h.Inlines))
	p.doc.headings = append(p.doc.headings, h)
	return h
}

// takeAnchor takes {#anchor} from the end of a heading, and what else stands in
// the braces.
func (p *parser) takeAnchor(source *inlineSource, h *Heading) string {
	rest, anchor, inside := inline.CutAnchor(source.text)
	source.text = rest
	if attributes, ok := parseAttributes(inside); ok {
		h.Attributes = attributes
	}
	return anchor
}

// oneLine makes one line of a text, with single spaces.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' }), " ")
}
