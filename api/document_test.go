package api

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// walk calls visit for every value below v with its JSON Pointer.
func walk(pointer string, v any, visit func(pointer string, v any)) {
	visit(pointer, v)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), v[name], visit)
		}
	case []any:
		for i, item := range v {
			walk(fmt.Sprintf("%s/%d", pointer, i), item, visit)
		}
	}
}

func TestReferencesAndComponents(t *testing.T) {
	doc := load(t, document)
	used := map[string]bool{}
	walk("", doc, func(pointer string, v any) {
		object, _ := v.(map[string]any)
		if ref, ok := object["$ref"].(string); ok {
			used[ref] = true
			if _, ok := lookup(doc, ref); !ok {
				t.Errorf("%s refers to %s, which does not exist", pointer, ref)
			}
		}
		if mapping, ok := object["mapping"].(map[string]any); ok {
			for _, ref := range mapping {
				if _, ok := lookup(doc, ref.(string)); !ok {
					t.Errorf("%s refers to %s, which does not exist", pointer, ref)
				}
			}
		}
		if id, ok := object["operationId"].(string); ok && strings.Contains(pointer, "/links/") && !slices.Contains(operationIDs(doc), id) {
			t.Errorf("%s links to %s, which does not exist", pointer, id)
		}
	})
	contract := loadContract(t)["components"].(map[string]any)
	for kind, components := range doc["components"].(map[string]any) {
		theirs, _ := contract[kind].(map[string]any)
		for name := range components.(map[string]any) {
			if ref := "#/components/" + kind + "/" + name; !used[ref] && theirs[name] == nil {
				t.Errorf("nothing refers to %s", ref)
			}
		}
	}
}

// operationIDs lists the names of all operations, links aside.
func operationIDs(doc any) []string {
	var ids []string
	walk("", doc, func(pointer string, v any) {
		object, _ := v.(map[string]any)
		if id, ok := object["operationId"].(string); ok && !strings.Contains(pointer, "/links/") {
			ids = append(ids, id)
		}
	})
	return ids
}

func TestUniqueOperationIDs(t *testing.T) {
	ids := operationIDs(load(t, document))
	slices.Sort(ids)
	if once := slices.Compact(slices.Clone(ids)); len(once) != len(ids) {
		t.Errorf("have %d names for %d operations: %v", len(once), len(ids), ids)
	}
}

// TestSchemasCompileAndExamplesValidate compiles every schema, inline ones
// too, as draft 2020-12 and holds every example to its schema.
func TestSchemasCompileAndExamplesValidate(t *testing.T) {
	node, err := parse(document)
	if err != nil {
		t.Fatal(err)
	}
	text, err := toJSON(node)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource("api.json", doc); err != nil {
		t.Fatal(err)
	}
	schemas, examples := 0, 0
	check := func(pointer string, samples map[string]any) {
		schemas++
		schema, err := compiler.Compile("api.json#" + pointer)
		if err != nil {
			t.Errorf("%s: %v", pointer, err)
			return
		}
		for name, sample := range samples {
			examples++
			if err := schema.Validate(sample); err != nil {
				t.Errorf("%s: the example %s does not obey it: %v", pointer, name, err)
			}
		}
	}
	component := regexp.MustCompile(`^/components/schemas/[^/]+$`)
	walk("", doc, func(pointer string, v any) {
		object, ok := v.(map[string]any)
		switch {
		case !ok:
		case component.MatchString(pointer):
			check(pointer, samples(object))
		case object["schema"] != nil && !strings.Contains(pointer, "/properties/"):
			check(pointer+"/schema", samples(object))
		}
	})
	if schemas < 200 || examples < 6 {
		t.Errorf("found %d schemas and %d examples; the search for them is broken", schemas, examples)
	}
}

// samples returns the examples that stand beside or in a schema.
func samples(object map[string]any) map[string]any {
	found := map[string]any{}
	if sample, ok := object["example"]; ok {
		found["example"] = sample
	}
	named, _ := object["examples"].(map[string]any)
	for name, sample := range named {
		found[name] = sample.(map[string]any)["value"]
	}
	return found
}

// TestOperationsComplete checks what every operation of the service has.
func TestOperationsComplete(t *testing.T) {
	doc := load(t, document)
	c := comparison{doc: doc}
	parameter := regexp.MustCompile(`\{(\w+)\}`)
	tags := map[string]bool{}
	for _, tag := range doc["tags"].([]any) {
		tags[identity(tag)] = true
	}
	for path, item := range doc["paths"].(map[string]any) {
		for method, v := range item.(map[string]any) {
			op, name := v.(map[string]any), method+" "+path
			for _, text := range []string{"operationId", "summary", "description"} {
				if s, _ := op[text].(string); s == "" {
					t.Errorf("%s has no %s", name, text)
				}
			}
			for _, tag := range op["tags"].([]any) {
				if !tags[tag.(string)] {
					t.Errorf("%s: the tag %v is not declared", name, tag)
				}
			}
			var have, want []string
			parameters, _ := op["parameters"].([]any)
			for _, p := range parameters {
				have = append(have, identity(c.resolve(p)))
			}
			want = append(want, "header X-Trace-Id")
			for _, match := range parameter.FindAllStringSubmatch(path, -1) {
				want = append(want, "path "+match[1])
			}
			for _, w := range want {
				if !slices.Contains(have, w) {
					t.Errorf("%s has the parameters %q and lacks %q", name, have, w)
				}
			}
			for status, r := range op["responses"].(map[string]any) {
				c.checkResponse(t, name+" "+status, status, r)
			}
			if op["x-octavo-scope"] != nil && op["responses"].(map[string]any)["401"] == nil {
				t.Errorf("%s needs credentials and declares no 401", name)
			}
		}
	}
}

// TestTextLengths holds summaries to one phrase, and descriptions to sentences
// of at most 25 words. A code span is one word.
func TestTextLengths(t *testing.T) {
	code := regexp.MustCompile("(`[^`]+`,? ?(and )?)+")
	sentence := regexp.MustCompile(`[.:;?!]\s+`)
	walk("", load(t, document), func(pointer string, v any) {
		object, ok := v.(map[string]any)
		if !ok || strings.Contains(pointer, "/example") && !strings.HasPrefix(pointer, "/paths/~1examples") {
			return
		}
		if summary, ok := object["summary"].(string); ok && strings.ContainsAny(summary, ".;:") {
			t.Errorf("%s: the summary %q is more than a phrase", pointer, summary)
		}
		text, _ := object["description"].(string)
		for _, s := range sentence.Split(code.ReplaceAllString(text, "code "), -1) {
			if n := len(strings.Fields(s)); n > 25 {
				t.Errorf("%s: a sentence of %d words; divide it: %s", pointer, n, s)
			}
		}
	})
}

// TestGenerators holds shapes that generators of clients make
// wrong code of out of the document.
func TestGenerators(t *testing.T) {
	doc := load(t, document)
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	reached := map[string]bool{}
	var reach func(v any)
	reach = func(v any) {
		walk("", v, func(_ string, v any) {
			object, _ := v.(map[string]any)
			if ref, ok := object["$ref"].(string); ok && !reached[ref] {
				reached[ref] = true
				target, _ := lookup(doc, ref)
				reach(target)
			}
		})
	}
	reach(doc["paths"])
	for name := range schemas {
		if !reached["#/components/schemas/"+name] {
			t.Errorf("no path leads to the schema %s: oapi-codegen leaves it out", name)
		}
	}
	walk("", doc, func(pointer string, v any) {
		op, _ := v.(map[string]any)
		if op["responses"] == nil || pointer == "/components" {
			return
		}
		if body, _ := op["requestBody"].(map[string]any); body["$ref"] != nil {
			t.Errorf("%s: the body is a reference: swagger-typescript-api sends no Content-Type", pointer)
		}
		if security, ok := op["security"].([]any); !strings.HasPrefix(pointer, "/paths/") || strings.Contains(pointer, "/callbacks/") {
			if (!ok || len(security) > 0) && !strings.Contains(pointer, "/pathItems/") {
				t.Errorf("%s: its receiver would get credentials", pointer)
			}
		}
		id, _ := op["operationId"].(string)
		for _, suffix := range []string{"Result", "Response", "Params", "Body"} {
			if name := strings.ToUpper(id[:min(1, len(id))]) + id[min(1, len(id)):] + suffix; id != "" && schemas[name] != nil {
				t.Errorf("%s: orval calls a type of it %s, as a schema is called", pointer, name)
			}
		}
		if answer, ok := op["responses"].(map[string]any)["default"]; ok {
			headers := (&comparison{doc: doc}).resolve(answer).(map[string]any)["headers"].(map[string]any)
			if headers["Retry-After"] == nil {
				t.Errorf("%s: the default answer lacks Retry-After, which a 503 has", pointer)
			}
		}
	})
	walk("", schemas, func(pointer string, v any) {
		object, _ := v.(map[string]any)
		choices, _ := object["anyOf"].([]any)
		objects := 0
		for _, choice := range choices {
			if m, _ := (&comparison{doc: doc}).resolve(choice).(map[string]any); m["type"] == "object" || m["properties"] != nil {
				objects++
			}
		}
		if objects > 1 {
			t.Errorf("%s: a choice of objects: ogen gives up", pointer)
		}
		if values, _ := object["enum"].([]any); slices.Contains(values, nil) {
			t.Errorf("%s: null among the values: openapi-zod-client makes code that has no types", pointer)
		}
	})
}

// checkResponse checks the headers of every answer, and the body of errors.
func (c *comparison) checkResponse(t *testing.T, name, status string, v any) {
	response := c.resolve(v).(map[string]any)
	headers, _ := response["headers"].(map[string]any)
	content, _ := response["content"].(map[string]any)
	want := []string{"X-Request-Id", "X-Trace-Id", "X-RateLimit-Remaining", "RateLimit", "RateLimit-Policy"}
	switch status {
	case "201", "202", "308":
		if !strings.HasPrefix(name, "post /webhooks/{id}/") { // these put a job in line
			want = append(want, "Location")
		}
	case "401":
		want = append(want, "WWW-Authenticate")
	case "429":
		want = append(want, "Retry-After")
	}
	for _, header := range want {
		if headers[header] == nil {
			t.Errorf("%s lacks the header %s", name, header)
		}
	}
	if status == "default" || status >= "400" && status != "401" {
		if len(content) != 1 || content["application/problem+json"] == nil {
			t.Errorf("%s: have the content %v, want a Problem", name, content)
		}
	} else if status == "401" && content != nil {
		t.Errorf("%s: have the content %v, want none", name, content)
	}
}
