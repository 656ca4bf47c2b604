// Package attribute has the attributes of nodes and parses those in braces. It does not
// decide which are safe to render.
package attribute

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Attribute is an attribute of a heading, link, element or component. Value is a string,
// float64, bool, nil, []any or map[string]any; without a value it is true.
type Attribute struct {
	Name  string
	Value any
}

// List is the attributes of one node, in order and with names as written.
type List []Attribute

// Get returns the value of the first attribute with that name, ignoring case.
func (a List) Get(name string) (any, bool) {
	for _, attribute := range a {
		if strings.EqualFold(attribute.Name, name) {
			return attribute.Value, true
		}
	}
	return nil, false
}

// String returns the first attribute with one of the names that is a string or number,
// else "".
func (a List) String(names ...string) string {
	for _, name := range names {
		value, _ := a.Get(name) // nil if missing
		switch value := value.(type) {
		case string:
			return value
		case float64:
			return strconv.FormatFloat(value, 'g', -1, 64)
		}
	}
	return ""
}

// Target returns the address that an element, or else a component, leads to.
func (a List) Target(component bool) (href string, ok bool) {
	names := []string{"href", "to"}
	if !component {
		names = names[:1]
	}
	for _, name := range names {
		value, _ := a.Get(name) // nil if missing
		if href, ok = value.(string); ok {
			return href, true
		}
	}
	return "", false
}

// List returns the value of an attribute if it is a list.
func (a List) List(name string) []any {
	value, _ := a.Get(name)  // nil if missing
	list, _ := value.([]any) // nil if it is not a list
	return list
}

// Labels returns the label of each value in a list of objects with both.
func Labels(list []any) map[string]string {
	labels := map[string]string{}
	for _, entry := range list {
		object, _ := entry.(map[string]any) // nil has no members
		labels[Text(object["value"])] = Text(object["label"])
	}
	return labels
}

// Text returns the text of a string or number, else "".
func Text(value any) string { return List{{Value: value}}.String("") }

// Bool reports whether one of the names is present and not false.
func (a List) Bool(names ...string) bool {
	for _, name := range names {
		if value, found := a.Get(name); found {
			return value != false && value != "false" && value != nil
		}
	}
	return false
}

// Parse parses the inside of {#id .class name=value}; ok is false for anything else. bare
// allows attributes without a value.
func Parse(s string, bare bool) (attributes List, ok bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), ":") // kramdown and MkDocs write a colon
	var classes []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		n := Word(s, `"'`)
		word := s[:n]
		s = s[n:]
		name, value, isPair := strings.Cut(word, "=")
		switch {
		case len(word) > 1 && word[0] == '#' && !isPair:
			attributes = append(attributes, Attribute{"id", word[1:]})
		case len(word) > 1 && word[0] == '.' && !isPair:
			classes = append(classes, word[1:])
		case isPair && IsName(name):
			attributes = append(attributes, Attribute{name, strings.Trim(value, `"'`)})
		case bare && IsName(word):
			attributes = append(attributes, Attribute{word, true})
		default:
			return nil, false
		}
	}
	if len(classes) > 0 {
		attributes = append(attributes, Attribute{"class", strings.Join(classes, " ")})
	}
	return attributes, len(attributes) > 0
}

// Word returns the length of the first word. Quotes may contain blanks.
func Word(s, quotes string) int {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case strings.IndexByte(quotes, c) >= 0:
			quote = c
		case inline.IsBlank(c) || c == '\n':
			return i
		}
	}
	return len(s)
}

// IsName reports whether s is the name of an attribute or constant.
func IsName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !inline.IsLetter(c) && c != '_' && (i == 0 || !inline.IsDigit(c) && c != '-' && c != ':') {
			return false
		}
	}
	return s != ""
}

// Media returns the addresses of what an element shows.
func (a List) Media(element string) (addresses []string) {
	names := []string{"src", "poster"}
	if element == "object" {
		names = append(names, "data")
	}
	for _, name := range names {
		if address := a.String(name); address != "" {
			addresses = append(addresses, address)
		}
	}
	for candidate := range strings.SplitSeq(a.String("srcset"), ",") {
		if words := strings.Fields(candidate); len(words) > 0 {
			addresses = append(addresses, words[0])
		}
	}
	return addresses
}
