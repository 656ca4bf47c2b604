package document

import (
	"fmt"
	"sort"
)

// Notice tells of something in the source that a rendering does not show as
// its author meant it.
type Notice struct {
	Kind NoticeKind
	Position
	Text string // what was written, shortened
}

// NoticeKind tells what a notice is about.
type NoticeKind uint8

// The kinds of notices. Imports and exports are recorded; the others are
// warnings.
const (
	ImportOmitted NoticeKind = iota
	ExportOmitted
	ExpressionOmitted // not a literal
	AttributeOmitted  // the value is not a literal
	UnknownComponent  // shown as its children
	ElementOmitted    // an element that is not safe; its text is shown unless it is code
	Unclosed          // closed where the block around it ends, or shown as text
	StrayClose        // nothing to close
	TooDeep           // nested deeper than the limit
	TooLarge          // longer than the limit
	UnresolvedLink    // leads to no page
	UnresolvedImage   // shows no asset
	UnresolvedAnchor  // no heading has the anchor that a link names; one that is alike may have
	UnsafeAddress     // of a scheme that is not shown
	NotHighlighted    // code that takes too long to read, or is too long
	NotIncluded       // the text of a file that is imported
)

// Warning reports whether a reader may miss something.
func (k NoticeKind) Warning() bool { return k != ImportOmitted && k != ExportOmitted }

// String says the kind in words.
func (k NoticeKind) String() string {
	return [...]string{
		"import left out", "export left out", "expression left out", "attribute left out", "unknown component shown as its content",
		"element left out", "never closed", "closes nothing", "nested too deeply", "too large",
		"link leads to no page", "image is not an asset",
		"no heading has the anchor of the link", "address left out", "code not coloured",
		"included text left out",
	}[k]
}

// String returns the notice as one line: place, kind and what was written.
func (n Notice) String() string {
	return fmt.Sprintf("%d:%d: %s: %s", n.Line, n.Column, n.Kind, n.Text)
}

// The most notices of a page, and bytes that one quotes.
const (
	maxNotices   = 200
	maxNoticeLen = 60
)

// notice records a notice. What comes after the first maxNotices would help
// nobody.
func (p *parser) notice(kind NoticeKind, at Pos, text string) {
	if len(p.notices) < maxNotices {
		p.notices = append(p.notices, placed{at, Notice{Kind: kind, Text: shorten(text)}})
	}
}

// placed is a notice whose line is not known yet.
type placed struct {
	pos    Pos
	notice Notice
}

// sortedNotices returns the notices in the order of the source.
func (p *parser) sortedNotices() []Notice {
	sort.SliceStable(p.notices, func(i, j int) bool { return p.notices[i].pos < p.notices[j].pos })
	var all []Notice
	for _, n := range p.notices {
		n.notice.Position = p.doc.Position(n.pos)
		all = append(all, n.notice)
	}
	return all
}
