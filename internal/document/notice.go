package document

import "github.com/octavo-docs/octavo/internal/document/source"

type (
	Notice     = source.Notice
	NoticeKind = source.Kind
	Position   = source.Position
)

// The kinds of notices, see package source.
const (
	ImportOmitted, ExportOmitted, ExpressionOmitted, AttributeOmitted = source.ImportOmitted, source.ExportOmitted, source.ExpressionOmitted, source.AttributeOmitted
	UnknownComponent, ElementOmitted, Unclosed, StrayClose            = source.UnknownComponent, source.ElementOmitted, source.Unclosed, source.StrayClose
	TooDeep, TooLarge, UnresolvedLink, UnresolvedImage, NotInLine     = source.TooDeep, source.TooLarge, source.UnresolvedLink, source.UnresolvedImage, source.NotInLine
	UnresolvedAnchor, UnsafeAddress, NotHighlighted, NotIncluded      = source.UnresolvedAnchor, source.UnsafeAddress, source.NotHighlighted, source.NotIncluded
)

func (p *parser) notice(kind NoticeKind, at Pos, text string) {
	p.notices.Add(kind, int(at), text)
}
