package document

import (
	"strconv"
	"strings"
	"unicode"

	gmast "github.com/yuin/goldmark/ast"
)

// heading makes the node of a heading. Its anchor is the one that package
// markdown finds.
func (p *parser) heading(n *gmast.Heading) *Heading {
	source := p.sourceOf(segments(n))
	h := &Heading{at: at{Pos(max(0, n.Pos()))}, Level: n.Level}
	p.inHeading = true
	h.Anchor = p.takeAnchor(&source, h)
	if h.Anchor == "" {
		h.Anchor = p.unused(slug(oneLine(p.inlines.plainText(source))))
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
	s := source.text
	open := strings.LastIndexByte(s, '{')
	if open < 0 || !strings.HasSuffix(s, "}") {
		return ""
	}
	inner := s[open+1 : len(s)-1]
	for _, field := range strings.Fields(inner) {
		if len(field) > 1 && field[0] == '#' {
			source.text = s[:open]
			if attributes, ok := parseAttributes(inner); ok {
				h.Attributes = attributes
			}
			return field[1:]
		}
	}
	return ""
}

// unused gives a slug a number if it was given before.
func (p *parser) unused(slug string) string {
	anchor := slug
	for {
		if _, taken := p.anchors[anchor]; !taken {
			p.anchors[anchor] = 0
			return anchor
		}
		p.anchors[slug]++
		anchor = slug + "-" + strconv.Itoa(p.anchors[slug])
	}
}

// slug makes an anchor of a heading as GitHub does: letters, digits, hyphens
// and underscores stay, in lower case, spaces become hyphens, the rest goes.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// oneLine makes one line of a text, with single spaces.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' }), " ")
}

// plainText returns what of a text makes the anchor of a heading: neither marks
// nor tags.
func (p *inlines) plainText(source inlineSource) string {
	var b strings.Builder
	for _, t := range p.parse(source) {
		piece := p.text[t.start:t.end]
		switch t.kind {
		case textToken, codeToken, autolinkToken:
			b.WriteString(piece)
		case entityToken:
			b.WriteString(decodeEntity(piece))
		case breakToken, hardBreakToken:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
