package portal

import (
	"net/http"
	"strconv"
	"testing"
)

func TestContentCoding(t *testing.T) {
	t.Parallel()
	p := sample(t, "http://x")
	for _, path := range []string{"/", "/reference/redoc.js"} {
		plain := body(t, serve(t, p, "GET", path, nil))
		for _, c := range []struct{ accept, want string }{
			{"", ""},
			{"gzip", "gzip"},
			{"GZIP;q=0.5, br", "gzip"},
			{"br, *", "gzip"},
			{"gzip;q=0, *", ""},
			{"br;q=1, gzip; q=0.0", ""},
			{"identity", ""},
		} {
			resp := serve(t, p, "GET", path, http.Header{"Accept-Encoding": {c.accept}})
			if have := resp.Header.Get("Content-Encoding"); have != c.want {
				t.Errorf("%s with Accept-Encoding %q: have coding %q, want %q", path, c.accept, have, c.want)
			}
			if text := body(t, resp); text != plain {
				t.Errorf("%s with Accept-Encoding %q: another content, %d bytes, want %d", path, c.accept, len(text), len(plain))
			}
		}
	}
}

func TestConditionalReads(t *testing.T) {
	t.Parallel()
	p := sample(t, "http://x")
	gzip := http.Header{"Accept-Encoding": {"gzip"}}
	tag := serve(t, p, "GET", "/portal.css", gzip).Header.Get("ETag")
	plainTag := serve(t, p, "GET", "/portal.css", nil).Header.Get("ETag")
	if tag == plainTag || tag == "" || plainTag == "" {
		t.Fatalf("have the tags %s and %s, want two", tag, plainTag)
	}
	for _, c := range []struct {
		match string
		want  int
	}{
		{tag, 304},
		{"W/" + tag, 304},
		{`"other", ` + tag, 304},
		{"*", 304},
		{plainTag, 200},
		{`"other"`, 200},
	} {
		resp := serve(t, p, "GET", "/portal.css", http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {c.match}})
		if resp.StatusCode != c.want {
			t.Errorf("If-None-Match %s: have %d, want %d", c.match, resp.StatusCode, c.want)
		}
		if text := body(t, resp); (text == "") != (c.want == 304) {
			t.Errorf("If-None-Match %s: %d with a body of %d bytes", c.match, resp.StatusCode, len(text))
		}
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	p := sample(t, "http://x")
	version := p.files["/portal.css"].version
	for _, c := range []struct{ path, want string }{
		{"/", "no-cache"},
		{"/?v=" + version, "no-cache"},
		{"/portal.css", "no-cache"},
		{"/portal.css?v=old", "no-cache"},
		{"/portal.css?v=" + version, "public, max-age=31536000, immutable"},
		{"/reference/redoc.js?v=" + version, "public, max-age=31536000, immutable"},
	} {
		if have := serve(t, p, "GET", c.path, nil).Header.Get("Cache-Control"); have != c.want {
			t.Errorf("%s: have Cache-Control %q, want %q", c.path, have, c.want)
		}
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	p := sample(t, "http://x")
	want := strconv.Itoa(len(body(t, serve(t, p, "GET", "/", nil))))
	resp := serve(t, p, "HEAD", "/", nil)
	if have := resp.Header.Get("Content-Length"); have != want {
		t.Errorf("Content-Length: have %s, want %s", have, want)
	}
	if text := body(t, resp); text != "" {
		t.Errorf("body: have %q, want none", text)
	}
}
