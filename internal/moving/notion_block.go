package moving

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// blocks converts the HTML of Notion to plain HTML.
type blocks struct{ lost losing }

func (m *blocks) rewrite(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case markup.Attr(n, "style") == "display:contents": // around each block
			next = cmp.Or(n.FirstChild, next)
			for c := n.FirstChild; c != nil; c = n.FirstChild {
				n.RemoveChild(c)
				parent.InsertBefore(c, n)
			}
			parent.RemoveChild(n)
		case isList(n.PrevSibling) && n.Type == html.TextNode && strings.TrimSpace(n.Data) == "", n.Type == html.ElementNode && !m.element(n):
			parent.RemoveChild(n)
		case joins(n.PrevSibling, n):
			for n.FirstChild != nil {
				c := n.FirstChild
				n.RemoveChild(c)
				n.PrevSibling.AppendChild(c)
				m.rewrite(c)
			}
			parent.RemoveChild(n)
		default:
			m.rewrite(n)
		}
		n = next
	}
}

// joins reports whether two lists are one: Notion writes a list per item.
func joins(a, b *html.Node) bool {
	return isList(a) && a.Data == b.Data && (a.Data == "ul" || markup.Attr(b, "start") != "1") &&
		markup.Attr(a, "class") == markup.Attr(b, "class") && !markup.HasClass(a, "toggle")
}

func isList(n *html.Node) bool {
	return n != nil && n.Type == html.ElementNode && (n.Data == "ul" || n.Data == "ol")
}

// element converts an element; it returns false to remove it.
func (m *blocks) element(n *html.Node) bool {
	switch {
	case n.Data == "script" && !strings.HasPrefix(markup.Attr(n, "type"), "math/"), n.Data == "link", n.Data == "style", markup.HasClass(n, "katex-html", "table_of_contents", "page-header-icon", "page-cover-image"),
		markup.HasClass(n, "page-description") && markup.Text(n) == "":
		if markup.HasClass(n, "page-cover-image") {
			m.lost(markup.Line(n), "cover", "the picture above the page is left out")
		}
		return false
	case markup.HasClass(n, "callout"):
		if icon := markup.Find(n, func(e *html.Node) bool { return markup.HasClass(e, "icon") && e.Data == "img" }); icon != nil {
			m.lost(markup.Line(n), "callout", "its picture is left out")
			icon.Parent.RemoveChild(icon)
		}
		box(n, "note", take(n, "icon"))
	case markup.HasClass(n, "bookmark") && n.Data == "a":
		title := cmp.Or(take(n, "bookmark-title"), markup.Attr(n, "href"))
		if words := take(n, "bookmark-description"); words != "" {
			title += ": " + words
		}
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		n.AppendChild(&html.Node{Type: html.TextNode, Data: title})
	case markup.HasClass(n, "column-list"):
		columns(n)
	case markup.HasClass(n, "checkbox") && n.Parent != nil && n.Parent.Data == "td":
		n.Type, n.Data = html.TextNode, "☐"
		if markup.HasClass(n, "checkbox-on") {
			n.Data = "☑"
		}
	case markup.HasClass(n, "selected-value") && n.NextSibling != nil && markup.HasClass(n.NextSibling, "selected-value"):
		n.AppendChild(&html.Node{Type: html.TextNode, Data: ", "})
	case n.Data == "span" && markup.HasClass(n, "icon") && n.NextSibling != nil && markup.Text(n) != "": // of a linked page
		n.AppendChild(&html.Node{Type: html.TextNode, Data: " "})
	case markup.HasClass(n, "checkbox"):
		n.Data, n.DataAtom = "input", 0
		box := []html.Attribute{{Key: "type", Val: "checkbox"}}
		if markup.HasClass(n, "checkbox-on") {
			box = append(box, html.Attribute{Key: "checked"})
		}
		n.Attr = box
	case markup.HasClass(n, "toggle") && n.Data == "ul": // the list around collapsible content
		n.Data, n.DataAtom = "div", 0
		for c := range n.ChildNodes() {
			if c.Data == "li" {
				c.Data, c.DataAtom = "div", 0
			}
		}
	case n.Data == "mark":
		class := markup.Attr(n, "class")
		if !strings.HasSuffix(class, "_background") {
			n.Data, n.DataAtom = "span", 0
		}
		m.lost(markup.Line(n), "colour", "colours of text are left out")
	case n.Data == "a" && markup.Find(n, func(e *html.Node) bool { return e.Data == "img" }) != nil && n.Parent != nil && markup.HasClass(n.Parent, "image"):
		n.Data, n.DataAtom, n.Attr = "span", 0, nil // to the picture itself
	case n.Data == "img" && markup.HasClass(n, "icon"):
		m.lost(markup.Line(n), "icon", "the picture of a page or person is left out")
		return false
	case n.Data == "span" && strings.HasPrefix(markup.Attr(n, "style"), "border-bottom:"):
		n.Data, n.DataAtom, n.Attr = "u", 0, nil
	case n.Data == "time":
		n.Data, n.DataAtom = "span", 0
	}
	return true
}
