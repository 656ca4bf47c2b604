package conform

import (
	"reflect"
	"testing"
)

const opening = "# Why.\n# Shows: contract endpoint 1; decisions 3, 16 and 42.\n\n"

func TestParse(t *testing.T) {
	text := opening + `requires quota
as reader

# A comment between blocks.

POST /v1/pages?a=${quota}
as writer
Accept: text/csv
yaml: <<<
title: A

slug: a
>>>
status 201
capture id /id

GET /v1/pages/${id}?x=${secret reader-key}
status 2xx
body == <<<
one
two
>>>
header ETag == "\"a\""
header ETag != ${id}
json /data contains {"id": "${id}"}
`
	s, err := Parse("01-a.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{3, 16, 42}; !reflect.DeepEqual(s.Decisions, want) {
		t.Errorf("decisions: have %v, want %v", s.Decisions, want)
	}
	if want := []string{"quota", "reader", "reader-key", "writer"}; !reflect.DeepEqual(s.Needs, want) {
		t.Errorf("needs: have %q, want %q", s.Needs, want)
	}
	want := []*block{
		{
			line: 9, method: "POST", target: "/v1/pages?a=${quota}", as: "writer", repeat: 1,
			header: []field{{"Content-Type", "application/x-yaml"}, {"Accept", "text/csv"}},
			body:   "title: A\n\nslug: a\n", hasBody: true,
			steps: []step{
				{line: 17, text: "status 201", subject: "status", want: "201"},
				{line: 18, text: "capture id /id", subject: "capture", key: "id", op: "json", want: "/id"},
			},
		},
		{
			line: 20, method: "GET", target: "/v1/pages/${id}?x=${secret reader-key}", as: "reader", repeat: 1,
			steps: []step{
				{line: 21, text: "status 2xx", subject: "status", want: "2xx"},
				{line: 22, text: "body == <<<", subject: "body", op: "==", want: "one\ntwo\n"},
				{line: 26, text: `header ETag == "\"a\""`, subject: "header", key: "ETag", op: "==", want: `"a"`},
				{line: 27, text: `header ETag != ${id}`, subject: "header", key: "ETag", op: "!=", want: `${id}`},
				{line: 28, text: `json /data contains {"id": "${id}"}`, subject: "json", key: "/data", op: "contains", want: `{"id": "${id}"}`},
			},
		},
	}
	for i := range want {
		if i >= len(s.blocks) || !reflect.DeepEqual(s.blocks[i], want[i]) {
			t.Errorf("block %d:\nhave %+v\nwant %+v", i, s.blocks[i], want[i])
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"GET /\nstatus 200\n", `x:0: a script opens with a comment that says why it exists and ends in "Shows: " and what it shows`},
		{"# Why.\n\nGET /\nstatus 200\n", `x:1: a script opens with a comment that says why it exists and ends in "Shows: " and what it shows`},
		{opening, "x:4: the script has no request"},
		{opening + "as\n", `x:4: before the first request stands "as NAME" or "requires NAME ...", not "as"`},
		{opening + "as a/b\n", `x:4: "a/b" is no name`},
		{opening + "GET /\n", "x:5: the block at line 4 does not say which status it expects"},
		{opening + "GET /\nstatus 200\n\nstatus 200\n", `x:7: a block begins with a method and a path, not "status 200"`},
		{opening + "GET /\nstatus 200\nGET /\nstatus 200\n", `x:6: "GET /" is neither a header, a body, an expectation nor a capture`},
		{opening + "GET /\nstatus 20\n", `x:5: a status is a number such as 201 or a class such as 2xx, not "20"`},
		{opening + "GET /\nstatus 200 OK\n", `x:5: a status is a number such as 201 or a class such as 2xx, not "200 OK"`},
		{opening + "GET /${id}\nstatus 200\n", `x:4: nothing named "id" was captured or required before`},
		{opening + "GET /${ id}\nstatus 200\n", `x:4: "${ id}" is no placeholder`},
		{opening + "GET /\njson: {\njson: {\nstatus 200\n", "x:6: the block has a body already"},
		{opening + "GET /\njson: <<<\n{}\nstatus 200\n", "x:5: the text that begins with <<< does not end in >>>"},
		{opening + "GET /\nraw: a\nstatus 200\n", "x:5: a raw body is a string in Go syntax, not a"},
		{opening + "GET /\npad 0\n", `x:5: "pad" needs a number from 1 to 16777216, not "0"`},
		{opening + "GET /\nheader ETag is 1\n", `x:5: "is" cannot be asked of header; these can: !=, ==, absent, contains, lacks, matches, present`},
		{opening + "GET /\nheader ETag: 1\n", `x:5: "ETag:" is no field name`},
		{opening + "GET /\nheader ETag absent now\n", `x:5: nothing may follow "absent", but there is "now"`},
		{opening + "GET /\nbody contains\n", `x:5: something must follow "contains"`},
		{opening + "GET /\nbody matches (\n", "x:5: error parsing regexp: missing closing ): `(`"},
		{opening + "GET /\nbody == \"a\n", `x:5: "a is no string in Go syntax`},
		{opening + "GET /\njson /a == x\n", `x:5: "x" is no JSON: jsontext: invalid character 'x' at start of value`},
		{opening + "GET /\njson /a length two\n", `x:5: a length is a number, not "two"`},
		{opening + "GET /\nschema #/a\n", `x:5: "schema" needs the name of a component, not "#/a"`},
		{opening + "GET /\ncapture id\n", `x:5: a capture is NAME /POINTER, NAME header FIELD or NAME body, not "id"`},
	} {
		_, err := Parse("x", c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("Parse(%q)\nhave %v\nwant %s", c.text, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(opening + "GET /${unique}\njson: {\"a\": \"${fill é 3}\"}\nstatus 200\njson /a == \"é\"\n")
	f.Add(opening + "as a\n\nPUT /\nyaml: <<<\na\n>>>\nstatus 4xx\ncapture c header X\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("x", text)
		if err != nil {
			return
		}
		if len(s.blocks) == 0 {
			t.Fatalf("Parse(%q) found no blocks and no mistake", text)
		}
		for _, b := range s.blocks {
			if b.line < 1 || b.method == "" || b.target == "" || len(b.steps) == 0 {
				t.Fatalf("Parse(%q) made the block %+v", text, b)
			}
		}
	})
}
