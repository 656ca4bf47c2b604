package octavo_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
)

// What the nouns ask beyond the schemas: the rules of Page hold on input too
// (decision 7), and the position fits 32 bits (decision 10).
const (
	stricterCreate = `{"properties":{
		"title":{"minLength":1,"maxLength":120,"pattern":"^[^\\x00]*$"},
		"slug":{"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","maxLength":512}}}`
	stricterPatch = `{"properties":{
		"title":{"minLength":1,"maxLength":120,"pattern":"^[^\\x00]*$"},
		"position":{"minimum":-2147483648,"maximum":2147483647}},
		"anyOf":[{"required":["title"]},{"required":["content"]},{"required":["status"]},{"required":["parentId"]},
			{"required":["position"]},{"required":["publishAt"]},{"required":["unpublishAt"]}]}`
)

// compileSchema compiles a component of the document together with the
// stricter rules.
func compileSchema(t *testing.T, component, stricter string) *jsonschema.Schema {
	t.Helper()
	_, document, err := api.Render(api.Addresses{Base: "http://h", Search: "http://h/search", Auth: "http://h", Versions: []string{"v1"}, Regions: []string{"us"}})
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	both := `{"allOf":[{"$ref":"mem:///openapi.json#/components/schemas/` + component + `"},` + stricter + `]}`
	for name, text := range map[string][]byte{"mem:///openapi.json": document, "mem:///both.json": []byte(both)} {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(name, v); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("mem:///both.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// instance draws an object of known and unknown members with values that are
// sometimes right.
func instance(names []string) *rapid.Generator[[]byte] {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "a", "a-b", "A", "a--b", "draft", "published", "archived", "Draft", "page_1", "page_", "page_01h455vb4pex5vsknk084sn02q",
			"2026-01-31T12:00:00Z", "2026-01-31", "2026-02-30T12:00:00Z", "2026-01-31T12:00:00.5+02:00", "2026-01-31T12:00:00", "x\x00",
			strings.Repeat("é", 120), strings.Repeat("é", 121),
		}),
		rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, '\uFFFD') }),
	)
	value := rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return json.Number(rapid.SampledFrom([]string{"0", "-1", "1.5", "1e2", "1.0", "2147483647", "2147483648", "-2147483649"}).Draw(t, "number"))
		case 3:
			return []any{}
		case 4:
			return map[string]any{"k": nil}
		}
		return text.Draw(t, "text")
	})
	return rapid.Custom(func(t *rapid.T) []byte {
		object := map[string]any{}
		for _, name := range names {
			if rapid.IntRange(0, 3).Draw(t, name) > 0 {
				object[name] = value.Draw(t, name)
			}
		}
		if rapid.IntRange(0, 9).Draw(t, "extra") == 0 {
			object[rapid.SampledFrom([]string{"x", "TITLE", "", "a/b"}).Draw(t, "extra name")] = value.Draw(t, "extra value")
		}
		body, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		return body
	})
}

// sameVerdict holds decode and the schema against each other, in both
// directions, and makes sure that both verdicts occur.
func sameVerdict(t *testing.T, schema *jsonschema.Schema, names []string, valid string, decode func(octavo.Value) error) {
	t.Helper()
	check := func(t rapid.TB, body []byte) bool {
		v, err := jsonvalue.Decode(body)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		wrong, refused := schema.Validate(parsed), decode(v)
		if (wrong == nil) != (refused == nil) {
			t.Fatalf("%s\nhave %v\nschema says %v", body, refused, wrong)
		}
		return refused == nil
	}
	if !check(t, []byte(valid)) || check(t, []byte(`{}`)) {
		t.Fatal("the samples do not show both verdicts")
	}
	rapid.Check(t, func(t *rapid.T) { check(t, instance(names).Draw(t, "body")) })
}

func TestPageCreateAgreesWithItsSchema(t *testing.T) {
	names := []string{"title", "slug", "content", "status", "frontmatter"}
	sameVerdict(t, compileSchema(t, "PageCreate", stricterCreate), names, `{"title":"T","slug":"s","content":"c","status":"draft","frontmatter":{}}`, func(v octavo.Value) error {
		_, err := octavo.DecodePageUpsert(v)
		return err
	})
}

func TestPagePatchAgreesWithItsSchema(t *testing.T) {
	names := []string{"title", "content", "status", "parentId", "position", "publishAt", "unpublishAt"}
	sameVerdict(t, compileSchema(t, "PagePatch", stricterPatch), names, `{"parentId":null,"position":3,"publishAt":null}`, func(v octavo.Value) error {
		_, err := octavo.DecodePagePatch(v, false)
		return err
	})
}
