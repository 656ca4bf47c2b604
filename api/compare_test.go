package api

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

const mark = "x-octavo-extension"

// comparison gathers how a document departs from the contract.
type comparison struct {
	doc    map[string]any // to resolve references in
	faults []string
}

// compare returns what of the contract is lost or altered in doc, and what doc
// adds without a mark or where a mark cannot excuse it. Descriptions,
// summaries and members that begin with x- do not count.
func compare(contract, doc map[string]any) []string {
	c := &comparison{doc: doc}
	c.object("", contract, doc)
	return c.faults
}

func (c *comparison) fault(path, format string, args ...any) {
	c.faults = append(c.faults, path+": "+fmt.Sprintf(format, args...))
}

func (c *comparison) value(path string, want, have any) {
	switch want := want.(type) {
	case map[string]any:
		if have, ok := have.(map[string]any); ok {
			c.object(path, want, have)
			return
		}
	case []any:
		if have, ok := have.([]any); ok {
			c.list(path, want, have)
			return
		}
	}
	if !reflect.DeepEqual(want, have) {
		c.fault(path, "have %v, want %v", have, want)
	}
}

func (c *comparison) object(path string, want, have map[string]any) {
	want, have = normal(want), normal(have)
	if have[mark] == true {
		c.fault(path, "is the contract's and marked as an extension")
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if notMeaning(name, want[name]) {
			continue
		}
		if h, ok := have[name]; ok {
			c.value(path+"/"+name, want[name], h)
		} else {
			c.fault(path+"/"+name, "is lost")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if _, ok := want[name]; !ok && !notMeaning(name, have[name]) && !openToReceivers(path, name, have[name]) {
			c.added(path+"/"+name, have[name])
		}
	}
	if properties, ok := have["properties"].(map[string]any); ok && have["additionalProperties"] == false {
		for name := range properties {
			if wanted, _ := want["properties"].(map[string]any); wanted[name] == nil {
				c.fault(path+"/properties/"+name, "opens a shape that the contract closes")
			}
		}
	}
}

// list compares parameters and tags by name, security and scalars as sets, and
// the rest by place.
func (c *comparison) list(path string, want, have []any) {
	at := func(v any, i int) string {
		if name := identity(c.resolve(v)); name != "" {
			return name
		}
		switch v.(type) {
		case map[string]any, []any:
			return fmt.Sprint(i)
		}
		return fmt.Sprint(v)
	}
	rest := map[string]any{}
	for i, v := range have {
		name := at(v, i)
		if _, twice := rest[name]; twice {
			c.fault(path+"/"+name, "stands there twice")
		}
		rest[name] = v
	}
	for i, v := range want {
		name := at(v, i)
		h, ok := rest[name]
		if !ok {
			c.fault(path+"/"+name, "is lost")
			continue
		}
		c.value(path+"/"+name, v, h)
		delete(rest, name)
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		c.added(path+"/"+name, rest[name])
		c.harmless(path, name, rest[name], want)
	}
}

// harmless reports what a mark does not excuse: an addition to a list that
// makes requests fail or answers differ for clients that know the contract.
func (c *comparison) harmless(path, name string, v any, want []any) {
	item, _ := c.resolve(v).(map[string]any)
	switch path[strings.LastIndex(path, "/")+1:] {
	case "parameters":
		if item["required"] == true {
			c.fault(path+"/"+name, "asks for a parameter that the contract does not have")
		}
	case "tags":
	case "allOf":
		for key := range item {
			if key != "type" && key != "properties" && key != mark {
				c.fault(path+"/"+name+"/"+key, "may not stand in an extension")
			}
		}
		for _, element := range want {
			theirs, _ := element.(map[string]any)["properties"].(map[string]any)
			for property := range item["properties"].(map[string]any) {
				if theirs[property] != nil {
					c.fault(path+"/"+name+"/properties/"+property, "narrows a member of the contract")
				}
			}
		}
	default:
		c.fault(path+"/"+name, "may not be added, marked or not")
	}
}

// added reports an addition without a mark at itself, at what it refers to, or
// at every one of its members.
func (c *comparison) added(path string, v any) {
	v = c.resolve(v)
	var members []any
	switch v := v.(type) {
	case map[string]any:
		if v[mark] == true {
			return
		}
		members = slices.Collect(maps.Values(v))
	case []any:
		members = v
	}
	for _, m := range members {
		if item, ok := c.resolve(m).(map[string]any); !ok || item[mark] != true {
			members = nil
			break
		}
	}
	if len(members) == 0 {
		c.fault(path, "is added without %s", mark)
	}
}

// resolve follows a reference within the document.
func (c *comparison) resolve(v any) any {
	object, _ := v.(map[string]any)
	ref, ok := object["$ref"].(string)
	if !ok || object[mark] == true {
		return v
	}
	if target, ok := lookup(c.doc, ref); ok {
		return target
	}
	return v
}

// identity names a parameter or a tag.
func identity(v any) string {
	object, _ := v.(map[string]any)
	name, _ := object["name"].(string)
	in, _ := object["in"].(string)
	if name == "" {
		return ""
	}
	return strings.TrimPrefix(in+" "+name, " ")
}

// openToReceivers reports whether a member says that a receiver of the service's
// own requests gets no credentials, which the contract forgets to (decision 56).
func openToReceivers(path, name string, v any) bool {
	list, ok := v.([]any)
	sent := strings.HasPrefix(path, "/webhooks/") || strings.Contains(path, "/callbacks/")
	return name == "security" && ok && len(list) == 0 && sent && strings.HasSuffix(path, "/post")
}

// notMeaning reports whether a member says nothing about what is sent.
func notMeaning(name string, v any) bool {
	_, text := v.(string)
	return text && (name == "description" || name == "summary") || strings.HasPrefix(name, "x-")
}

// normal writes a choice among plain types, which generators need, as the list
// of types that it stands for.
func normal(schema map[string]any) map[string]any {
	choices, ok := schema["anyOf"].([]any)
	if !ok || schema["type"] != nil {
		return schema
	}
	var types []any
	for _, choice := range choices {
		object, _ := choice.(map[string]any)
		name, ok := object["type"].(string)
		if !ok || len(object) != 1 {
			return schema
		}
		types = append(types, name)
	}
	schema = maps.Clone(schema)
	delete(schema, "anyOf")
	slices.SortFunc(types, func(a, b any) int { return cmp.Compare(a.(string), b.(string)) })
	schema["type"] = types
	return schema
}
