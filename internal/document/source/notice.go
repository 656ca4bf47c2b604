package source

import (
	"cmp"
	"fmt"
	"slices"
)

// Position is a line and column, both from 1; columns count characters.
type Position struct {
	Line, Column int
}

// Notice describes something in the source that is not rendered as its author meant.
type Notice struct {
	Kind Kind
	Position
	Text string // source, shortened
}

// String formats the notice on one line: position, kind and source.
func (n Notice) String() string {
	return fmt.Sprintf("%d:%d: %s: %s", n.Line, n.Column, n.Kind, n.Text)
}

// Notices collects notices in any order.
type Notices []pendingNotice

// pendingNotice is a notice without its line.
type pendingNotice struct {
	at     int
	notice Notice
}

// maxNotices is the maximal number of notices per page.
const maxNotices = 200

// Add records a notice, up to maxNotices.
func (n *Notices) Add(kind Kind, at int, text string) {
	if len(*n) < maxNotices {
		*n = append(*n, pendingNotice{at, Notice{Kind: kind, Text: Shorten(text)}})
	}
}

// Sorted returns the notices in source order.
func (n Notices) Sorted(position func(at int) Position) (all []Notice) {
	slices.SortStableFunc(n, func(a, b pendingNotice) int { return cmp.Compare(a.at, b.at) })
	for _, p := range n {
		p.notice.Position = position(p.at)
		all = append(all, p.notice)
	}
	return all
}

// Kind is the kind of a notice of what may be wrong.
type Kind uint8

// The kinds of notices. Imports and exports are informational; the others are warnings.
const (
	ImportOmitted Kind = iota
	ExportOmitted
	ExpressionOmitted // not a literal
	AttributeOmitted  // the value is not a literal
	UnknownComponent  // shown as its children
	ElementOmitted    // an element that is not safe; its text is shown unless it is code
	Unclosed          // closed at the end of its block, or shown as text
	StrayClose        // closing tag without a partner
	TooDeep           // nested deeper than the limit
	TooLarge          // longer than the limit
	UnresolvedLink    // leads to no page
	UnresolvedImage   // shows no asset
	UnresolvedAnchor  // no heading has the anchor of a link; a similar one may
	UnsafeAddress     // the scheme is not allowed
	NotHighlighted    // code that is too long or takes too long to tokenise
	NotIncluded       // text of an imported file
	NotInLine         // a list or another block of an imported file where only text can stand
)

// Warning reports whether a reader may miss something.
func (k Kind) Warning() bool { return k != ImportOmitted && k != ExportOmitted }

func (k Kind) String() string {
	return [...]string{
		"import left out", "export left out", "expression left out", "attribute left out", "unknown component shown as its content",
		"element left out", "never closed", "closes nothing", "nested too deeply", "too large",
		"link leads to no page", "image is not an asset",
		"no heading has the anchor of the link", "address left out", "code not coloured",
		"included text left out", "included block left out of a line",
	}[k]
}
