package document

import (
	"fmt"
	"sort"

	"github.com/octavo-docs/octavo/internal/document/source"
)

// Notice describes something in the source that is not rendered as its author meant.
type Notice struct {
	Kind NoticeKind
	Position
	Text string // source, shortened
}

type NoticeKind uint8

// The kinds of notices. Imports and exports are informational; the others are warnings.
const (
	ImportOmitted NoticeKind = iota
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
)

// Warning reports whether a reader may miss something.
func (k NoticeKind) Warning() bool { return k != ImportOmitted && k != ExportOmitted }

func (k NoticeKind) String() string {
	return [...]string{
		"import left out", "export left out", "expression left out", "attribute left out", "unknown component shown as its content",
		"element left out", "never closed", "closes nothing", "nested too deeply", "too large",
		"link leads to no page", "image is not an asset",
		"no heading has the anchor of the link", "address left out", "code not coloured",
		"included text left out",
	}[k]
}

// String formats the notice on one line: position, kind and source.
func (n Notice) String() string {
	return fmt.Sprintf("%d:%d: %s: %s", n.Line, n.Column, n.Kind, n.Text)
}

// maxNotices is the maximal number of notices per page.
const maxNotices = 200

// notice records a notice, up to maxNotices.
func (p *parser) notice(kind NoticeKind, at Pos, text string) {
	if len(p.notices) < maxNotices {
		p.notices = append(p.notices, pendingNotice{at, Notice{Kind: kind, Text: source.Shorten(text)}})
	}
}

// pendingNotice is a notice without its line.
type pendingNotice struct {
	pos    Pos
	notice Notice
}

func (p *parser) sortedNotices() []Notice {
	sort.SliceStable(p.notices, func(i, j int) bool { return p.notices[i].pos < p.notices[j].pos })
	var all []Notice
	for _, n := range p.notices {
		n.notice.Position = p.doc.Position(n.pos)
		all = append(all, n.notice)
	}
	return all
}
