package element

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Words returns the texts in the attributes of an unknown component: its title, and others
// with their names. Purely visual attributes are omitted.
func Words(name string, attributes attribute.List) (title string, others []string) {
	if !StartsUpper(name) {
		return "", nil
	}
	named := ""
	for _, n := range []string{"title", "heading", "header", "label", "caption", "name"} {
		if title = inline.OneLine(attributes.String(n)); title != "" {
			named = n
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

// wordsOf formats a string, number or list of them.
func wordsOf(value any) string {
	list, ok := value.([]any)
	if !ok {
		return inline.OneLine((attribute.List{{Name: "", Value: value}}).String(""))
	}
	var parts []string
	for _, v := range list {
		if text := wordsOf(v); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}
