package conform

import (
	"net/http"
	"testing"
)

// testAnswer is what the tables of expectations look at.
func testAnswer() *answer {
	return &answer{
		status: 200,
		header: http.Header{"Etag": {`"a"`}, "Vary": {"Accept", "Origin"}},
		body: []byte(`{"id":"page_1","n":12345678901234567890,"one":1.0,"none":null,"é":"ééé","a/b":{"~":true},` +
			`"data":[{"id":"x","status":"draft","tags":["a","b"]},{"id":"y","status":"draft"}]}`),
	}
}

func TestExpectationsMet(t *testing.T) {
	for _, line := range []string{
		"status 200", "status 2xx",
		`header ETag == "\"a\""`, "header etag matches ^\"[a-z]\"$", "header ETag != b", "header ETag present",
		"header X absent", "header X != b", "header X lacks b", "header Vary == Accept, Origin", "header Vary contains Origin",
		`body contains "page_1"`, "body lacks page_2", "body matches ^\\{.*\\}$", "body != x",
		"json /id == \"page_1\"", "json /id matches ^page_", "json /n == 12345678901234567890", "json /one == 1",
		"json /none == null", "json /none present", "json /x absent", "json /x != 1", "json /é length 3",
		"json /a~1b == {\"~\": true}", "json /a~1b/~0 == true", "json /data length 2", "json /data/1 length 2",
		"json /data contains {\"id\": \"y\"}", "json /data/0/tags contains \"b\"", "json /data lacks {\"id\": \"z\"}",
		"json /data each {\"status\": \"draft\"}", "json length 7", "json /data/0/tags == [\"a\", \"b\"]",
		"capture a /id", "capture a header ETag", "capture a body",
	} {
		if m := tryLine(t, line); m != nil {
			t.Errorf("%s\nhave %s\nwant %s", line, m.have, m.want)
		}
	}
}

func TestExpectationsMissed(t *testing.T) {
	list := `[{"id":"x","status":"draft","tags":["a","b"]},{"id":"y","status":"draft"}]`
	for _, c := range []struct{ line, have, want string }{
		{"status 404", "200 " + string(testAnswer().body), "404"},
		{"status 4xx", "200 " + string(testAnswer().body), "4xx"},
		{"header ETag == b", `"\"a\""`, `"b"`},
		{"header ETag != ${etag}", `"\"a\""`, `!= "\"a\""`},
		{"header ETag absent", `"\"a\""`, "no such field"},
		{"header X present", "no such field", "any value"},
		{"header X matches ^b", "no such field", `matches "^b"`},
		{"header Vary lacks Origin", `"Accept, Origin"`, `lacks "Origin"`},
		{"body empty", string(testAnswer().body), "no body"},
		{"json /id == \"page_2\"", `"page_1"`, `"page_2"`},
		{"json /id != \"page_1\"", `"page_1"`, `!= "page_1"`},
		{"json /id matches ^x$", `"page_1"`, `matches "^x$"`},
		{"json /n == 12345678901234567891", "12345678901234567890", "12345678901234567891"},
		{"json /n matches 1", "12345678901234567890", "a string"},
		{"json /none absent", "null", "no such value"},
		{"json /data/0/tags/2 present", "nothing at /data/0/tags/2 in " + testShown(t), "present"},
		{"json /data length 3", "2: " + list, "3"},
		{"json /n length 3", "-1: 12345678901234567890", "3"},
		{"json /data contains {\"id\": \"z\"}", list, `contains {"id":"z"}`},
		{"json /data lacks {\"id\": \"y\"}", list, `lacks {"id":"y"}`},
		{"json /data each {\"tags\": [\"a\", \"b\"]}", `element 1: {"id":"y","status":"draft"}`, `each {"tags":["a","b"]}`},
		{"json /id contains 1", `"page_1"`, "an array"},
		{"json /id == ${etag}x", `an operand that is no JSON: invalid character after top-level value`, `"a"x`},
		{"capture a header X", "no such field", "a value to capture"},
		{"capture a /data/2", "nothing at /data/2 in " + testShown(t), "a value to capture"},
	} {
		m := tryLine(t, c.line)
		if m == nil {
			t.Errorf("%s\nhave no failure\nwant %s / %s", c.line, c.have, c.want)
		} else if m.have != c.have || m.want != c.want {
			t.Errorf("%s\nhave %s / %s\nwant %s / %s", c.line, m.have, m.want, c.have, c.want)
		}
	}
}

// testShown is the answer's body as reports show it.
func testShown(t *testing.T) string {
	t.Helper()
	root, err := parseJSON(testAnswer().body)
	if err != nil {
		t.Fatal(err)
	}
	return show(root)
}

func tryLine(t *testing.T, line string) *mismatch {
	t.Helper()
	s, err := Parse("x", opening+"requires etag\n\nGET /\nstatus 200\n"+line+"\n")
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	steps := s.blocks[0].steps
	v := &values{named: map[string]string{"etag": `"a"`}}
	return steps[len(steps)-1].try(testAnswer(), v, nil)
}

func TestCapture(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"capture a /id", "page_1"},
		{"capture a /data/0/tags", `["a","b"]`},
		{"capture a header Vary", "Accept, Origin"},
		{"capture a body", string(testAnswer().body)},
	} {
		s, err := Parse("x", opening+"GET /\nstatus 200\n"+c.line+"\n")
		if err != nil {
			t.Fatal(err)
		}
		v := &values{named: map[string]string{}}
		if m := s.blocks[0].steps[1].try(testAnswer(), v, nil); m != nil || v.named["a"] != c.want {
			t.Errorf("%s\nhave %q, %v\nwant %q", c.line, v.named["a"], m, c.want)
		}
	}
}
