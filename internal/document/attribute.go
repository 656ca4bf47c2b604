package document

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

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
