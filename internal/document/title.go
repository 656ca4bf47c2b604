package document

import (
	"math"
	"slices"
	"strings"
)

// Title returns the heading that names the document, or nil, and its index in Blocks, or -1 if
// it is nested. It is the first heading of level 1, in Markdown or HTML, else the only
// heading of the highest level. Headings in lists, quotations and components do not
// count.
func (d *Document) Title() (title *Heading, block int) {
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

// Says returns the heading that already shows the title: the result of Title if it equals
// title, ignoring case, or is of level 1 with no text above; else nil. In an element block
// is -1.
func (d *Document) Says(title string) (h *Heading, block int) {
	h, block = d.Title()
	if h != nil && block < 0 && h.Level == 1 && strings.HasPrefix(strings.TrimSpace(Beginning(d.Blocks, len(h.Text)+1)), h.Text) {
		return h, block // at the start of an element
	}
	if h == nil || !strings.EqualFold(h.Text, title) && (block < 0 || h.Level > 1 || strings.TrimSpace(Beginning(d.Blocks[:block], math.MaxInt)) != "") {
		return nil, -1
	}
	return h, block
}

// titled is a heading and its index in the blocks, -1 if nested.
type titled struct {
	*Heading
	block int
}

func appendTitles(found []titled, b Block, block int, top bool) []titled {
	if !top {
		block = -1
	}
	switch b := b.(type) {
	case *Heading:
		if b.Text != "" {
			found = append(found, titled{b, block})
		}
	case *Element:
		if n := len(b.Name); n == 2 && b.Name[0] == 'h' && '1' <= b.Name[1] && b.Name[1] <= '6' {
			h := &Heading{at: b.at, Level: int(b.Name[1] - '0'), Anchor: b.Attributes.String("id"), Attributes: b.Attributes}
			for _, inner := range b.Blocks {
				if p, ok := inner.(*Paragraph); ok {
					h.Inlines = append(h.Inlines, p.Inlines...)
				}
			}
			if h.Text = headingText(h.Inlines); h.Text != "" {
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
	case *Component:
		for _, inner := range b.Blocks {
			if b.Kind == NoKind {
				found = appendTitles(found, inner, block, false)
			}
		}
	}
	return found
}
