package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// Section is what stands under one heading, up to the next one of any level.
// Text is the text without its marks, a block on each line; Code is what stands
// in blocks of code.
type Section struct {
	Heading
	Text, Code string
}

// Sections returns the sections of content in reading order. What stands before
// the first heading is a section whose heading is empty and has level 0; it is
// left out if there is nothing. Tags, comments and the expressions of MDX are
// dropped, the text between tags is kept.
func Sections(content []byte, format Format) []Section {
	doc := parse(content, format)
	c := sectionList{headings: headingList{text: doc.tokenizer(), more: func(Heading) bool { return true }}, mdx: doc.mdx}
	c.block(doc.root)
	c.end()
	return c.found
}

// sectionList walks a document and gathers its sections.
type sectionList struct {
	headings   headingList
	mdx        bool
	heading    Heading
	text, code []byte
	found      []Section
}

func (c *sectionList) block(b *block) {
	switch b.kind {
	case headingBlock:
		c.end()
		c.headings.block(b)
		c.heading = c.headings.found[len(c.headings.found)-1]
	case paragraphBlock:
		c.text = append(c.plain(c.text, b.text), '\n')
	case cellBlock:
		c.text = append(c.plain(c.text, b.text), ' ')
	case codeBlock:
		c.code = append(c.code, b.text...)
		if !bytes.HasSuffix(c.code, []byte("\n")) {
			c.code = append(c.code, '\n')
		}
	case htmlBlock:
		c.html(b.text)
	case rootBlock, quoteBlock, listBlock, itemBlock, footnoteBlock, tableBlock, rowBlock:
		for child := b.first; child != nil; child = child.next {
			c.block(child)
		}
		if b.kind == rowBlock {
			c.text = append(c.text, '\n')
		}
	case ruleBlock, tagBlock:
	}
}

// end ends the present section.
func (c *sectionList) end() {
	text, code := bytes.TrimSpace(c.text), bytes.TrimRight(c.code, "\n")
	if c.heading.Level > 0 || len(text) > 0 || len(code) > 0 {
		c.found = append(c.found, Section{Heading: c.heading, Text: valid(text), Code: valid(code)})
	}
	c.text, c.code = c.text[:0], c.code[:0]
}

func valid(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }

// plain appends the text of a paragraph or cell without its marks.
func (c *sectionList) plain(dst, text []byte) []byte {
	for _, t := range c.headings.text.Parse(text) {
		piece := text[t.Start:t.End]
		switch t.Kind {
		case inline.Plain, inline.Code, inline.Autolink:
			dst = append(dst, piece...)
		case inline.Entity:
			decoded, _ := inline.ScanEntity(piece)
			dst = append(dst, decoded...)
		case inline.Break, inline.HardBreak:
			dst = append(dst, ' ')
		case inline.Markup:
			if c.headings.text.Tags[t.Index].Name == "br" {
				dst = append(dst, ' ')
			}
		}
	}
	return dst
}

// html takes the text between the tags of a block of HTML.
func (c *sectionList) html(text []byte) {
	scan := inline.NewBudget(len(text))
	for len(text) > 0 {
		next := bytes.IndexByte(text, '<')
		if next < 0 {
			next = len(text)
		}
		c.text = append(c.text, html.UnescapeString(string(text[:next]))...)
		if text = text[next:]; len(text) > 0 {
			text = text[c.markup(text, &scan):]
		}
	}
	c.text = append(c.text, '\n')
}

// markup returns the width of a tag or comment, and of what an element holds
// that is no text.
func (c *sectionList) markup(text []byte, scan *inline.Budget) int {
	if bytes.HasPrefix(text, []byte("<!--")) {
		if end := bytes.Index(text, []byte("-->")); end >= 0 {
			return end + 3
		}
		return len(text)
	}
	t, width := inline.ScanTag(text, c.mdx, scan)
	if width == 0 {
		c.text = append(c.text, '<')
		return 1
	}
	if !t.Closing && (t.Name == "script" || t.Name == "style") {
		if end := bytes.Index(text[width:], []byte("</"+t.Name)); end >= 0 {
			return width + end
		}
		return len(text)
	}
	return width
}
