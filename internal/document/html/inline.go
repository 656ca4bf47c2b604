package html

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

func (w *writer) inlines(nodes []document.Inline) {
	for _, n := range nodes {
		w.inline(n)
	}
}

func (w *writer) inline(n document.Inline) {
	switch n := n.(type) {
	case *document.Text:
		w.text(n.Text)
	case *document.Break:
		if n.Hard {
			w.raw("<br>")
		}
		w.raw("\n")
	case *document.CodeSpan:
		w.raw("<code>")
		w.text(n.Text)
		w.raw("</code>")
	case *document.Emphasis:
		w.around("em", n.Inlines)
	case *document.Strong:
		w.around("strong", n.Inlines)
	case *document.Deleted:
		w.around("del", n.Inlines)
	case *document.Link:
		w.link(n)
	case *document.Image:
		w.image(n)
	case *document.FootnoteRef:
		w.footnoteRef(n)
	case *document.Span:
		w.span(n)
	}
}

func (w *writer) around(name string, nodes []document.Inline) {
	w.raw("<", name, ">")
	w.inlines(nodes)
	w.raw("</", name, ">")
}

func (w *writer) link(n *document.Link) {
	if w.inLink {
		w.inlines(n.Inlines)
		return
	}
	w.anchor(n, n.Href, n.Title, n.Attributes)
	w.inLink = true
	w.inlines(n.Inlines)
	w.inLink = false
	w.raw("</a>")
}

func (w *writer) anchor(n document.Node, href, title string, attributes document.Attributes) {
	to, found := w.href(n, href)
	w.raw("<a")
	if found || to != "" && !w.options.DropUnresolved {
		w.attribute("href", to)
	}
	if title != "" {
		w.attribute("title", title)
	}
	class := ""
	if !found {
		class = "oct-unresolved"
	}
	w.attributes("a", attributes, class, "title")
	w.raw(">")
}

func (w *writer) image(n *document.Image) {
	src, found := w.src(n, n.Src)
	if !found && (src == "" || w.options.DropUnresolved) {
		address, safe := reference.Safe(reference.Plain(n.Src))
		if scheme := reference.Scheme(address); safe && (scheme == "http" || scheme == "https") { // an external image
			w.linked(address, cmp.Or(n.Alt, n.Title, address))
			return
		}
		w.raw(`<span class="oct-missing">`)
		w.text(n.Alt)
		w.raw("</span>")
		return
	}
	if w.options.LinkImage != nil && w.options.LinkImage(src) {
		w.linked(src, cmp.Or(n.Alt, n.Title, src))
		return
	}
	w.raw("<img")
	w.attribute("src", src+element.Mode(n.Attributes))
	w.size(n)
	w.attribute("alt", n.Alt)
	if n.Title != "" {
		w.attribute("title", n.Title)
	}
	w.attributes("img", n.Attributes, "", "title")
	w.raw(">")
}

// size writes the dimensions of an image, unless the author did, to reserve its space.
func (w *writer) size(n *document.Image) {
	said := func(name string) bool { _, said := n.Attributes.Get(name); return said }
	if w.options.Size == nil || said("width") || said("height") || said("style") {
		return
	}
	written, _ := reference.URI(n.Src)
	if width, height := w.options.Size(written); width > 0 && height > 0 {
		w.attribute("width", strconv.Itoa(width))
		w.attribute("height", strconv.Itoa(height))
	}
}

// linked writes a link instead of an image; only the text inside a link.
func (w *writer) linked(address, text string) {
	if w.inLink {
		w.text(text)
		return
	}
	w.raw("<a")
	w.attribute("href", address)
	w.raw(">")
	w.text(text)
	w.raw("</a>")
}

func (w *writer) span(n *document.Span) {
	switch n.Kind {
	case element.NoKind:
		if n.Name == "a" && w.inLink {
			w.inlines(n.Inlines)
			return
		}
		w.raw("<", n.Name)
		w.attributes(n.Name, n.Attributes, "")
		w.raw(">")
		if n.Name == "wbr" || n.Name == "hr" {
			return
		}
		w.inlines(n.Inlines)
		w.raw("</", n.Name, ">")
	case element.Keys:
		w.around("kbd", n.Inlines)
	case element.Icon:
		w.inlines(n.Inlines) // the picture of an icon is unknown
	case element.Tooltip:
		w.raw(`<span class="oct-tooltip"`)
		if tip := n.Attributes.String("tip", "title", "content", "headline"); tip != "" {
			w.attribute("title", tip)
		}
		w.raw(">")
		w.inlines(n.Inlines)
		w.raw("</span>")
	case element.Badge:
		w.raw(`<span class="oct-badge">`)
		w.inlines(n.Inlines)
		w.raw("</span>")
	default:
		w.inlines(n.Inlines)
	}
}

func (w *writer) footnoteRef(n *document.FootnoteRef) {
	if w.inLink {
		return
	}
	w.raw(`<sup class="oct-ref"><a href="#fn-`)
	w.int(n.Footnote.Number)
	w.raw(`" id="`, refID(n.Footnote.Number, n.Use), `" role="doc-noteref">`)
	w.int(n.Footnote.Number)
	w.raw("</a></sup>")
}

// attributes writes the allowed attributes of an element without skip. class is added to the
// author's.
func (w *writer) attributes(element string, attributes document.Attributes, class string, skip ...string) {
	classes := make([]string, 0, 4)
	if class != "" {
		classes = append(classes, class)
	}
	seen := map[string]bool{}
	for _, s := range skip {
		seen[s] = true
	}
	for _, a := range attributes {
		name := strings.ToLower(a.Name)
		if name == "classname" {
			name = "class"
		}
		if name == "name" && element == "a" { // formerly used as an id
			name = "id"
		}
		value := document.Attributes{a}.String(a.Name)
		if a.Value == true {
			value = ""
		} else if name == "width" || name == "height" {
			value = strings.TrimSuffix(value, "px")
		} else if name == "style" && strings.Contains(value, "text-align:") {
			_, aligned, _ := strings.Cut(value, "text-align:")
			value, _, _ = strings.Cut(strings.TrimSpace(aligned), ";")
			name = "align"
		}
		if seen[name] || value == "" && a.Value != true && name != "alt" {
			continue
		}
		seen[name] = true
		switch {
		case name == "class":
			classes = append(classes, authorClasses(value)...)
		case name == "align":
			if value = strings.ToLower(value); value == "left" || value == "center" || value == "right" {
				classes = append(classes, "oct-"+value)
			}
		case name == "href" || name == "src" || name == "alt" && element == "img": // already written
		case name == "id" && allowedAttribute(element, name, value):
			w.id(value)
		case allowedAttribute(element, name, value):
			w.attribute(name, value)
		}
	}
	if len(classes) > 0 {
		w.attribute("class", strings.Join(classes, " "))
	}
}

// authorClasses returns the classes that an author may use: not Octavo's, nor those around
// fragments in a site.
func authorClasses(value string) []string {
	var classes []string
	for _, class := range strings.Fields(value) {
		if class != "oct" && !strings.HasPrefix(class, "oct-") && !strings.HasPrefix(class, "site-") && strings.Trim(class, classBytes) == "" && len(classes) < 10 {
			classes = append(classes, class)
		}
	}
	return classes
}

const classBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
