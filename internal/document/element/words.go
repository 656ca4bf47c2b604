package element

import (
	"maps"
	"slices"
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
		case "href", "to", "id", "key", "class", "classname", "style", "slot", "icon", "color", "width", "height", "size", "variant", "for", "align", "cols", "columns", "rel", "target":
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

// Items returns the objects in the lists of attributes as a list in Markdown: what they are called,
// what they lead to, their descriptions, and the lists in them.
func Items(attributes attribute.List) string {
	var out strings.Builder
	for _, a := range attributes {
		list, _ := a.Value.([]any) // nil if it is not a list
		addItems(&out, list, "")
	}
	return out.String()
}

func addItems(out *strings.Builder, list []any, indent string) {
	for _, v := range list {
		object, _ := v.(map[string]any) // nil has no members
		var all attribute.List
		for _, name := range slices.Sorted(maps.Keys(object)) {
			all = append(all, attribute.Attribute{Name: name, Value: object[name]})
		}
		var said []string
		title, href := inline.OneLine(all.String("title", "label", "name", "text")), all.String("href", "link", "url", "to")
		if title != "" && href != "" && !strings.ContainsAny(title+href, "[]<>\n") {
			title = "[" + title + "](<" + href + ">)"
		}
		for _, text := range []string{title, inline.OneLine(all.String("description", "details"))} {
			if text != "" {
				said = append(said, text)
			}
		}
		if len(said) > 0 {
			out.WriteString(indent + "- " + strings.Join(said, " – ") + "\n")
			for _, a := range all {
				inner, _ := a.Value.([]any) // nil if it is not a list
				addItems(out, inner, indent+"  ")
			}
		}
	}
}
