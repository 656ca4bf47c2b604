package portal

import (
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// sample returns a portal as a server would build it.
func sample(t testing.TB, baseURL string) *Portal {
	t.Helper()
	p, err := New(Options{BaseURL: baseURL, Versions: []string{"v1", "v2"}, Product: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// serve asks a handler of the portal.
func serve(t testing.TB, p *Portal, method, path string, header http.Header) *http.Response {
	t.Helper()
	file, _, _ := strings.Cut(path, "?")
	h, ok := p.Handlers()[file]
	if !ok {
		t.Fatalf("nothing at %s; there is %v", file, slices.Sorted(maps.Keys(p.Handlers())))
	}
	r := httptest.NewRequest(method, path, nil)
	r.Header = header
	if header == nil {
		r.Header = http.Header{}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t testing.TB, resp *http.Response) string {
	t.Helper()
	var r io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		zip, err := gzip.NewReader(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		r = zip
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNewNeedsAVersion(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{BaseURL: "http://127.0.0.1:8080"}); err == nil {
		t.Error("New without versions: have no error")
	}
}

func TestHandlerPaths(t *testing.T) {
	t.Parallel()
	want := []string{"/", "/portal.css", "/portal.svg", "/problems", "/reference", "/reference/init.js", "/reference/redoc.js"}
	for _, info := range octavo.ProblemTypes() {
		want = append(want, "/problems/"+string(info.Type))
	}
	slices.Sort(want)
	if have := slices.Sorted(maps.Keys(sample(t, "http://x").Handlers())); !slices.Equal(have, want) {
		t.Errorf("have %v\nwant %v", have, want)
	}
}

func TestPageContents(t *testing.T) {
	t.Parallel()
	p := sample(t, "https://docs.example.com")
	for _, c := range []struct {
		path, contentType string
		contains          []string
	}{
		{"/", "text/html; charset=utf-8", []string{
			`href="/reference"`, `href="/problems"`, `href="/openapi.yaml"`, `href="/openapi.json"`,
			`href="https://docs.example.com/v1/health"`, "https://docs.example.com/v2", "1.2.3",
		}},
		{"/reference", "text/html; charset=utf-8", []string{`src="/reference/init.js?v=`, `href="/openapi.json"`}},
		{"/problems", "text/html; charset=utf-8", []string{`href="/problems/slug-taken"`, "Too many requests"}},
		{"/problems/slug-taken", "text/html; charset=utf-8", []string{"409", "Another page already uses the slug", "&#34;type&#34;: &#34;/problems/slug-taken&#34;"}},
		{"/problems/unauthorized", "text/html; charset=utf-8", []string{"WWW-Authenticate", "Content-Length: 0"}},
		{"/portal.css", "text/css; charset=utf-8", []string{"prefers-color-scheme: dark"}},
		{"/portal.svg", "image/svg+xml", []string{"<svg"}},
		{"/reference/init.js", "text/javascript; charset=utf-8", []string{"disableTelemetry: true"}},
		{"/reference/redoc.js", "text/javascript; charset=utf-8", []string{"export{", "Version: 3.0.1"}},
	} {
		resp := serve(t, p, "GET", c.path, nil)
		text := body(t, resp)
		if have := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || have != c.contentType {
			t.Errorf("%s: have %d %q, want 200 %q", c.path, resp.StatusCode, have, c.contentType)
		}
		for _, want := range c.contains {
			if !strings.Contains(text, want) {
				t.Errorf("%s: lacks %q", c.path, want)
			}
		}
	}
}

func TestLinksKeepThePathOfThePublicAddress(t *testing.T) {
	t.Parallel()
	text := body(t, serve(t, sample(t, "https://example.com/docs"), "GET", "/problems/gone", nil))
	for _, want := range []string{`href="/docs/"`, `href="/docs/problems"`, `href="/docs/portal.css?v=`} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if strings.Contains(text, `="/problems`) {
		t.Error("has a link that leaves /docs")
	}
}

func TestPagePolicies(t *testing.T) {
	t.Parallel()
	p := sample(t, "http://x")
	for path := range p.files {
		resp := serve(t, p, "GET", path, nil)
		policy := resp.Header.Get("Content-Security-Policy")
		page := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
		switch {
		case resp.Header.Get("X-Content-Type-Options") != "nosniff":
			t.Errorf("%s: lacks nosniff", path)
		case !page && policy != "":
			t.Errorf("%s: is no page, yet has the policy %q", path, policy)
		case page && !strings.HasPrefix(policy, "default-src 'none'; "):
			t.Errorf("%s: have policy %q, want one that begins with default-src 'none'", path, policy)
		case strings.Contains(policy, "unsafe-eval") || strings.Contains(policy, "script-src 'self' 'unsafe"):
			t.Errorf("%s: the policy %q allows unsafe scripts", path, policy)
		}
		for _, inline := range []string{"<script>", "<style", " style=", " onclick="} {
			if text := body(t, resp); page && strings.Contains(text, inline) {
				t.Errorf("%s: contains %q", path, inline)
			}
		}
	}
}
