package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/fence"
)

// wrapUnknown returns the content and the texts of an unknown component, linked if it has
// an address.
func (p *parser) wrapUnknown(t *tag, blocks []Block) []Block {
	if p.imports[t.Name] != "" {
		return append(p.include(t), blocks...)
	}
	attributes := p.readAttributes(t, false)
	if t.Name == "Visibility" && attributes.String("for") == "agents" { // of Mintlify
		p.notice(ElementOmitted, t.pos, t.text)
		return nil
	}
	if t.Name == "Code" || t.Name == "CodeBlock" {
		if c := listing(t.Name, attributes, blocks, t.pos); c != nil {
			return []Block{c}
		}
	}
	title, others := element.Words(t.Name, attributes)
	if items := element.Items(attributes); items != "" {
		blocks = append(blocks, p.textOf(t.Name, items, false, nil, t, false)...)
	}
	if title == "" && len(others) == 0 && len(blocks) == 0 {
		if nodes := p.span(t, nil, false); len(nodes) > 0 {
			return []Block{&Paragraph{at{t.pos}, false, nodes}}
		}
		return nil
	}
	p.notice(UnknownComponent, t.pos, t.text)
	var said []Block
	if title != "" {
		said = append(said, &Paragraph{at{t.pos}, false, []Inline{&Strong{at{t.pos}, []Inline{&Text{at{t.pos}, title}}}}})
	}
	for _, text := range others {
		said = append(said, &Paragraph{at{t.pos}, false, []Inline{&Text{at{t.pos}, text}}})
	}
	blocks = append(said, blocks...)
	if href, ok := attributes.Target(true); ok && href != "" {
		return []Block{&Element{at{t.pos}, "a", Attributes{{Name: "href", Value: href}}, blocks}}
	}
	return blocks
}

// listing returns the code that a component of Astro or Docusaurus shows, nil if its text is
// not known.
func listing(name string, attributes Attributes, blocks []Block, pos Pos) *Code {
	written, _ := attributes.Get("code") // nil if missing
	text, isText := written.(string)
	if len(blocks) == 1 && name == "CodeBlock" {
		switch only := blocks[0].(type) {
		case *Code:
			only.Title = cmp.Or(attributes.String("title", "filename"), only.Title)
			return only
		case *Paragraph:
			text, isText = PlainText(only.Inlines), true
		}
	}
	if !isText {
		return nil
	}
	c := code(attributes.String("lang", "language")+" "+attributes.String("meta", "metastring"), strings.Trim(text, "\n")+"\n", pos)
	c.Title = cmp.Or(attributes.String("title", "filename"), c.Title)
	return c
}

// preformatted returns the code of an element pre, as GitBook writes code with lines in bold.
func preformatted(attributes Attributes, blocks []Block, pos Pos) *Code {
	said := firstText(blocks)
	if len(said) == 1 && len(Children(said[0])) > 0 { // an element code
		said = Children(said[0])
	}
	c := code(attributes.String("class")[len("language-"):], strings.TrimRight(PlainText(said), "\n")+"\n", pos)
	c.Title, c.Numbered = attributes.String("data-title"), attributes.Bool("data-line-numbers")
	line := 1
	for _, n := range said {
		first := line
		line += strings.Count(PlainText([]Inline{n}), "\n")
		if bold, ok := n.(*Span); ok && bold.Name == "strong" {
			c.Marks = append(c.Marks, fence.Mark{First: first, Last: max(first, line-1), Kind: fence.Highlighted})
		}
	}
	return c
}

// saidInline adds the texts of an unknown inline component to its content.
func (p *parser) saidInline(t *tag, attributes Attributes, children []Inline) []Inline {
	title, others := element.Words(t.Name, attributes)
	if title != "" {
		others = slices.Insert(others, 0, title)
	}
	text := strings.Join(others, ", ")
	switch {
	case text == "":
		return children
	case len(children) > 0:
		text = " (" + text + ")"
	}
	return append(slices.Clip(children), &Text{at{t.pos}, text})
}
