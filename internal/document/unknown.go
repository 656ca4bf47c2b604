package document

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// wrapUnknown shows what a component says and holds that nobody knows, as a link
// if it leads somewhere.
func (p *parser) wrapUnknown(t *tag, blocks []Block) []Block {
	if p.imports[t.Name] != "" {
		return append(p.include(t), blocks...)
	}
	attributes := p.readAttributes(t, false)
	title, others := words(t, attributes)
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
	if href, ok := linkTarget(attributes, true); ok && href != "" {
		return []Block{&Element{at{t.pos}, "a", Attributes{{Name: "href", Value: href}}, blocks}}
	}
	return blocks
}

// saidInline adds what an unknown component within a line says to what it holds.
func (p *parser) saidInline(t *tag, attributes Attributes, children []Inline) []Inline {
	title, others := words(t, attributes)
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

// words returns what the attributes of an unknown component say: its title, and
// the others with their names. What only tells how it looks is left out.
func words(t *tag, attributes Attributes) (title string, others []string) {
	if !element.StartsUpper(t.Name) {
		return "", nil
	}
	named := ""
	for _, name := range []string{"title", "heading", "header", "label", "caption", "name"} {
		if title = oneLine(attributes.String(name)); title != "" {
			named = name
			break
		}
	}
	for _, a := range attributes {
		name := strings.ToLower(a.Name)
		text := wordsOf(a.Value)
		if text == "" || name == named || strings.ContainsAny(name, ":") || strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-") {
			continue
		}
		switch name {
		case "href", "to", "id", "key", "class", "classname", "style", "slot", "icon", "color", "width", "height", "size", "variant", "align", "cols", "columns", "rel", "target":
			continue
		}
		others = append(others, a.Name+": "+text)
	}
	return title, others
}

// wordsOf returns a text, a number or a list of them as text.
func wordsOf(value any) string {
	list, ok := value.([]any)
	if !ok {
		return oneLine((Attributes{{Name: "", Value: value}}).String(""))
	}
	var parts []string
	for _, v := range list {
		if text := wordsOf(v); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}
