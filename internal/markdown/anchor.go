package markdown

import (
	"bytes"
	"html"
)

// tag takes a tag among text. Local tells that what it opens ends with the
// block of text.
func (c *collector) tag(text []byte, local bool) {
	unbounded := budget{len(text)} // the same scan has succeeded before
	t, width := scanTag(text, c.doc.mdx, &unbounded)
	if width == 0 {
		return
	}
	if t.closing {
		c.closeTag(t.name)
		return
	}
	c.show(&t)
	if t.name == "img" {
		if alt, found := t.attribute("alt"); found {
			c.write([]byte(html.UnescapeString(string(alt))))
		}
		return
	}
	if t.name == "br" {
		c.write([]byte(" "))
		return
	}
	if c.inLink || c.inImage > 0 || !c.doc.mdx && !bytes.EqualFold([]byte(t.name), []byte("a")) {
		return
	}
	c.openAnchor(&t, local)
}

// openAnchor notes the link of an element, if it has a literal target.
func (c *collector) openAnchor(t *tag, local bool) {
	if t.name == "a" || t.name == "A" {
		c.closeTag(t.name) // anchors do not nest
	}
	href, found := t.attribute("href")
	if !found && t.jsx && t.name != "Teleport" { // whose to is a place on the page
		href, found = t.attribute("to")
	}
	if !found || t.name == "link" || t.name == "base" {
		return
	}
	a := anchor{name: t.name, link: len(c.links), local: local}
	c.links = append(c.links, Link{Href: html.UnescapeString(string(href))})
	if t.jsx && t.name != "a" {
		for _, name := range []string{"title", "label"} {
			if text, found := t.attribute(name); found && !a.fixed {
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
	if t.selfClosing {
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
	for len(text) > 0 && text[0] == '<' {
		unbounded := budget{len(text)}
		_, width := scanTag(text, true, &unbounded)
		if width == 0 {
			return
		}
		c.tag(text[:width], false)
		text = text[width:]
		text = text[spacesOnLine(text):]
	}
}

// html takes a block of HTML.
func (c *collector) html(text []byte) {
	scan := newBudget(len(text))
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
func (c *collector) element(text []byte, scan *budget) int {
	if bytes.HasPrefix(text, []byte("<!--")) {
		end := bytes.Index(text, []byte("-->"))
		if end < 0 {
			return len(text)
		}
		return end + 3
	}
	t, width := scanTag(text, c.doc.mdx, scan)
	if width == 0 {
		return 1
	}
	c.tag(text[:width], false)
	if !t.closing && (t.name == "script" || t.name == "style") {
		end := bytes.Index(text[width:], []byte("</"+t.name))
		if end < 0 {
			return len(text)
		}
		width += end
	}
	return width
}
