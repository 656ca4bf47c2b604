package pdf

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/picture"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// inliner makes spans of inlines.
type inliner struct {
	b       *builder
	element *writer.Element
	spans   []layout.Span
	links   []*writer.Element
	shown   map[*document.Image]bool // whether images are shown below the text
	room    float64                  // the width of a line
}

// spans returns inlines as spans of lines of that width. The elements of links
// and pictures in them are held by the caller.
func (b *builder) spans(e *writer.Element, nodes []document.Inline, style *layout.Style, room float64) ([]layout.Span, []*writer.Element) {
	i := inliner{b: b, element: e, shown: b.shown, room: room}
	i.all(nodes, style)
	return i.spans, i.links
}

func (i *inliner) all(nodes []document.Inline, s *layout.Style) {
	for _, n := range nodes {
		i.one(n, s)
	}
}

func (i *inliner) add(text string, s *layout.Style) {
	if text != "" {
		i.spans = append(i.spans, layout.Span{Text: text, Style: s})
	}
}

// with returns a style that is changed.
func with(s *layout.Style, change func(*layout.Style)) *layout.Style {
	changed := *s
	change(&changed)
	return &changed
}

func (i *inliner) one(n document.Inline, s *layout.Style) {
	switch n := n.(type) {
	case *document.Text:
		i.add(strings.ReplaceAll(n.Text, "\n", " "), s)
	case *document.Break:
		if n.Hard {
			i.add("\n", s)
		} else {
			i.add(" ", s)
		}
	case *document.CodeSpan:
		i.add(strings.ReplaceAll(n.Text, "\n", " "), i.b.theme.mono(s))
	case *document.Emphasis:
		i.all(n.Inlines, with(s, func(s *layout.Style) { s.Font |= font.Italic }))
	case *document.Strong:
		i.all(n.Inlines, with(s, func(s *layout.Style) { s.Font |= font.Bold }))
	case *document.Deleted:
		i.all(n.Inlines, with(s, func(s *layout.Style) { s.Strike = true }))
	case *document.Link:
		i.b.named("a", n.Attributes)
		i.link(n, n.Href, n.Inlines, s)
	case *document.Image:
		i.image(n, s)
	case *document.FootnoteRef:
		i.footnote(n, s)
	case *document.Span:
		i.span(n, s)
	}
}

// mono returns a style as code has it.
func (p *palette) mono(s *layout.Style) *layout.Style {
	return with(s, func(s *layout.Style) {
		s.Font |= font.Mono
		s.Hyphens = nil
		s.Size *= 0.9
		s.Back = &p.codeBackground
	})
}

// image sets an image in the line, or its text where there is none.
func (i *inliner) image(n *document.Image, s *layout.Style) {
	shown, tried := i.shown[n]
	if shown {
		return
	}
	var pic *picture.Picture
	if !tried {
		pic = i.b.picture(n)
	}
	if pic == nil {
		i.add(n.Alt, with(s, func(s *layout.Style) { s.Font |= font.Italic; s.Color = i.b.theme.muted }))
		return
	}
	width, height := inlineSize(pic, n, s.Size, i.room)
	p := &layout.Picture{Name: pic.Name, Width: width, Height: height, Turn: pic.Turn.Matrix()}
	if alt := cmp.Or(n.Alt, n.Title); alt != "" {
		parent := i.element
		if s.Link != nil {
			parent = s.Link.Element
		}
		p.Element = parent.Child("Figure", writer.Properties{Alt: alt})
		i.links = append(i.links, p.Element)
	}
	i.spans = append(i.spans, layout.Span{Text: layout.PictureText, Style: s, Picture: p})
}

// link sets text that leads somewhere. There are no links within links.
func (i *inliner) link(n document.Node, href string, nodes []document.Inline, s *layout.Style) {
	link := i.b.resolve(n, href)
	if link == nil || s.Link != nil {
		i.all(nodes, s)
		return
	}
	i.anchor(link, nodes, s)
}

func (i *inliner) anchor(link *layout.Link, nodes []document.Inline, s *layout.Style) {
	if text := document.PlainText(nodes); link.Contents == "" {
		link.Contents = text
	}
	link.Element = i.element.Child("Link", writer.Properties{})
	i.links = append(i.links, link.Element)
	i.all(nodes, with(s, func(s *layout.Style) { s.Link, s.Color = link, i.b.theme.link }))
}

func (i *inliner) footnote(n *document.FootnoteRef, s *layout.Style) {
	number := strconv.Itoa(n.Footnote.Number)
	raised := with(s, func(s *layout.Style) { s.Rise += 0.35 * s.Size; s.Size *= 0.7 })
	if s.Link != nil {
		i.add(number, raised)
		return
	}
	link := &layout.Link{Destination: i.b.page.Key + "#fn-" + number, Contents: i.b.words().Footnote + " " + number}
	i.anchor(link, []document.Inline{&document.Text{Text: number}}, raised)
}

func (i *inliner) span(n *document.Span, s *layout.Style) {
	i.b.named(n.Name, n.Attributes)
	switch n.Kind {
	case document.Keys:
		i.all(n.Inlines, i.b.theme.mono(s))
		return
	case document.Badge:
		i.all(n.Inlines, with(s, func(s *layout.Style) { s.Font |= font.Bold; s.Size *= 0.85; s.Back = &i.b.theme.codeBackground }))
		return
	}
	switch n.Name {
	case "a":
		if href := n.Attributes.String("href", "to"); href != "" {
			i.link(n, href, n.Inlines, s)
			return
		}
	case "em", "i", "cite", "dfn", "var":
		s = with(s, func(s *layout.Style) { s.Font |= font.Italic })
	case "strong", "b":
		s = with(s, func(s *layout.Style) { s.Font |= font.Bold })
	case "code", "kbd", "samp":
		s = i.b.theme.mono(s)
	case "del", "s":
		s = with(s, func(s *layout.Style) { s.Strike = true })
	case "u", "ins":
		s = with(s, func(s *layout.Style) { s.Underline = true })
	case "mark":
		s = with(s, func(s *layout.Style) { s.Back = &i.b.theme.codeBackground })
	case "small":
		s = with(s, func(s *layout.Style) { s.Size *= 0.85 })
	case "sup":
		s = with(s, func(s *layout.Style) { s.Rise += 0.35 * s.Size; s.Size *= 0.7 })
	case "sub":
		s = with(s, func(s *layout.Style) { s.Rise -= 0.15 * s.Size; s.Size *= 0.7 })
	case "q":
		i.add("“", s)
		defer i.add("”", s)
	}
	i.all(n.Inlines, s)
}

// maxAddress bounds an address, in bytes. It is written once for each line of a
// link, so one of unbounded length would make the file grow with its square.
const maxAddress = 2000

// resolve returns where a link leads, nil when it leads nowhere.
func (b *builder) resolve(n document.Node, href string) *layout.Link {
	if len(href) > maxAddress {
		b.warn(document.UnsafeAddress, n, href)
		return nil
	}
	if fragment, ok := strings.CutPrefix(href, "#"); ok {
		if fragment == "" {
			return &layout.Link{Destination: b.page.Key}
		}
		if decoded, err := url.PathUnescape(fragment); err == nil && utf8.ValidString(decoded) {
			fragment = decoded // as anchors are
		}
		return &layout.Link{Destination: b.page.Key + "#" + fragment}
	}
	address, known := safeAddress(href)
	if !known {
		b.warn(document.UnsafeAddress, n, href)
		return nil
	}
	if b.options.Link != nil && (scheme(address) == "" || strings.HasPrefix(scheme(address), "http")) {
		to, found := b.options.Link(b.page, href)
		switch {
		case !found:
			b.warn(document.UnresolvedLink, n, href)
			return nil
		case to.Key != "" && to.Fragment != "":
			return &layout.Link{Destination: to.Key + "#" + to.Fragment}
		case to.Key != "":
			return &layout.Link{Destination: to.Key}
		}
		if address, known = safeAddress(to.Address); !known {
			b.warn(document.UnsafeAddress, n, to.Address)
			return nil
		}
	}
	if scheme(address) == "" { // means nothing in a file that lies anywhere
		b.warn(document.UnresolvedLink, n, href)
		return nil
	}
	return &layout.Link{URI: address}
}

// safeAddress returns an address that leads to a web page, a mail address or a
// telephone, or is relative.
func safeAddress(written string) (string, bool) {
	address := strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r < 0xa0 {
			return -1
		}
		return r
	}, written))
	switch scheme(address) {
	case "", "http", "https", "mailto", "tel":
		return encode(address), true
	}
	return "", false
}

// encode percent-encodes what must not stand in an address.
func encode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// scheme returns the scheme of an address in lower case, "" without one.
func scheme(s string) string {
	end := strings.IndexAny(s, ":/?#")
	if end < 0 || s[end] != ':' {
		return ""
	}
	return strings.ToLower(s[:end])
}
