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

type NoticeKind = source.Kind

// The kinds of notices, see package source.
const (
	ImportOmitted, ExportOmitted, ExpressionOmitted, AttributeOmitted = source.ImportOmitted, source.ExportOmitted, source.ExpressionOmitted, source.AttributeOmitted
	UnknownComponent, ElementOmitted, Unclosed, StrayClose            = source.UnknownComponent, source.ElementOmitted, source.Unclosed, source.StrayClose
	TooDeep, TooLarge, UnresolvedLink, UnresolvedImage, NotInLine     = source.TooDeep, source.TooLarge, source.UnresolvedLink, source.UnresolvedImage, source.NotInLine
	UnresolvedAnchor, UnsafeAddress, NotHighlighted, NotIncluded      = source.UnresolvedAnchor, source.UnsafeAddress, source.NotHighlighted, source.NotIncluded
)

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
