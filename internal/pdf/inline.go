package pdf

import (
	"cmp"
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/picture"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

type inliner struct {
	b       *builder
	element *writer.Element
	spans   []layout.Span
	links   []*writer.Element
	shown   map[*document.Image]bool // images set below the text
	room    float64                  // available width
	apart   bool                     // the next text begins a line
	lists   []int                    // next item number of each enclosing list, 0 for bullets
}

// spans converts inlines to spans for lines of a width. The caller holds the elements of links
// and pictures in them.
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
	if i.apart && strings.TrimSpace(text) == "" {
		return
	}
	i.begin(s)
	if text != "" {
		i.spans = append(i.spans, layout.Span{Text: text, Style: s})
	}
}

// begin starts a new line if one is pending.
func (i *inliner) begin(s *layout.Style) {
	if i.apart {
		i.apart = false
		i.spans = append(i.spans, layout.Span{Text: "\n", Style: s})
	}
}

// with returns a changed copy of a style.
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

// mono returns a style for code.
func (p *palette) mono(s *layout.Style) *layout.Style {
	return with(s, func(s *layout.Style) {
		s.Font |= font.Mono
		s.Hyphens = nil
		s.Size *= 0.9
		s.Back = &p.codeBackground
	})
}

// image sets an inline image, or its text if it is missing; an external one is linked.
func (i *inliner) image(n *document.Image, s *layout.Style) {
	shown, tried := i.shown[n]
	if shown || isDark(n) {
		return
	}
	var pic *picture.Picture
	if !tried {
		pic = i.b.picture(n)
	}
	if address, safe := reference.Safe(reference.Plain(n.Src)); pic == nil && safe && strings.HasPrefix(reference.Scheme(address), "http") && s.Link == nil && len(address) <= maxAddress {
		text := []document.Inline{&document.Text{Text: cmp.Or(n.Alt, n.Title, address)}}
		i.anchor(&layout.Link{URI: address}, text, with(s, func(s *layout.Style) { s.Font |= font.Italic }))
		return
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
	i.begin(s)
	i.spans = append(i.spans, layout.Span{Text: layout.PictureText, Style: s, Picture: p})
}

// link sets a link, unless it is inside one.
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
	case element.Keys:
		i.all(n.Inlines, i.b.theme.mono(s))
		return
	case element.Badge:
		i.all(n.Inlines, with(s, func(s *layout.Style) { s.Font |= font.Bold; s.Size *= 0.85; s.Back = &i.b.theme.codeBackground }))
		return
	}
	if n.Flows() {
		i.lines(n, s)
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

// lines sets an HTML element in text, such as a list in a table cell, on separate lines.
func (i *inliner) lines(n *document.Span, s *layout.Style) {
	i.apart = len(i.spans) > 0
	switch n.Name {
	case "ul", "ol":
		first := 0
		if n.Name == "ol" {
			first = max(number(n.Attributes, "start", 1), 1)
		}
		i.lists = append(i.lists, first)
		defer func() { i.lists = i.lists[:len(i.lists)-1] }()
	case "li":
		if depth := len(i.lists); depth > 0 {
			last := &i.lists[depth-1]
			i.add(itemMark(*last > 0, *last, depth-1), s)
			if *last > 0 {
				*last++
			}
		} else {
			i.add(itemMark(false, 0, 0), s)
		}
	case "h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary", "th":
		s = with(s, func(s *layout.Style) { s.Font |= font.Bold })
	case "pre":
		s = i.b.theme.mono(s)
	}
	i.all(n.Inlines, s)
	i.apart = len(i.spans) > 0
}

// maxAddress limits an address in bytes. It is repeated for each line of the link, so that
// without a limit the file could grow quadratically.
const maxAddress = 2000

// resolve returns the target of a link, nil if there is none.
func (b *builder) resolve(n document.Node, href string) *layout.Link {
	address, safe := reference.Safe(href)
	if !safe || len(href) > maxAddress {
		b.warn(document.UnsafeAddress, n, href)
		return nil
	}
	fragment := reference.Fragment(address)
	if reference.Local(address) {
		anchor := b.page.Document.Anchors().Find(fragment)
		b.anchored(n, href, fragment, anchor)
		return b.within(b.page.Key, anchor)
	}
	if b.options.Link != nil && reference.Resolvable(address) {
		to, found := b.options.Link(b.page, address)
		if !found {
			b.warn(document.UnresolvedLink, n, href)
			return nil
		}
		if to.Key != "" {
			b.anchored(n, href, fragment, to.Fragment)
			return b.within(to.Key, to.Fragment)
		}
		if to.File != "" {
			return b.attach(n, to.File, address)
		}
		if address, safe = reference.Safe(reference.WithFragment(to.Address, address)); !safe {
			b.warn(document.UnsafeAddress, n, to.Address)
			return nil
		}
	}
	if reference.Scheme(address) == "" { // a relative address is useless in a file
		b.warn(document.UnresolvedLink, n, href)
		return nil
	}
	return &layout.Link{URI: address}
}

// attach attaches a file once and returns a link to it, nil on failure.
func (b *builder) attach(n document.Node, name, address string) *layout.Link {
	data, found := []byte(nil), false
	if b.options.Image != nil {
		data, found = b.options.Image(b.page, address)
	}
	if !found {
		b.warn(document.UnresolvedLink, n, address)
		return nil
	}
	sum := sha256.Sum256(data)
	key := name + string(sum[:])
	if b.attached[key] == 0 {
		b.attached[key] = b.file.Attach(name, data)
	}
	return &layout.Link{File: b.attached[key]}
}

// within returns a link to an anchor on a page, "" for its start.
func (b *builder) within(page, anchor string) *layout.Link {
	if anchor == "" || strings.EqualFold(anchor, "top") {
		return &layout.Link{Destination: page}
	}
	return &layout.Link{Destination: page + "#" + anchor}
}

// anchored gives a notice for a link to a similar anchor, or to a missing one.
func (b *builder) anchored(n document.Node, href, fragment, anchor string) {
	if reference.Meets(href, fragment, anchor) {
		return
	}
	if anchor != "" {
		href += " → #" + anchor
	}
	b.warn(document.UnresolvedAnchor, n, href)
}
