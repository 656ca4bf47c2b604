package document

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// wrapUnknown returns the content and the texts of an unknown component, linked if it has
// an address.
func (p *parser) wrapUnknown(t *tag, blocks []Block) []Block {
	if p.imports[t.Name] != "" {
		return append(p.include(t), blocks...)
	}
	attributes := p.readAttributes(t, false)
	if t.Name == "Visibility" { // of Mintlify
		if attributes.String("for") == "agents" {
			p.notice(ElementOmitted, t.pos, t.text)
			return nil
		}
		return blocks
	}
	if t.Name == "Code" || t.Name == "CodeBlock" {
		if c := listing(t.Name, attributes, blocks, t.pos); c != nil {
			return []Block{c}
		}
	}
	title, others := element.Words(t.Name, attributes)
	for _, a := range attributes {
		if items := items(a.Value, t.pos); items != nil {
			blocks = append(blocks, items)
		}
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
		case *Paragraph:
			text, isText = PlainText(only.Inlines), true
		case *Code:
			only.Title = cmp.Or(attributes.String("title", "filename"), only.Title)
			return only
		}
	}
	if !isText {
		return nil
	}
	info := attributes.String("lang", "language") + " " + attributes.String("meta", "metastring")
	c := code(strings.TrimSpace(info), strings.Trim(text, "\n")+"\n", pos)
	c.Title = cmp.Or(attributes.String("title", "filename"), c.Title)
	c.Numbered = c.Numbered || attributes.Bool("showLineNumbers")
	return c
}

// items returns a list of the objects in a literal: what they are called, what they lead to,
// their descriptions, and the lists in them. It is nil without any.
func items(value any, pos Pos) Block {
	made := &List{at: at{pos}, Tight: true}
	objects, _ := value.([]any) // nil if it is not a list
	for _, v := range objects {
		object, _ := v.(map[string]any) // nil has no members
		var all Attributes
		for _, name := range slices.Sorted(maps.Keys(object)) {
			all = append(all, Attribute{Name: name, Value: object[name]})
		}
		var said []Inline
		if title := all.String("title", "label", "name", "text"); title != "" {
			said = []Inline{&Text{at{pos}, title}}
			if href := all.String("href", "link", "url", "to"); href != "" {
				said = []Inline{&Link{at: at{pos}, Href: href, Inlines: said}}
			}
		}
		if more := all.String("description", "details"); more != "" {
			if said != nil {
				said = append(said, &Text{at{pos}, " – "})
			}
			said = append(said, &Text{at{pos}, inline.OneLine(more)})
		}
		item := &ListItem{at: at{pos}}
		if said != nil {
			item.Blocks = append(item.Blocks, &Paragraph{at{pos}, true, said})
		}
		for _, a := range all {
			if list := items(a.Value, pos); list != nil {
				item.Blocks = append(item.Blocks, list)
			}
		}
		if len(item.Blocks) > 0 {
			made.Items = append(made.Items, item)
		}
	}
	if len(made.Items) == 0 {
		return nil
	}
	return made
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
