package api

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// load parses YAML text as plain values.
func load(t *testing.T, text string) map[string]any {
	t.Helper()
	node, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := toJSON(node)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(encoded, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func loadContract(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return load(t, string(text))
}

// lookup returns what a reference such as #/components/schemas/Page names.
func lookup(doc any, ref string) (any, bool) {
	for _, key := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		object, ok := doc.(map[string]any)
		if !ok {
			return nil, false
		}
		if doc, ok = object[key]; !ok {
			return nil, false
		}
	}
	return doc, true
}

func TestContractUnaltered(t *testing.T) {
	for _, fault := range compare(loadContract(t), load(t, document)) {
		t.Error(fault)
	}
}

// lost as a new value removes a member.
type lost struct{}

const (
	list    = "paths|/examples/basic-request|get|"
	create  = "paths|/examples/basic-request|post|"
	read    = "paths|/examples/path-parameters/{pageId}|get|"
	find    = "paths|/examples/query-parameters|get|"
	export  = "paths|/examples/complex-request-body|post|"
	schemas = "components|schemas|"
)

// TestComparisonSeesAlterations plants a fault at a time in the document.
func TestComparisonSeesAlterations(t *testing.T) {
	marked := map[string]any{mark: true, "type": "string"}
	for _, seed := range []struct {
		name string
		at   string
		to   any
	}{
		{"path removed", "paths|/examples/basic-response", lost{}},
		{"operation removed", "paths|/examples/basic-request|post", lost{}},
		{"operation renamed", read + "operationId", "readPage"},
		{"tag removed", "tags|0", lost{}},
		{"tags changed", read + "tags|0", "Search"},
		{"server of the search changed", find + "servers|0|url", "https://search.docs.example/{version}"},
		{"region removed", find + "servers|0|variables|region|enum|2", lost{}},
		{"deprecated set", find + "deprecated", true},
		{"response removed", list + "responses|401", lost{}},
		{"body given to 401", list + "responses|401|content", map[string]any{"application/problem+json": map[string]any{}}},
		{"default response removed", create + "responses|default", lost{}},
		{"media type of an answer removed", export + "responses|202|content|text/plain", lost{}},
		{"header removed", create + "responses|201|headers|Location", lost{}},
		{"header loosened", list + "responses|200|headers|X-RateLimit-Remaining|schema|minimum", lost{}},
		{"link changed", list + "responses|200|links|GetPageById|parameters|pageId", "$response.body#/data/1/id"},
		{"example removed", export + "responses|202|content|application/json|examples|queued", lost{}},
		{"parameter removed", list + "parameters|0", lost{}},
		{"parameter required", list + "parameters|0|required", true},
		{"parameter optional", find + "parameters|1|required", false},
		{"parameter exploded", list + "parameters|3|explode", true},
		{"default changed", list + "parameters|1|schema|default", 50},
		{"bound changed", list + "parameters|1|schema|maximum", 1000},
		{"required parameter added", read + "parameters|1", map[string]any{mark: true, "name": "a", "in": "query", "required": true}},
		{"unmarked parameter added", read + "parameters|1", map[string]any{"name": "a", "in": "query"}},
		{"unmarked response added", read + "responses|418", map[string]any{"description": "Teapot."}},
		{"unmarked path added", "paths|/teapots", map[string]any{"get": map[string]any{}}},
		{"unmarked schema added", schemas + "Teapot", map[string]any{"type": "object"}},
		{"body optional", create + "requestBody|required", false},
		{"body type removed", create + "requestBody|content|application/x-yaml", lost{}},
		{"encoding changed", create + "requestBody|content|multipart/form-data|encoding|metadata|contentType", "text/plain"},
		{"callback removed", create + "callbacks|pagePublished", lost{}},
		{"security loosened", create + "security|1", map[string]any{"BearerAuth": []any{}}},
		{"security scope changed", create + "security|0|OAuth2|0", "pages:read"},
		{"security removed", find + "security", lost{}},
		{"security opened", read + "security", []any{}},
		{"standard security changed", "security|0", map[string]any{"ApiKeyAuth": []any{}}},
		{"scheme renamed", "components|securitySchemes|ApiKeyAuth|name", "X-Key"},
		{"scope of the scheme removed", "components|securitySchemes|OAuth2|flows|authorizationCode|scopes|pages:read", lost{}},
		{"schema removed", schemas + "PagePatch", lost{}},
		{"enum value removed", schemas + "PageStatus|enum|2", lost{}},
		{"enum value added", schemas + "PageStatus|enum|3", "hidden"},
		{"pattern changed", schemas + "Identifier|pattern", "^.*$"},
		{"length changed", schemas + "Page|allOf|0|properties|title|maxLength", 255},
		{"required lost", schemas + "PageCreate|required|2", lost{}},
		{"required added", schemas + "Page|allOf|0|required|7", "frontmatter"},
		{"property removed", schemas + "Asset|properties|metadata", lost{}},
		{"property added without mark", schemas + "Asset|properties|name", map[string]any{"type": "string"}},
		{"property added to a closed shape", schemas + "PageCreate|properties|callbackUrl", marked},
		{"closed shape opened", schemas + "PageCreate|additionalProperties", true},
		{"null refused", schemas + "ExportJob|properties|downloadUrl|type", "string"},
		{"scalar option removed", schemas + "ExportRequest|properties|selection|properties|items|items|properties|options|additionalProperties|anyOf|1", lost{}},
		{"alternative added", schemas + "Page|allOf|0|properties|parentId|oneOf|2", marked},
		{"member narrowed by the extension", schemas + "Page|allOf|2|properties|title", map[string]any{"maxLength": 10}},
		{"extension made required", schemas + "Page|allOf|2|required", []any{"position"}},
		{"reference changed", schemas + "PageList|properties|data|items|$ref", "#/components/schemas/Asset"},
		{"constant changed", schemas + "Health|properties|status|const", "up"},
		{"format lost", schemas + "Timestamp|format", lost{}},
		{"contract marked as extension", schemas + "Page|" + mark, true},
		{"webhook removed", "webhooks|pageLifecycle", lost{}},
		{"discriminator changed", "webhooks|pageLifecycle|post|requestBody|content|application/json|schema|discriminator|propertyName", "kind"},
		{"reusable body removed", "components|requestBodies|PageUpsert", lost{}},
		{"reusable response changed", "components|responses|ValidationError|content", lost{}},
		{"reusable path item removed", "components|pathItems|ReusableGet", lost{}},
		{"dialect changed", "jsonSchemaDialect", "http://json-schema.org/draft-07/schema#"},
	} {
		t.Run(seed.name, func(t *testing.T) {
			doc, at := load(t, document), strings.Split(seed.at, "|")
			if plant(doc, at, seed.to) == nil {
				t.Fatalf("%s: there is no such place", seed.at)
			}
			faults := compare(loadContract(t), doc)
			if len(faults) == 0 {
				t.Errorf("%s = %v is not reported", seed.at, seed.to)
			}
			around := "/" + strings.Join(at[:min(3, len(at)-1)], "/")
			for _, fault := range faults {
				if !strings.HasPrefix(fault, around) {
					t.Errorf("%s = %v is reported as %s", seed.at, seed.to, fault)
				}
			}
		})
	}
}

// plant puts a value at a place below doc and returns doc as it is then, or
// nil when the place does not exist.
func plant(doc any, at []string, to any) any {
	if len(at) == 0 {
		return to
	}
	_, remove := to.(lost)
	remove = remove && len(at) == 1
	switch node := doc.(type) {
	case map[string]any:
		if _, ok := node[at[0]]; !ok && (len(at) > 1 || remove) {
			return nil
		}
		if remove {
			delete(node, at[0])
			return node
		}
		if node[at[0]] = plant(node[at[0]], at[1:], to); node[at[0]] == nil {
			return nil
		}
		return node
	case []any:
		i, err := strconv.Atoi(at[0])
		if err != nil || i > len(node) || i == len(node) && (len(at) > 1 || remove) {
			return nil
		}
		if remove {
			return slices.Delete(node, i, i+1)
		}
		if i == len(node) {
			return append(node, to)
		}
		if node[i] = plant(node[i], at[1:], to); node[i] == nil {
			return nil
		}
		return node
	}
	return nil
}
