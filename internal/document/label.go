package document

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Anchors returns the places in the document that links may lead to.
func (d *Document) Anchors() *reference.Anchors {
	if d.anchors != nil {
		return d.anchors
	}
	var list []reference.Anchor
	titled := 0 // up to which the anchors have their titles
	add := func(name string, label bool) {
		if name != "" {
			list = append(list, reference.Anchor{Name: name, Label: label && d.labels})
		}
	}
	title := func(text string) {
		for ; d.labels && titled < len(list); titled++ {
			list[titled].Title = inline.OneLine(text)
		}
	}
	d.Walk(func(n Node) bool {
		switch n := n.(type) {
		case *Heading:
			add(n.Anchor, n.Attributes.String("id") == n.Anchor)
			title(n.Text)
		case *Element:
			add(n.Attributes.String("id", "name"), true)
		case *Component:
			add(n.Anchor, false)
			title(PlainText(n.Title))
		case *Span:
			add(n.Attributes.String("id", "name"), true)
		case *Link:
			add(n.Attributes.String("id"), true)
		case *Image:
			add(n.Attributes.String("id"), true)
			title(n.Alt)
		case *Code:
			title(n.Title)
		case *Footnote:
			add("fn-"+strconv.Itoa(n.Number), false)
			title("")
		case *Text:
			title("")
		}
		return true
	})
	d.anchors = reference.NewAnchors(list)
	return d.anchors
}

// resolveLabels tells links to labels of other pages from those to places of this
// one, in pages of a tool that knows labels, and gives those without a text the
// label as one.
func (p *parser) resolveLabels() {
	if p.dialect == nil || p.dialect.Leads == nil {
		return
	}
	p.doc.labels = true
	if p.label != "" {
		p.doc.Blocks = append([]Block{labelAt(p.label, 0)}, p.doc.Blocks...)
	}
	anchors := p.doc.Anchors()
	p.doc.Walk(func(n Node) bool {
		switch n := n.(type) {
		case *Component:
			for i, a := range n.Attributes {
				if href, ok := a.Value.(string); ok && (a.Name == "href" || a.Name == "link") {
					n.Attributes[i].Value = reference.Labelled(p.dialect.Leads(href), anchors)
				}
			}
		case *Link:
			written := n.Href
			n.Href = reference.Labelled(p.dialect.Leads(written), anchors)
			was := PlainText(n.Inlines)
			if said := dialect.Said(written, was); said != was && (was != "" || len(n.Inlines) == 0) {
				n.Inlines = nil
				if said != "" {
					n.Inlines = []Inline{&Text{at{n.pos}, said}}
				}
			}
			if text := reference.Plain(n.Href); text != "" && (len(n.Inlines) == 0 || written != n.Href && PlainText(n.Inlines) == written) {
				n.Unnamed = true
				if title := anchors.Title(reference.Fragment(n.Href)); reference.Local(n.Href) && title != "" {
					text = title
				}
				n.Inlines = []Inline{&Text{at{n.pos}, strings.TrimPrefix(text, "#")}}
			}
		}
		return true
	})
}

// labelAt is a place that has a label.
func labelAt(label string, pos Pos) Block {
	return &Element{at{pos}, "div", Attributes{{Name: "id", Value: label}}, nil}
}

// NameLinks gives links that their author gave no text the title of what they lead
// to, where there is one.
func (d *Document) NameLinks(title func(href string) string) {
	if !d.labels && !d.mentions {
		return
	}
	d.Walk(func(n Node) bool {
		if link, ok := n.(*Link); ok && (link.Unnamed || d.mentions && (link.Attributes.Bool("data-mention") || reference.Mention(link.Href, link.Title, PlainText(link.Inlines)))) {
			if href, ok := reference.URI(link.Href); ok && !reference.Local(href) {
				if text := title(href); text != "" {
					link.Inlines, link.Title = []Inline{&Text{at{link.pos}, text}}, strings.TrimPrefix(link.Title, "mention")
				}
			}
		}
		return true
	})
}
