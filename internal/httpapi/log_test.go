package httpapi_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// TestRequestsInLog holds what a line tells of a request.
func TestRequestsInLog(t *testing.T) {
	s := newSurface(t)
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, c := range []struct {
		headers string
		want    []string
		lacks   string
	}{
		{"as: key", []string{"operation=getPage", "status=200", "method=GET", "credential=key_"}, "trace"},
		{"as: reader\nX-Trace-Id: t1", []string{"trace=t1", "credential="}, "traceparent"},
		{"as: reader\nTraceparent: " + parent, []string{"trace=" + parent}, "traceparent"},
		{"as: reader\nX-Trace-Id: t1\nTraceparent: " + parent, []string{"trace=t1", "traceparent=" + parent}, ""},
		{"X-Trace-Id: " + strings.Repeat("t", 200), []string{"trace=req_", "status=401"}, "credential"},
	} {
		s.log.take()
		w := s.send("GET", "/v1/pages/$page", c.headers, nil)
		have := s.log.take()
		for _, want := range append(c.want, "request="+w.Header().Get("X-Request-Id")) {
			if !strings.Contains(have, want) {
				t.Errorf("%s: have %s, want %s in it", c.headers, have, want)
			}
		}
		if c.lacks != "" && strings.Contains(have, c.lacks) {
			t.Errorf("%s: have %s, want no %s", c.headers, have, c.lacks)
		}
		if n := strings.Count(have, "\n"); n != 1 {
			t.Errorf("%s: have %d lines, want 1", c.headers, n)
		}
	}
}

// TestNoSecretInLog puts secrets wherever a request can have one, lets
// requests succeed and fail in all ways, and looks for them in the log.
func TestNoSecretInLog(t *testing.T) {
	s := newSurface(t)
	const secret = "Hush0secret"
	given := []string{secret}
	for _, line := range s.credentials {
		_, value, _ := strings.Cut(line, ": ")
		given = append(given, strings.TrimPrefix(value, "Bearer "))
	}
	headers := []string{
		"as: writer", "as: key", "as: reader", "Accept: */*",
		"Authorization: Bearer " + secret, "Authorization: Basic " + secret, "Authorization: " + secret,
		"X-API-Key: " + secret, "X-API-Key: oct_" + secret, "Cookie: session=" + secret,
	}
	const further = "\nIdempotency-Key: " + secret + "\nReferer: https://x.example/?token=" + secret + "\nUser-Agent: " + secret +
		"\nX-Forwarded-For: " + secret + "\nOrigin: https://" + secret + ".example\nPrefer: " + secret + "\nIf-Match: " + secret + "\nContent-Type: application/json"
	bodies := []string{
		"", "{", secret, `{"title":"` + secret + `","slug":"hush","content":"` + secret + `","callbackUrl":"https://me:` + secret + `@x.example"}`,
		`{"title":"T","slug":"` + secret + `","content":"c","` + secret + `":1}`,
	}
	expired, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	requests := 0
	for _, method := range []string{"GET", "POST", "PATCH", "DELETE", secret} {
		for _, target := range []string{
			"/v1/pages?api_key=" + secret + "&cursor=" + secret + "&" + secret + "=1", "/v1/pages/$page?include=" + secret, "/v1/pages/page_01h455vb4pex5vsknk084sn02q",
			"/v1/pages/" + secret, "/v1/pages/by-slug/" + secret, "/" + secret, "/search/us/v1/search?api_key=oct_" + secret,
		} {
			for i, head := range headers {
				for _, ctx := range []context.Context{t.Context(), expired} {
					r := s.request(method, target, head+further, []byte(bodies[i%len(bodies)]))
					if r == nil {
						t.Fatalf("%s %s %s is no request", method, target, head)
					}
					s.Handler.ServeHTTP(httptest.NewRecorder(), r.WithContext(ctx))
					requests++
				}
			}
		}
	}
	have := s.log.take()
	if n := strings.Count(have, "msg=request "); n < requests || !strings.Contains(have, "msg=\"request failed\"") {
		t.Errorf("have %d lines of %d requests, some of which must have failed", n, requests)
	}
	for _, g := range given {
		if i := strings.Index(strings.ToLower(have), strings.ToLower(g)); i >= 0 {
			t.Errorf("the log holds %q: …%s…", g, have[max(0, i-200):min(len(have), i+200)])
		}
	}
}

// TestChangesKeepTheTrace checks that what a request was recognised by is kept
// with what it changed.
func TestChangesKeepTheTrace(t *testing.T) {
	s := newSurface(t)
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for i, c := range []struct{ headers, want string }{
		{"", ""},
		{"\nX-Trace-Id: t1", "t1"},
		{"\nX-Trace-Id: größe", "größe"},
		{"\nTraceparent: " + parent, parent},
		{"\nX-Trace-Id: t1\nTraceparent: " + parent, "t1"},
		{"\nX-Trace-Id: \nTraceparent: nonsense", "00-"},
	} {
		before, err := s.Store.Log.Last(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w := s.send("PATCH", "/v1/pages/$page", "as: writer\nContent-Type: application/json"+c.headers, fmt.Appendf(nil, `{"title":"%d"}`, i))
		changes, err := s.Store.Log.Changes(t.Context(), before, 10)
		if err != nil || len(changes) != 1 || w.Code != 200 {
			t.Fatalf("%q: have %d, %d changes, %v", c.headers, w.Code, len(changes), err)
		}
		have := changes[0].TraceID
		if have != c.want && (c.want != "00-" || have != w.Header().Get("Traceparent")) {
			t.Errorf("%q: the change keeps %q, want %q", c.headers, have, c.want)
		}
		if _, ok := octavo.ParseTraceparent(have); ok != strings.HasPrefix(c.want, "00-") {
			t.Errorf("%q: the change keeps %q, which is a traceparent: %v", c.headers, have, ok)
		}
	}
}
