package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestJudgeBites proves that what the fuzz targets hold is noticed when it
// does not hold.
func TestJudgeBites(t *testing.T) {
	t.Parallel()
	problem := `{"status":404,"instance":"urn:octavo:request:req_1"}`
	for _, c := range []struct {
		method, path, sent string
		status             int
		headers            string
		body               string
		want               string // begins one of what is broken; "" for nothing
	}{
		{"GET", "/v1/pages", "", 200, "Content-Type: application/json", `{}`, ""},
		{"GET", "/v1/pages", "", 200, "Content-Type: application/json", `{`, "the body is not JSON"},
		{"GET", "/v1/pages", "", 200, "Content-Type: application/json\nContent-Length: 3", `{}`, "Content-Length"},
		{"HEAD", "/v1/pages", "", 200, "Content-Length: 3", "", ""},
		{"HEAD", "/v1/pages", "", 200, "", "x", "there is a body"},
		{"GET", "/v1/pages", "", 500, "Content-Type: application/problem+json", problem, "the server fails"},
		{"GET", "/v1/pages", "", 404, "Content-Type: application/problem+json", problem, ""},
		{"GET", "/v1/pages", "", 404, "Content-Type: application/json", problem, "an error is no Problem"},
		{"GET", "/v1/pages", "", 400, "Content-Type: application/problem+json", problem, "the Problem has another status"},
		{"GET", "/v1/pages", "", 404, "Content-Type: application/problem+json\nX-Request-Id: req_2", problem, "the Problem has another instance"},
		{"GET", "/v1/pages", "", 200, "X-Trace-Id: a\tb", "", "control characters"},
		{"GET", "/v1/pages", "", 200, "X-Request-Id: ", "", "no request id"},
		{"GET", "/v1/pages", "", 401, "", "{}", "there is a body"},
		{"GET", "/v1/pages", "", 200, "Content-Encoding: gzip", "x", "the body is not compressed"},
		{"GET", "/v1/pages", "", 200, "Content-Type: application/json", `{"data":[` + strings.Repeat("1,", 100) + `1]}`, "a list has more"},
		{"POST", "/v1/pages", `{"a":1}`, 201, "as: key", "", ""},
		{"POST", "/v1/pages", `{"a":1,"a":2}`, 201, "as: key", "", "a body that is not JSON"},
		{"POST", "/v1/pages", `{}`, 201, "", "", "nobody changes"},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.sent))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		w.Header().Set("X-Request-Id", "req_1")
		for line := range strings.SplitSeq(c.headers, "\n") {
			if name, value, _ := strings.Cut(line, ": "); name == "as" {
				r.Header.Set("X-API-Key", value)
			} else if name != "" {
				w.Header().Set(name, value)
			}
		}
		w.WriteHeader(c.status)
		w.Body.WriteString(c.body)
		have := judge(r, []byte(c.sent), w)
		found := slices.ContainsFunc(have, func(s string) bool { return strings.HasPrefix(s, c.want) })
		if (c.want == "") != (len(have) == 0) || c.want != "" && !found {
			t.Errorf("%s %d %s %q: have %q, want %q", c.method, c.status, c.headers, c.body, have, c.want)
		}
	}
}

// TestSamplesValid: what is mutated succeeds as it stands, but for the few
// that are there for their refusal.
func TestSamplesValid(t *testing.T) {
	t.Parallel()
	s := newSurface(t)
	judge := newJudge(t)
	good := 0
	for _, c := range samples() {
		r := s.request(c.method, c.target, c.headers, []byte(c.body))
		if r == nil {
			continue
		}
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, r)
		if w.Code < http.StatusBadRequest {
			good++
		}
		for _, broken := range judge(r, []byte(s.expand(c.body)), w) {
			t.Errorf("%+v: have %d, %s", c, w.Code, broken)
		}
	}
	if least := len(samples()) / 2; good < least {
		t.Errorf("have %d of %d requests answered with success, want %d at least", good, len(samples()), least)
	}
}
