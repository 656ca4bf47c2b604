package rest

import (
	"net/http/httptest"
	"testing"
)

func TestNegotiate(t *testing.T) {
	for _, c := range []struct{ accept, want string }{
		{"", "application/json"},
		{"*/*", "application/json"},
		{"application/*", "application/json"},
		{"text/markdown", "text/markdown"},
		{"text/*;q=0.5, application/json;q=0.4", "text/markdown"},
		{"text/markdown;q=0.9, */*;q=0.1", "text/markdown"},
		{"text/markdown, application/json", "application/json"},
		{"APPLICATION/JSON", "application/json"},
		{"application/json;q=0, */*", "text/markdown"},
		{"application/json;q=0", ""},
		{"text/html", ""},
		{"application/json;q=2", ""},
		{"image/png, */*;q=0", ""},
	} {
		r := &Request{Request: httptest.NewRequest("GET", "/", nil)}
		if c.accept != "" {
			r.Header.Set("Accept", c.accept)
		}
		have, err := r.Negotiate("application/json", "text/markdown")
		if have != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Accept: %s: have %q %v, want %q", c.accept, have, err, c.want)
		}
	}
}

func TestAcceptsGzip(t *testing.T) {
	for field, want := range map[string]bool{
		"gzip": true, "br, GZIP;q=0.2": true, "*": true, "x-gzip": true,
		"": false, "br": false, "gzip;q=0": false, "*;q=1, gzip;q=0": false, "identity": false,
	} {
		r := &Request{Request: httptest.NewRequest("GET", "/", nil)}
		r.Header.Set("Accept-Encoding", field)
		if have := r.AcceptsGzip(); have != want {
			t.Errorf("%s: have %v, want %v", field, have, want)
		}
	}
}
