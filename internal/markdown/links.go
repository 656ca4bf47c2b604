package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// maxOpenAnchors and maxAnchorLabel bound what an anchor of HTML or a
// component of MDX collects that is never closed.
const (
	maxOpenAnchors = 16
	maxAnchorLabel = 1000 // bytes
)

// Link is an outgoing link. Href is what was written, with escapes and
// character references resolved and percent-encoded where a URI reference
// needs it; it is never empty. Label is plain text on one line, often empty.
type Link struct {
	Href, Label string
}

// Links returns the outgoing links of content in reading order: Markdown's
// own, bare addresses, anchors of HTML, and in MDX components with a literal
// href or to. Each pair of target and label comes once. What an image shows is
// no link, and nothing in code or comments is.
func Links(content []byte, format Format) []Link {
	links, _ := References(content, format)
	return links
}

// References returns the outgoing links of content, as Links does, and the
// addresses of what it shows: images, and what elements of HTML and components
// of MDX name in src, srcset, poster and data. Each comes once.
func References(content []byte, format Format) (links []Link, shown []string) {
	if !mayLink(content) {
		return nil, nil
	}
	doc := parse(content, format)
	c := &collector{text: doc.tokenizer(), doc: doc}
	c.block(doc.root)
	c.closeAnchors(0)
	return unique(c.links), uniqueAddresses(c.shown)
}

// mayLink reports whether content holds any of what every kind of link needs.
func mayLink(content []byte) bool {
	return bytes.IndexByte(content, '[') >= 0 || bytes.IndexByte(content, '<') >= 0 ||
		bytes.IndexByte(content, '@') >= 0 || bytes.Contains(content, []byte("://")) || bytes.Contains(content, []byte("www."))
}

// collector walks a document and gathers its links.
type collector struct {
	text    inline.Tokenizer[[]byte]
	doc     *document
	links   []Link
	shown   []string
	anchors []anchor // open ones, the innermost last

	inLink  bool
	inImage int
	label   []byte // of the Markdown link that is open
}

// anchor is an element that links, until its closing tag.
type anchor struct {
	name  string
	link  int // index of its link, whose label is to be filled in
	label []byte
	fixed bool // the label comes from an attribute
	local bool // it ends with its block of text at the latest
}

func (c *collector) block(b *block) {
	switch {
	case b.hasInlines():
		c.tokens(b.text)
	case b.kind == htmlBlock:
		c.html(b.text)
	case b.kind == tagBlock:
		c.tags(b.text)
	}
	depth := len(c.anchors)
	for child := b.first; child != nil; child = child.next {
		c.block(child)
	}
	if b.kind.container() && b.kind != rootBlock {
		c.closeAnchors(depth)
	}
}

// tokens gathers the links of a paragraph, heading or cell.
func (c *collector) tokens(text []byte) {
	depth := len(c.anchors)
	for _, t := range c.text.Parse(text) {
		piece := text[t.Start:t.End]
		switch t.Kind {
		case inline.Plain, inline.Code:
			c.write(piece)
		case inline.Entity:
			decoded, _ := inline.ScanEntity(piece)
			c.write([]byte(decoded))
		case inline.Break, inline.HardBreak:
			c.write([]byte(" "))
		case inline.Autolink:
			c.autolink(t, piece)
			c.write(piece)
		case inline.Link:
			c.openLink(c.text.Targets[t.Index].Destination)
		case inline.LinkEnd:
			c.closeLink()
		case inline.Image:
			if c.inImage == 0 {
				c.shown = append(c.shown, inline.Unescape(c.text.Targets[t.Index].Destination))
			}
			c.inImage++
		case inline.ImageEnd:
			c.inImage--
		case inline.Markup:
			c.tag(&c.text.Tags[t.Index], true)
		}
	}
	c.inLink = false
	if len(c.anchors) > depth {
		local := depth
		for local < len(c.anchors) && !c.anchors[local].local {
			local++
		}
		c.closeAnchors(local)
	}
	c.write([]byte(" "))
}

// write adds text to the labels of what is open.
func (c *collector) write(text []byte) {
	if c.inLink {
		c.label = append(c.label, text...)
	}
	for i := range c.anchors {
		a := &c.anchors[i]
		if !a.fixed && len(a.label) < maxAnchorLabel {
			a.label = append(a.label, text[:min(len(text), maxAnchorLabel-len(a.label))]...)
		}
	}
}

func (c *collector) openLink(destination []byte) {
	if c.inImage > 0 {
		return
	}
	c.inLink = true
	c.label = c.label[:0]
	c.links = append(c.links, Link{Href: inline.Unescape(destination)})
}

func (c *collector) closeLink() {
	if c.inImage > 0 || !c.inLink {
		return
	}
	c.inLink = false
	c.links[len(c.links)-1].Label = plainLabel(c.label)
}

func (c *collector) autolink(t inline.Token, text []byte) {
	if c.inLink || c.inImage > 0 {
		return
	}
	href := string(text)
	switch {
	case t.Mail:
		href = "mailto:" + href
	case t.WWW:
		href = "http://" + href
	}
	c.links = append(c.links, Link{Href: href, Label: plainLabel(text)})
}

// plainLabel makes one line of valid text.
func plainLabel(text []byte) string {
	text = bytes.TrimSpace(text)
	clean := utf8.Valid(text)
	for i, c := range text {
		clean = clean && (c > ' ' || c == ' ' && text[i-1] != ' ')
	}
	if clean {
		return string(text)
	}
	words := strings.FieldsFunc(string(text), func(r rune) bool { return r <= ' ' })
	return strings.ToValidUTF8(strings.Join(words, " "), "\uFFFD")
}

// unique makes URI references of the hrefs, leaves out those that cannot be
// any, and keeps the first of equal links.
func unique(links []Link) []Link {
	kept := links[:0]
	seen := make(map[Link]bool, len(links))
	for _, link := range links {
		href, ok := uriReference(link.Href)
		if link.Href = href; ok && !seen[link] {
			seen[link] = true
			kept = append(kept, link)
		}
	}
	return kept
}
