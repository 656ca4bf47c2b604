package conform

import (
	"net/http"
	"strings"
	"testing"
)

const unnamedDocument = `
openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: 'https://api.example/v1'}]
paths: {/x: {get: {responses: {'204': {description: none}}}}}
components:
  schemas:
    Base: {type: object, properties: {id: {type: string}}}
    Page:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          properties:
            free: {type: object}
            any: {type: object, properties: {a: {}}, additionalProperties: true}
            each: {type: object, additionalProperties: {$ref: '#/components/schemas/Base'}}
            list: {type: array, items: {anyOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {to: {}}}]}}
`

// TestUnnamed: a member that the schema does not name is found wherever it is,
// but not where any may be.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	d, err := loadDocument([]byte(unnamedDocument), true)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"id":"x","free":{"x":1},"any":{"x":1},"each":{"x":{"id":"y"}},"list":[{"id":"x"},{"to":"y"}]}`: "",
		`{"each":{"a":{"b":1}}}`:                 `at "/each/a/b" `,
		`{"list":[{"to":"x"},{"id":"x","y":1}]}`: `at "/list/1/y" `,
		`{"x":1,"id":"x"}`:                       `at "/x" `,
	} {
		have := d.checkComponent("Page", []byte(text))
		if (have == nil) != (want == "") || have != nil && !strings.Contains(have.have, want) {
			t.Errorf("%s: have %v, want %q", text, have, want)
		}
	}
}

// TestClosedDocument: a document that is taken for complete has no place for
// fields of a header and for members that it does not name.
func TestClosedDocument(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		d, err := loadDocument([]byte(unnamedDocument), closed)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if closed {
			want = 1
		}
		for name, count := range map[string]int{"X-Other": want, "Vary": 0, "Access-Control-Max-Age": 0, "Link": 1} {
			have := d.checkAnswer("GET", "/v1/x", &answer{status: 204, header: http.Header{name: {"x"}}})
			if len(have) != count {
				t.Errorf("closed %v, field %s: have %v, want %d faults", closed, name, have, count)
			}
		}
		for name, body := range map[string]string{"Base": `{"id":"x","y":1}`, "Page": `{"each":{"a":{"b":1}}}`} {
			if have := d.checkComponent(name, []byte(body)); (have != nil) != closed {
				t.Errorf("closed %v, %s %s: have %v", closed, name, body, have)
			}
		}
	}
}
