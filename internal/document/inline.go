package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Inline is one of *Text, *Break, *CodeSpan, *Emphasis, *Strong, *Deleted,
// *Link, *Image, *FootnoteRef and *Span.
type Inline interface {
	Node
	inline()
}

// Text is plain text.
type Text struct {
	at
	Text string
}

// Break is a line end. Hard ones are shown.
type Break struct {
	at
	Hard bool
}

// CodeSpan is inline code.
type CodeSpan struct {
	at
	Text string
}

type Emphasis struct {
	at
	Inlines []Inline
}

// Strong is text of strong importance.
type Strong struct {
	at
	Inlines []Inline
}

// Deleted is struck-through text.
type Deleted struct {
	at
	Inlines []Inline
}

// Link is a link. Href is unescaped but otherwise as written, with any scheme.
type Link struct {
	at
	Href       string
	Title      string
	Attributes Attributes
	Embedded   bool // replaces embedded content such as a film
	Unnamed    bool // written without a text; shown with the title of the target
	Inlines    []Inline
}

// Image is an image. Src is like Link.Href.
type Image struct {
	at
	Src        string
	Alt        string
	Title      string
	Attributes Attributes
}

// FootnoteRef refers to a footnote; Use numbers its references from 1.
type FootnoteRef struct {
	at
	Footnote *Footnote
	Use      int
}

// Span is an inline HTML element or known MDX component. For an element, Kind is NoKind and
// Name is on the list of safe elements.
type Span struct {
	at
	Kind       element.Kind
	Name       string
	Attributes Attributes
	Inlines    []Inline
}

// Flows reports whether the element is a block in HTML.
func (s *Span) Flows() bool { return element.ClassOf(s.Name) == element.Flow || s.Name == "hr" }

func (*Text) inline()        {}
func (*Break) inline()       {}
func (*CodeSpan) inline()    {}
func (*Emphasis) inline()    {}
func (*Strong) inline()      {}
func (*Deleted) inline()     {}
func (*Link) inline()        {}
func (*Image) inline()       {}
func (*FootnoteRef) inline() {}
func (*Span) inline()        {}

// Children returns the children of an inline, nil if it cannot have any.
func Children(n Inline) []Inline {
	switch n := n.(type) {
	case *Emphasis:
		return n.Inlines
	case *Strong:
		return n.Inlines
	case *Deleted:
		return n.Inlines
	case *Link:
		return n.Inlines
	case *Span:
		return n.Inlines
	}
	return nil
}

// PlainText returns inlines as plain text. Line ends become spaces.
func PlainText(inlines []Inline) string {
	if len(inlines) == 1 {
		if text, ok := inlines[0].(*Text); ok {
			return text.Text
		}
	}
	var b strings.Builder
	writePlain(&b, inlines, true)
	return b.String()
}

// headingText returns the text of a heading in one line, without that of pictures before
// it, such as a logo.
func headingText(inlines []Inline) string {
	var b strings.Builder
	writePlain(&b, inlines, false)
	return cmp.Or(inline.OneLine(b.String()), inline.OneLine(PlainText(inlines)))
}

func writePlain(b *strings.Builder, inlines []Inline, pictures bool) {
	for _, n := range inlines {
		switch n := n.(type) {
		case *Text:
			b.WriteString(n.Text)
		case *CodeSpan:
			b.WriteString(n.Text)
		case *Break:
			b.WriteByte(' ')
		case *Image:
			if pictures || strings.TrimSpace(b.String()) != "" {
				b.WriteString(n.Alt)
			}
		case *Span:
			if n.Flows() && b.Len() > 0 {
				b.WriteByte(' ')
			}
			writePlain(b, n.Inlines, pictures)
		default:
			writePlain(b, Children(n), pictures)
		}
	}
}
