// Package attribute has the attributes of nodes, and reads those in braces. It
// does not know which of them a rendering may show.
package attribute

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// Attribute is an attribute of a heading, link, element or component. Value is
// a string, float64, bool, nil, []any or map[string]any; that of an attribute
// without one is true.
type Attribute struct {
	Name  string
	Value any
}

// List are the attributes of one node, in order and with names as written.
type List []Attribute

// Get returns the value of the first attribute of that name, in any case.
func (a List) Get(name string) (any, bool) {
	for _, attribute := range a {
		if strings.EqualFold(attribute.Name, name) {
			return attribute.Value, true
		}
	}
	return nil, false
}

// String returns the value of the first attribute that has one of the names and
// is a string or number, or "".
func (a List) String(names ...string) string {
	for _, name := range names {
		value, _ := a.Get(name)
		switch value := value.(type) {
		case string:
			return value
		case float64:
			return strconv.FormatFloat(value, 'g', -1, 64)
		}
	}
	return ""
}

// Bool reports whether one of the names is given and not false.
func (a List) Bool(names ...string) bool {
	for _, name := range names {
		if value, found := a.Get(name); found {
			return value != false && value != "false" && value != nil
		}
	}
	return false
}

// Parse reads the inside of {#id .class name=value}; ok is false when anything
// else stands there. A bare name may be an attribute too, or not.
func Parse(s string, bare bool) (attributes List, ok bool) {
	s = strings.TrimPrefix(strings.TrimSpace(s), ":") // as kramdown and MkDocs write it
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

// Word returns the length of the first word, in which quotes are held together.
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

// IsName reports whether s is a name, as of an attribute or a constant.
func IsName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !inline.IsLetter(c) && c != '_' && (i == 0 || !inline.IsDigit(c) && c != '-' && c != ':') {
			return false
		}
	}
	return s != ""
}
