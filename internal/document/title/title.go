// Package title finds the heading that names a document.
package title

import (
	"math"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
)

// Of returns the heading that names the document, or nil, and its index in Blocks, or -1 if
// it is nested. It is the first heading of level 1, in Markdown or HTML, else the only
// heading of the highest level. Headings in lists, quotations and components do not
// count.
func Of(d *document.Document) (title *document.Heading, block int) {
	var found []titled
	for i, b := range d.Blocks {
		found = appendTitles(found, b, i, true)
	}
	if len(found) == 0 {
		return nil, -1
	}
	first := slices.MinFunc(found, func(a, b titled) int { return a.Level - b.Level })
	same := 0
	for _, t := range found {
		if t.Level == first.Level {
			same++
		}
	}
	if first.Level > 1 && same > 1 {
		return nil, -1
	}
	return first.Heading, first.block
}

// Shown returns the heading that already shows the title: the result of Of if it equals
// title, ignoring case, or is of level 1 with no text above; else nil.
func Shown(d *document.Document, title string) (h *document.Heading, block int) {
	h, block = Of(d)
	if h == nil || !strings.EqualFold(h.Text, title) && (block < 0 || h.Level > 1 || strings.TrimSpace(document.Beginning(d.Blocks[:block], math.MaxInt)) != "") {
		return nil, -1
	}
	return h, block
}

// titled is a heading and its index in the blocks, -1 if nested.
type titled struct {
	*document.Heading
	block int
}

func appendTitles(found []titled, b document.Block, block int, top bool) []titled {
	if !top {
		block = -1
	}
	switch b := b.(type) {
	case *document.Heading:
		if b.Text != "" {
			found = append(found, titled{b, block})
		}
	case *document.Element:
		if h := b.Heading(); h != nil {
			if h.Text != "" {
				found = append(found, titled{h, block})
			}
			return found
		}
		if b.Name == "details" || b.Name == "blockquote" {
			return found
		}
		for _, inner := range b.Blocks {
			found = appendTitles(found, inner, block, false)
		}
	case *document.Component:
		for _, inner := range b.Blocks {
			if b.Kind == document.NoKind {
				found = appendTitles(found, inner, block, false)
			}
		}
	}
	return found
}
