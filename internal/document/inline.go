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

// Break is the end of a line in the source. A hard one is wanted by the author.
type Break struct {
	at
	Hard bool
}

// CodeSpan is code in a line of text.
type CodeSpan struct {
	at
	Text string
}

// Emphasis is text that is emphasised.
type Emphasis struct {
	at
	Inlines []Inline
}

// Strong is text of importance.
type Strong struct {
	at
	Inlines []Inline
}

// Deleted is text that is struck through.
type Deleted struct {
	at
	Inlines []Inline
}

// Link is a link. Href is what was written, with escapes and character
// references resolved; it may lead anywhere and have any scheme.
type Link struct {
	at
	Href       string
	Title      string
	Attributes Attributes
	Embedded   bool // it stands for what the author wanted to embed, such as a film
	Inlines    []Inline
}

// Image is an image. Src is to it what Href is to a Link.
type Image struct {
	at
	Src        string
	Alt        string
	Title      string
	Attributes Attributes
}

// Scheme returns the colour scheme that the address says the image is for alone, "dark"
// or "light", as Material for MkDocs and GitHub have it: a.svg#only-dark.
func (n *Image) Scheme() string {
	switch _, fragment, _ := strings.Cut(n.Src, "#"); fragment {
	case "only-dark", "gh-dark-mode-only":
		return "dark"
	case "only-light", "gh-light-mode-only":
		return "light"
	}
	return ""
}

// FootnoteRef refers to a footnote; Use counts its references from 1.
type FootnoteRef struct {
	at
	Footnote *Footnote
	Use      int
}

// Span is an element of HTML, or a known component of MDX, within text. Kind is
// NoKind for an element, whose name is one that package document knows as safe.
type Span struct {
	at
	Kind       Kind
	Name       string
	Attributes Attributes
	Inlines    []Inline
}

// Flows reports whether the element is one that HTML puts on lines of its own.
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

// Children returns the inlines inside one, nil for those that hold none.
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

// PlainText returns the text of inlines without their marks. Line ends become
// spaces.
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
