package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// definitions takes the link reference definitions from the start of a
// paragraph. goldmark's own takes quadratic time for many of them.
type definitions struct{ p *parser }

func (d definitions) Transform(node *gmast.Paragraph, _ text.Reader, _ gmparser.Context) {
	segments := node.Lines()
	if segments.Len() == 0 || !strings.HasPrefix(d.p.line(segments.At(0)), "[") {
		return
	}
	trimmed := make([]text.Segment, segments.Len())
	for i := range trimmed {
		segment := segments.At(i)
		trimmed[i] = text.NewSegment(segment.Start+inline.Blanks(d.p.source[segment.Start:segment.Stop]), segment.Stop)
	}
	content := d.p.sourceOf(trimmed).text
	rest := d.p.references.Define(content, &d.p.scan)
	if len(rest) == len(content) {
		return
	}
	place := &extra{} // so that a list sees the blank line before it
	place.SetBlankPreviousLines(node.HasBlankPreviousLines())
	node.Parent().InsertBefore(node.Parent(), node, place)
	if strings.TrimSpace(rest) == "" {
		node.Parent().RemoveChild(node.Parent(), node)
		return
	}
	segments.SetSliced(strings.Count(content[:len(content)-len(rest)], "\n"), segments.Len())
}
