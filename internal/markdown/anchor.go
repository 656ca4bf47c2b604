package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// tag takes a tag among text. Local tells that what it opens ends with the
// block of text.
func (c *collector) tag(t *inline.Tag[[]byte], local bool) {
	if t.Closing {
		c.closeTag(t.Name)
		return
	}
	c.show(t)
	if t.Name == "img" {
		if alt, found := attribute(t, "alt"); found {
			c.write([]byte(html.UnescapeString(string(alt))))
		}
		return
	}
	if t.Name == "br" {
		c.write([]byte(" "))
		return
	}
	if c.inLink || c.inImage > 0 || !c.doc.mdx && t.Name != "a" {
		return
	}
	c.openAnchor(t, local)
}

// openAnchor notes the link of an element, if it has a literal target.
func (c *collector) openAnchor(t *inline.Tag[[]byte], local bool) {
	if strings.EqualFold(t.Name, "a") {
		c.closeTag(t.Name) // anchors do not nest
	}
	href, found := attribute(t, "href")
	if !found && t.JSX && t.Name != "Teleport" { // whose to is a place on the page
		href, found = attribute(t, "to")
	}
	if !found || t.Name == "link" || t.Name == "base" {
		return
	}
	a := anchor{name: t.Name, link: len(c.links), local: local}
	c.links = append(c.links, Link{Href: html.UnescapeString(string(href))})
	if t.JSX && t.Name != "a" {
		for _, name := range []string{"title", "label"} {
			if text, found := attribute(t, name); found && !a.fixed {
				a.fixed = true
				a.label = []byte(html.UnescapeString(string(text)))
			}
		}
	}
	if len(c.anchors) == maxOpenAnchors {
		c.finish(c.anchors[0])
		c.anchors = c.anchors[1:]
	}
	c.anchors = append(c.anchors, a)
	if t.SelfClosing {
		c.closeAnchors(len(c.anchors) - 1)
	}
}

// closeTag closes the innermost anchor of that name and those inside it.
func (c *collector) closeTag(name string) {
	for i := len(c.anchors) - 1; i >= 0; i-- {
		if c.anchors[i].name == name {
			c.closeAnchors(i)
			return
		}
	}
}

// closeAnchors closes anchors until depth are left.
func (c *collector) closeAnchors(depth int) {
	for len(c.anchors) > depth {
		c.finish(c.anchors[len(c.anchors)-1])
		c.anchors = c.anchors[:len(c.anchors)-1]
	}
}

func (c *collector) finish(a anchor) { c.links[a.link].Label = plainLabel(a.label) }

// tags takes the tags of MDX that stand on lines of their own.
func (c *collector) tags(text []byte) {
	scan := inline.NewBudget(len(text))
	for len(text) > 0 && text[0] == '<' {
		t, width := inline.ScanTag(text, true, &scan)
		if width == 0 {
			return
		}
		c.tag(&t, false)
		text = text[width:]
		text = text[inline.Blanks(text):]
	}
}

// html takes a block of HTML.
func (c *collector) html(text []byte) {
	scan := inline.NewBudget(len(text))
	for len(text) > 0 {
		next := bytes.IndexByte(text, '<')
		if next < 0 {
			next = len(text)
		}
		c.write([]byte(html.UnescapeString(string(text[:next]))))
		text = text[next:]
		if len(text) == 0 {
			return
		}
		text = text[c.element(text, &scan):]
	}
}

// element takes what starts with an angle bracket and returns its width.
func (c *collector) element(text []byte, scan *inline.Budget) int {
	if bytes.HasPrefix(text, []byte("<!--")) {
		end := bytes.Index(text, []byte("-->"))
		if end < 0 {
			return len(text)
		}
		return end + 3
	}
	t, width := inline.ScanTag(text, c.doc.mdx, scan)
	if width == 0 {
		return 1
	}
	c.tag(&t, false)
	if !t.Closing && (t.Name == "script" || t.Name == "style") {
		end := bytes.Index(text[width:], []byte("</"+t.Name))
		if end < 0 {
			return len(text)
		}
		width += end
	}
	return width
}

// attribute returns the literal value of the attribute of that name.
func attribute(t *inline.Tag[[]byte], name string) (value []byte, found bool) {
	for a := range t.Attributes() {
		if bytes.EqualFold(a.Name, []byte(name)) {
			if value = literal(a.Value, t.JSX); value != nil {
				return value, true
			}
		}
	}
	return nil, false
}

// literal returns the text of a value, or nil if there is none or it is an
// expression of MDX other than a string.
func literal(written []byte, jsx bool) []byte {
	switch {
	case len(written) == 0:
		return nil
	case jsx && written[0] == '{':
		return literalString(written[1 : len(written)-1])
	case bytes.IndexByte([]byte("\"'`"), written[0]) >= 0:
		return written[1 : len(written)-1]
	}
	return written
}

// literalString returns the text of an expression that is a string, or nil.
func literalString(s []byte) []byte {
	s = bytes.TrimSpace(s)
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return nil
	}
	s = s[1 : len(s)-1]
	if bytes.ContainsAny(s, "\\\"'`") || bytes.Contains(s, []byte("${")) {
		return nil
	}
	return s
}
