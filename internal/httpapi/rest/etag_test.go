package rest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/octavo-docs/octavo"
)

const tagID = octavo.ID("page_01h455vb4pex5vsknk084sn02q")

func TestIfMatchUnderstandsEveryRepresentation(t *testing.T) {
	for field, want := range map[string]bool{
		`*`:                                       true,
		`"01h455vb4pex5vsknk084sn02q.3"`:          true,
		`"01h455vb4pex5vsknk084sn02q.3.md.gzip"`:  true,
		`"x", "01h455vb4pex5vsknk084sn02q.3.p"`:   true,
		`"a,b" ,, "01h455vb4pex5vsknk084sn02q.3"`: true,
		`"01h455vb4pex5vsknk084sn02q.30"`:         false,
		`"01h455vb4pex5vsknk084sn02q.2"`:          false,
		`W/"01h455vb4pex5vsknk084sn02q.3"`:        false,
		`"3"`:                                     false,
	} {
		match, err := ParseIfMatch(field)
		if err != nil {
			t.Errorf("%s: %v", field, err)
		} else if have := match(tagID, 3); have != want {
			t.Errorf("%s: have %v, want %v", field, have, want)
		}
	}
	for _, field := range []string{``, `abc`, `"abc`, `"a" "b"`, `w/"a"`, `"a",b`, `*, "a"`} {
		if _, err := ParseIfMatch(field); err == nil {
			t.Errorf("%s: accepted, want an error", field)
		}
	}
}

func TestConditionsOfAChange(t *testing.T) {
	const tag = `"01h455vb4pex5vsknk084sn02q.3"`
	for _, c := range []struct {
		name            string
		match, noneOf   string
		allowed, failed bool
	}{
		{name: "both hold", match: tag, noneOf: `"x"`, allowed: true},
		{name: "they contradict each other", match: tag, noneOf: tag},
		{name: "only if it does not exist", noneOf: `*`},
		{name: "malformed", match: `x`, failed: true},
	} {
		r := &Request{Request: httptest.NewRequest("PATCH", "/", nil)}
		for name, value := range map[string]string{"If-Match": c.match, "If-None-Match": c.noneOf} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		condition, err := r.WriteCondition()
		if (err != nil) != c.failed {
			t.Errorf("%s: %v", c.name, err)
		} else if err == nil && condition(tagID, 3) != c.allowed {
			t.Errorf("%s: have %v, want %v", c.name, !c.allowed, c.allowed)
		}
	}
}

func TestReadConditions(t *testing.T) {
	tag := EntityTag{ID: "a", Version: 1}
	for _, c := range []struct {
		method, name, value string
		want                int
	}{
		{"GET", "If-None-Match", `"a.1"`, http.StatusNotModified},
		{"HEAD", "If-None-Match", `"b", W/"a.1"`, http.StatusNotModified},
		{"GET", "If-None-Match", `*`, http.StatusNotModified},
		{"GET", "If-None-Match", `"a.2"`, 0},
		{"GET", "If-None-Match", `"a.1.gzip"`, 0},
		{"GET", "If-None-Match", `nonsense`, 0},
		{"POST", "If-None-Match", `"a.1"`, 0},
		{"GET", "If-Match", `"a.2"`, http.StatusPreconditionFailed},
		{"GET", "If-Match", `"a.1"`, 0},
	} {
		r := &Request{Request: httptest.NewRequest(c.method, "/", nil)}
		r.Header.Set(c.name, c.value)
		if have := readCondition(r, http.StatusOK, tag); have != c.want {
			t.Errorf("%s %s: %s: have %d, want %d", c.method, c.name, c.value, have, c.want)
		}
	}
}

// FuzzParseTags checks that what is accepted consists of tags in quotes.
func FuzzParseTags(f *testing.F) {
	for _, seed := range []string{`*`, `"a", W/"b"`, `"a`, `,,`, `"" , ""`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		c, ok := parseTags(field)
		if ok && !c.any && len(c.tags) == 0 {
			t.Fatalf("%q: accepted without a tag", field)
		}
		for _, tag := range c.tags {
			if len(tag) < 2 || tag[len(tag)-1] != '"' {
				t.Fatalf("%q: have tag %q", field, tag)
			}
		}
	})
}
