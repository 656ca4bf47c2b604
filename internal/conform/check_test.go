package conform

import (
	"net/http"
	"strings"
	"testing"
)

const testDocument = `
openapi: 3.1.0
info: {title: t, version: '1'}
servers:
  - url: https://api.example/{version}
    variables: {version: {enum: [v1, v2], default: v1}}
paths:
  /pages:
    get:
      responses:
        '200':
          headers:
            X-Request-Id: {required: true, schema: {type: string}}
            X-Remaining: {$ref: '#/components/headers/Remaining'}
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Page'}}}
            text/*: {schema: {type: string, pattern: '^id'}}
        '401': {description: none}
        4XX: {$ref: '#/components/responses/Bad'}
    post:
      responses:
        '201': {content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}
  /pages/{pageId}:
    get:
      responses: {default: {$ref: '#/components/responses/Bad'}}
  /pages/bulk:
    get:
      responses: {'204': {description: done}}
  /query:
    get:
      servers: [{url: 'https://search.example/{region}/v1', variables: {region: {enum: [us, eu]}}}]
      responses: {'200': {content: {text/csv: {}}}}
components:
  headers:
    Remaining: {schema: {type: integer, minimum: 0}}
  responses:
    Bad: {content: {application/problem+json: {schema: {type: object, required: [title]}}}}
  schemas:
    Page:
      type: object
      required: [id]
      properties:
        id: {type: string, pattern: '^page_'}
        at: {type: string, format: date-time}
`

func loadTestDocument(t *testing.T) *document {
	t.Helper()
	d, err := loadDocument([]byte(testDocument), false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFindOperation(t *testing.T) {
	d := loadTestDocument(t)
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/v1/pages", "/paths/~1pages/get"},
		{"HEAD", "/v2/pages", "/paths/~1pages/get"},
		{"POST", "/v1/pages", "/paths/~1pages/post"},
		{"GET", "/v1/pages/page_1", "/paths/~1pages~1{pageId}/get"},
		{"GET", "/v1/pages/bulk", "/paths/~1pages~1bulk/get"},
		{"GET", "/search/eu/v1/query", "/paths/~1query/get"},
		{"GET", "/us/v1/query", "/paths/~1query/get"},
		{"GET", "/search/mars/v1/query", ""},
		{"GET", "/v3/pages", ""},
		{"GET", "/pages", ""},
		{"GET", "/v1/pages/", ""},
		{"PATCH", "/v1/pages", ""},
	} {
		have := ""
		if op := d.find(c.method, c.path); op != nil {
			have = op.pointer
		}
		if have != c.want {
			t.Errorf("%s %s: have %q, want %q", c.method, c.path, have, c.want)
		}
	}
}

func TestCheckAnswer(t *testing.T) {
	d := loadTestDocument(t)
	for _, c := range []struct {
		name, request string
		status        int
		header        http.Header
		body          string
		want          []string // of have and want, joined
	}{
		{"fits", "GET /v1/pages?x=1", 200, header("application/json; charset=utf-8"), `[{"id":"page_1"}]`, nil},
		{"another media type", "GET /v1/pages", 200, header("text/csv"), "id,title", nil},
		{"undeclared operation", "GET /v9/pages", 418, header("x/y"), "tea", nil},
		{"no body", "GET /v1/pages", 401, http.Header{}, "", nil},
		{"class of status", "GET /v1/pages", 404, header("application/problem+json"), `{"title":"t"}`, nil},
		{"head", "HEAD /v1/pages", 200, header("application/json"), "", nil},
		{"number in a header", "GET /v1/pages", 200, header("text/csv", "X-Remaining", "0"), "id", nil},
		{
			"status", "POST /v1/pages", 500, header("text/plain"), "oops",
			[]string{"500 oops / a status that the document declares for POST /pages"},
		},
		{
			"media type", "POST /v1/pages", 201, header("text/html"), "oops",
			[]string{"Content-Type text/html / application/json"},
		},
		{
			"no media type", "POST /v1/pages", 201,
			http.Header{},
			"oops",
			[]string{`Content-Type "" and the body oops / application/json`},
		},
		{
			"unwanted body", "GET /v1/pages", 401, header("text/plain"), "who?",
			[]string{"who? / no body, as the document declares none"},
		},
		{
			"several faults", "POST /v1/pages", 201, header("application/json"), `{"id":"x","at":"now"}`,
			[]string{`{"id":"x","at":"now"}: at "/at" 'now' is not valid date-time: less than 20 characters long; ` +
				`at "/id" 'x' does not match pattern '^page_' / a body that fits the document`},
		},
		{
			"repeated member", "POST /v1/pages", 201, header("application/json"), `{"id":"page_1","id":"page_2"}`,
			[]string{`no JSON: jsontext: duplicate object member name "id": {"id":"page_1","id":"page_2"} / application/json`},
		},
		{
			"headers", "GET /v1/pages", 200,
			http.Header{"Content-Type": {"text/csv"}, "X-Remaining": {"-1"}},
			"id",
			[]string{
				`header X-Remaining "-1": at "" got string, want integer / a value that fits the document`,
				"no header X-Request-Id / the header, which the document requires",
			},
		},
		{
			"a field that is not declared", "GET /v1/pages", 200, header("text/csv", "Link", "<x>", "X-Other", "y"), "id",
			[]string{`header Link "<x>" / a field that the document declares for the answer`},
		},
		{
			"string of a media type", "GET /v1/pages", 200, header("text/csv"), "title",
			[]string{`title: at "" 'title' does not match pattern '^id' / a body that fits the document`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			method, target, _ := strings.Cut(c.request, " ")
			var have []string
			for _, m := range d.checkAnswer(method, target, &answer{c.status, c.header, []byte(c.body)}) {
				have = append(have, m.have+" / "+m.want)
			}
			if strings.Join(have, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%s %d %q\nhave %q\nwant %q", c.request, c.status, c.body, have, c.want)
			}
		})
	}
}

// header makes a header with a media type, a request id and further fields.
func header(mediaType string, more ...string) http.Header {
	h := http.Header{"Content-Type": {mediaType}, "X-Request-Id": {"123"}}
	for i := 0; i < len(more); i += 2 {
		h.Set(more[i], more[i+1])
	}
	return h
}

func TestCheckComponent(t *testing.T) {
	d := loadTestDocument(t)
	for _, c := range []struct{ name, body, want string }{
		{"Page", `{"id":"page_1"}`, ""},
		{"Page", `{}`, `{}: at "" missing property 'id' / the schema Page`},
		{"Page", `{`, `no JSON: jsontext: unexpected EOF after offset 1: { / the schema Page`},
	} {
		have := ""
		if m := d.checkComponent(c.name, []byte(c.body)); m != nil {
			have = m.have + " / " + m.want
		}
		if have != c.want {
			t.Errorf("%s %s\nhave %s\nwant %s", c.name, c.body, have, c.want)
		}
	}
	if m := d.checkComponent("Unknown", []byte(`1`)); m == nil {
		t.Error("an unknown component: have no failure, want one")
	}
}
