package conform

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// usual are fields that a document need not declare for each response: general HTTP
// fields, and those for browsers, caches and tracing. So are fields that begin with
// Access-Control-.
var usual = [...]string{
	"Allow", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Content-Type", "Date",
	"Preference-Applied", "Referrer-Policy", "Traceparent", "Vary", "X-Content-Type-Options",
}

// unusual returns the names of all other fields, sorted.
func unusual(header http.Header) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(header)), func(name string) bool {
		return slices.Contains(usual[:], name) || strings.HasPrefix(name, "Access-Control-")
	})
}

// closedSchemas contains, by name, the components for values without additional members;
// the components themselves may be composed.
const closedSchemas = "/components/closed/properties/"

// close forbids members that the schemas do not name, wherever a schema describes a whole
// value and not a part of another. A schema that names no member allows any.
func (d *document) close() {
	components, _ := lookup(d.root, "/components")
	if of, ok := components.(map[string]any); ok {
		schemas, _ := of["schemas"].(map[string]any)
		closed := map[string]any{}
		for name := range schemas {
			closed[name] = map[string]any{"$ref": "#/components/schemas/" + escapeToken(name)}
		}
		of["closed"] = map[string]any{"properties": closed}
	}
	d.closeBelow(d.root)
}

func (d *document) closeBelow(at any) {
	switch v := at.(type) {
	case []any:
		for _, element := range v {
			d.closeBelow(element)
		}
	case map[string]any:
		members, _ := v["properties"].(map[string]any)
		for _, schema := range append(slices.Collect(maps.Values(members)), v["schema"], v["items"], v["additionalProperties"]) {
			if of, ok := schema.(map[string]any); ok && d.namesMembers(of) {
				of["unevaluatedProperties"] = false
			}
		}
		for _, member := range v {
			d.closeBelow(member)
		}
	}
}

// namesMembers reports whether a schema, or any that it is composed of, names a member.
func (d *document) namesMembers(schema map[string]any) bool {
	if _, ok := schema["properties"].(map[string]any); ok {
		return true
	}
	var parts []any
	if ref, ok := schema["$ref"].(string); ok {
		part, _ := lookup(d.root, strings.TrimPrefix(ref, "#"))
		parts = append(parts, part)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := schema[word].([]any)
		parts = append(parts, list...)
	}
	return slices.ContainsFunc(parts, func(part any) bool {
		of, _ := part.(map[string]any)
		return d.namesMembers(of)
	})
}
