package conform

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// usual are the fields that a document need not declare for each answer: those
// of every message of HTTP, and what is said for browsers, caches and tracing.
// What begins with Access-Control- is one too.
var usual = [...]string{
	"Allow", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Content-Type", "Date",
	"Preference-Applied", "Referrer-Policy", "Traceparent", "Vary", "X-Content-Type-Options",
}

// unusual returns the names of the other fields of a header, sorted.
func unusual(header http.Header) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(header)), func(name string) bool {
		return slices.Contains(usual[:], name) || strings.HasPrefix(name, "Access-Control-")
	})
}

// shape is what a schema, with all that it is composed of, says of the members
// and elements of a value: pointers to their schemas.
type shape struct {
	members map[string][]string
	others  []string // of members that have no name
	open    bool     // whether there may be others
	items   []string
}

// unnamed lists the members of a value that the schema at a pointer does not
// name, by their JSON Pointers. An object of which it names no member, or whose
// members it leaves to others, may have any.
func (d *document) unnamed(pointer string, value any) []string {
	return d.unnamedIn([]string{pointer}, value, "")
}

func (d *document) unnamedIn(pointers []string, value any, at string) (list []string) {
	s := shape{members: map[string][]string{}}
	for _, pointer := range pointers {
		d.gather(pointer, &s)
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			place := at + "/" + escapeToken(name)
			inner, named := s.members[name]
			if !named {
				inner = s.others
			}
			if !named && !s.open && len(s.members) > 0 {
				list = append(list, place)
			}
			list = append(list, d.unnamedIn(inner, v[name], place)...)
		}
	case []any:
		for i, element := range v {
			list = append(list, d.unnamedIn(s.items, element, at+"/"+strconv.Itoa(i))...)
		}
	}
	return list
}

// gather adds what the schema at a pointer says. Of alternatives it takes all.
func (d *document) gather(pointer string, s *shape) {
	pointer = d.follow(pointer)
	node, _ := lookup(d.root, pointer)
	schema, _ := node.(map[string]any)
	if properties, ok := schema["properties"].(map[string]any); ok {
		for name := range properties {
			s.members[name] = append(s.members[name], pointer+"/properties/"+escapeToken(name))
		}
	}
	switch schema["additionalProperties"].(type) {
	case map[string]any:
		s.open = true
		s.others = append(s.others, pointer+"/additionalProperties")
	case bool:
		s.open = s.open || schema["additionalProperties"] == true
	}
	if _, ok := schema["items"]; ok {
		s.items = append(s.items, pointer+"/items")
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		parts, _ := schema[word].([]any)
		for i := range parts {
			d.gather(pointer+"/"+word+"/"+strconv.Itoa(i), s)
		}
	}
}
