package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
)

func (p *parser) class(name string) element.Class {
	if p.imports[name] != "" {
		return element.Unknown
	}
	return element.ClassOfTag(name)
}

// isBlock reports whether a tag is at block level.
func (p *parser) isBlock(name string) bool { return p.imports[name] != "" || element.IsBlock(name) }

// componentName returns the original name of a tag that is a component, else "".
func componentName(t *tag) string {
	return element.ComponentName(strings.TrimPrefix(t.text[1:], "/")[:len(t.Name)], t.Name)
}

// nameComponent restores the original name of a tag that is closed, by itself or by a
// partner. Others keep the element name.
func (b *builder) nameComponent(t *tag, end int) {
	name := componentName(t)
	if t.Name = strings.ToLower(t.Name); name == "" {
		return
	}
	if b.pairs == nil {
		b.pairs = element.NewPairs(b.source.text)
	}
	if t.SelfClosing || b.pairs.Has(name, t.Closing, end) {
		t.Name = name
	}
}

// Attribute is an attribute of a heading, link, element or component, and
// Attributes are those of one node.
type (
	Attribute  = attribute.Attribute
	Attributes = attribute.List
)

// attributesBehind parses the attributes after a Markdown link or image, as in
// ![](map.png){width=300}, and returns their width.
func (p *parser) attributesBehind(rest string) int {
	p.behind = append(p.behind, nil)
	if p.mdx || p.inHeading || !strings.HasPrefix(rest, "{") {
		return 0
	}
	end := strings.IndexAny(rest[:min(len(rest), 256)], "}\n")
	if end < 0 || rest[end] != '}' {
		return 0
	}
	attributes, ok := attribute.Parse(rest[1:end], false)
	if !ok {
		return 0
	}
	for i := range attributes { // as MyST has them
		attributes[i].Name = cmp.Or(map[string]string{"w": "width", "h": "height"}[attributes[i].Name], attributes[i].Name)
	}
	p.behind[len(p.behind)-1] = attributes
	return end + 1
}
