package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// element is an element of a drawing, or text between elements.
type element struct {
	xml.StartElement
	children []*element
	text     string // of text, which has no name
}

func (e *element) attribute(name string) string { return attribute(e.StartElement, name) }

// tree is a drawing as it was read.
type tree struct {
	root  *element
	ids   map[string]*element // the first of each name
	rules map[string][]rule   // by the class, id or element that they are for

	count   int // of rules
	applied int // bytes of declarations that were read for elements
}

// read reads a drawing. Nothing is loaded: entities but those of XML itself are
// an error, and what an address names elsewhere is not looked for.
func read(data []byte) (*tree, error) {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = false
	t := &tree{ids: map[string]*element{}, rules: map[string][]rule{}}
	var open []*element
	elements := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && t.root != nil {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read drawing: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if elements++; elements > maxElements {
				return nil, errors.New("a drawing of too many elements")
			}
			if len(open) > maxNesting {
				return nil, errors.New("a drawing that is nested too deeply")
			}
			e := &element{StartElement: token.Copy()}
			if t.root == nil {
				if e.Name.Local != "svg" {
					return nil, ErrFormat
				}
				t.root = e
			} else if len(open) > 0 {
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			}
			if id := e.attribute("id"); id != "" && t.ids[id] == nil {
				t.ids[id] = e
			}
			open = append(open, e)
		case xml.EndElement:
			if len(open) > 0 {
				if e := open[len(open)-1]; e.Name.Local == "style" {
					t.addRules(e)
				}
				open = open[:len(open)-1]
			}
		case xml.CharData:
			if len(open) > 0 {
				switch parent := open[len(open)-1]; parent.Name.Local {
				case "text", "tspan", "textPath", "a", "style":
					parent.children = append(parent.children, &element{text: string(token)})
				}
			}
		}
	}
}

// rule is what a style sheet says of some elements.
type rule struct {
	element      string // "" is any
	declarations string
}

// The bounds of style sheets: their rules, and how many declarations of them, in
// bytes, are read for all elements together.
const (
	maxRules   = 2000
	maxApplied = 16 << 20
)

// addRules reads a style sheet as far as it names elements, classes and ids.
func (t *tree) addRules(e *element) {
	var sheet strings.Builder
	for _, c := range e.children {
		for text, more := c.text, true; more; {
			var before string
			before, text, more = strings.Cut(text, "/*")
			sheet.WriteString(before + " ")
			if more {
				_, text, _ = strings.Cut(text, "*/")
			}
		}
	}
	home := "#" + t.root.attribute("id") + " " // what programs set before each rule
	for _, part := range strings.SplitN(sheet.String(), "}", maxRules) {
		selectors, declarations, found := strings.Cut(part, "{")
		if !found {
			continue
		}
		for selector := range strings.SplitSeq(selectors, ",") {
			if t.count++; t.count > maxRules {
				return
			}
			selector = strings.TrimPrefix(strings.TrimSpace(selector), home)
			if selector == "" || strings.ContainsAny(selector, " >+~:[*@") {
				continue
			}
			name, key := "", selector
			if at := strings.IndexAny(selector, ".#"); at > 0 {
				name, key = selector[:at], selector[at:]
			}
			t.rules[key] = append(t.rules[key], rule{name, declarations})
		}
	}
}

// rulesFor calls f with what style sheets say of an element, the strongest last.
func (t *tree) rulesFor(e *element, f func(declarations string)) {
	if len(t.rules) == 0 {
		return
	}
	apply := func(key string) {
		for _, r := range t.rules[key] {
			if t.applied += 8 + len(r.declarations); t.applied > maxApplied {
				return
			}
			if r.element == "" || r.element == e.Name.Local {
				f(r.declarations)
			}
		}
	}
	apply(e.Name.Local)
	for _, class := range strings.Fields(e.attribute("class")) {
		apply("." + class)
	}
	if id := e.attribute("id"); id != "" {
		apply("#" + id)
	}
}
