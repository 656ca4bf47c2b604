// Package embed shows on a page what it embeds of other pages: all of a page, the section of a
// heading, or a block. It stands below the paragraph with the link, which remains.
package embed

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Limits for a page: pages embedded in each other, their number, the bytes of their texts, and notices.
const (
	maxDepth   = 5
	maxPages   = 100
	maxBytes   = 2 << 20
	maxNotices = 200
)

// Pages finds the pages to embed.
type Pages struct {
	// Find returns the page that a link leads to. Links of embedded pages are those of reference.On.
	Find func(href string) (id string, found bool)

	// Read returns the length of a page's text, and a function that parses it anew; nil if the page
	// cannot be shown.
	Read func(id string) (size int, parse func() *document.Document)
}

// Into adds to the document of a page what it embeds.
func Into(d *document.Document, id string, pages Pages) {
	e := embedder{pages, d, maxPages, maxBytes}
	d.Blocks = e.blocks(d.Blocks, []string{id})
}

type embedder struct {
	Pages
	doc         *document.Document
	left, bytes int
}

// blocks returns blocks with what they embed. within are the pages around.
func (e *embedder) blocks(blocks []document.Block, within []string) []document.Block {
	walk(blocks, func(n document.Node) bool {
		switch n := n.(type) {
		case *document.Quote:
			if n.Embedded {
				return false
			}
			n.Blocks = e.below(n.Blocks, within)
		case *document.ListItem:
			n.Blocks = e.below(n.Blocks, within)
		case *document.Element:
			n.Blocks = e.below(n.Blocks, within)
		case *document.Component:
			n.Blocks = e.below(n.Blocks, within)
		case *document.Description:
			n.Blocks = e.below(n.Blocks, within)
		}
		return true
	})
	return e.below(blocks, within)
}

// below returns blocks with what their own paragraphs embed.
func (e *embedder) below(blocks []document.Block, within []string) (all []document.Block) {
	for i, b := range blocks {
		all = append(all, b)
		if paragraph, ok := b.(*document.Paragraph); ok {
			walk(blocks[i:i+1], func(n document.Node) bool {
				if link, ok := n.(*document.Link); ok && link.Attributes.Bool(dialect.Shown) {
					shown := e.show(link, paragraph, within)
					if all = append(all, shown...); link.Unnamed && len(paragraph.Inlines) == 1 && len(shown) > 0 {
						all = append(all[:len(all)-2], shown[0]) // in place of the paragraph, whose link has no text
					}
				}
				return true
			})
		}
	}
	return all
}

// show returns the quotation for a link in a paragraph, or nothing.
func (e *embedder) show(link *document.Link, paragraph *document.Paragraph, within []string) []document.Block {
	href, _ := reference.URI(link.Href)
	id, found := e.Find(href)
	if !found {
		return nil
	}
	omit := slices.Contains(within, id) || len(within) > maxDepth || e.left == 0 || e.bytes <= 0
	var parse func() *document.Document
	if !omit {
		size := 0
		if size, parse = e.Read(id); parse == nil {
			return nil
		}
		e.left--
		e.bytes -= size
		omit = e.bytes < 0
	}
	if omit && len(e.doc.Notices) < maxNotices {
		e.doc.Notices = append(e.doc.Notices, document.Notice{Kind: document.NotIncluded, Position: e.doc.Position(link.Pos()), Text: document.PlainText(link.Inlines)})
	}
	if omit {
		return nil
	}
	d := parse()
	if len(d.Included) > 0 {
		e.bytes -= document.MaxIncluded
	}
	shown := d.Blocks
	if fragment := reference.Fragment(href); fragment != "" {
		shown = part(shown, d.Anchors().Find(fragment))
	}
	if len(shown) == 0 {
		return nil
	}
	quote := document.Embed(shown, paragraph)
	adopter{e.doc, id, d.Anchors()}.adopt(shown)
	quote.Blocks = e.blocks(shown, append(slices.Clip(within), id))
	return []document.Block{quote}
}

// part returns the section or block with an anchor.
func part(blocks []document.Block, anchor string) []document.Block {
	for i, b := range blocks {
		if anchor == "" || !contains(b, anchor) {
			continue
		}
		switch b := b.(type) {
		case *document.Heading:
			end := i + 1
			for ; end < len(blocks); end++ {
				if h, ok := blocks[end].(*document.Heading); ok && h.Level <= b.Level {
					break
				}
			}
			return blocks[i:end]
		case *document.Element:
			if len(b.Blocks) == 0 && i+1 < len(blocks) { // the label of the next block
				if h, ok := blocks[i+1].(*document.Heading); ok && h.Anchor != "" {
					return part(blocks[i+1:], h.Anchor)
				}
				return blocks[i+1 : i+2]
			}
		case *document.List:
			for n, item := range b.Items {
				if inner := part(item.Blocks, anchor); inner != nil && contains(item.Blocks[0], anchor) {
					one := *b
					one.Items, one.Start = []*document.ListItem{item}, b.Start+n
					return []document.Block{&one}
				} else if inner != nil {
					return inner
				}
			}
		}
		return blocks[i : i+1]
	}
	return nil
}

func contains(b document.Block, anchor string) bool {
	return (&document.Document{Blocks: []document.Block{b}}).Anchors().Has(anchor)
}

func walk(blocks []document.Block, visit func(document.Node) bool) {
	(&document.Document{Blocks: blocks}).Walk(visit)
}

// adopter makes blocks of a page part of another one: they lose their anchors, and their
// addresses are those of reference.On.
type adopter struct {
	doc  *document.Document
	page string
	own  *reference.Anchors
}

func (a adopter) adopt(blocks []document.Block) {
	walk(blocks, func(n document.Node) bool {
		switch n := n.(type) {
		case *document.Heading:
			n.Anchor, n.Level, n.Attributes = "", max(n.Level, 2), a.attributes(n.Attributes) // the page has its own title
		case *document.Link:
			n.Href, n.Attributes = a.address(n.Href), a.attributes(n.Attributes)
		case *document.Image:
			n.Src, n.Attributes = a.address(n.Src), a.attributes(n.Attributes)
		case *document.Span:
			n.Attributes = a.attributes(n.Attributes)
		case *document.Element:
			n.Attributes = a.attributes(n.Attributes)
		case *document.Component:
			n.Attributes = a.attributes(n.Attributes)
		case *document.FootnoteRef:
			note := n.Footnote
			if !note.Embedded {
				a.doc.Footnotes = append(a.doc.Footnotes, note)
				note.Number, note.References, note.Embedded = len(a.doc.Footnotes), 0, true
				a.adopt(note.Blocks)
			}
			note.References++
			n.Use = note.References
		}
		return true
	})
}

func (a adopter) address(href string) string {
	if reference.Local(href) {
		href = "#" + a.own.Find(reference.Fragment(href))
	}
	return reference.On(a.page, href)
}

func (a adopter) attributes(list document.Attributes) (kept document.Attributes) {
	for _, one := range list {
		switch href, written := one.Value.(string); {
		case strings.EqualFold(one.Name, "id"), strings.EqualFold(one.Name, "name"):
			continue
		case written && (one.Name == "href" || one.Name == "to" || one.Name == "link"):
			one.Value = a.address(href)
		}
		kept = append(kept, one)
	}
	return kept
}
