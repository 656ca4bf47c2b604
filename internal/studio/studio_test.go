package studio

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func serve(t *testing.T, path string, header ...string) (*httptest.ResponseRecorder, error) {
	t.Helper()
	s, err := New(Options{Root: "/deep", API: "https://docs.example.com/deep/v1", Site: "/deep/docs", Style: []byte(".oct {}"), Product: "1.2.3", Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	err = s.Serve(w, r)
	return w, err
}

// TestScreens checks that every address of a screen gets a document whose policy lets no
// script in but those of this server.
func TestScreens(t *testing.T) {
	t.Parallel()
	nonces := map[string]bool{}
	for _, path := range []string{"/studio", "/studio/pages/page_1", "/studio/anything/below"} {
		w, err := serve(t, path)
		if err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, w.Code, err)
		}
		policy := w.Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "connect-src 'self' https://docs.example.com;", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types octavo"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy lacks %q: %s", path, part, policy)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %s", path, policy)
		}
		if have := w.Header().Get("Cache-Control"); have != "no-store" {
			t.Errorf("%s: Cache-Control is %q, though the document has a nonce", path, have)
		}
		found := regexp.MustCompile(`nonce="([^"]+)"`).FindStringSubmatch(w.Body.String())
		if found == nil || nonces[found[1]] || !strings.Contains(policy, "'nonce-"+found[1]+"'") {
			t.Fatalf("%s: the nonce is %q", path, found)
		}
		nonces[found[1]] = true
	}
}

// TestFiles checks that files are found at the addresses that the document names, and
// nowhere else.
func TestFiles(t *testing.T) {
	t.Parallel()
	document, err := serve(t, "/studio")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`src="/deep(/studio/-/[^"]+\.js)"`).FindStringSubmatch(document.Body.String())
	if found == nil {
		t.Fatalf("the document names no script: %s", document.Body)
	}
	plain, err := serve(t, found[1])
	if err != nil || !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") || plain.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%s: %v, %v", found[1], err, plain.Header())
	}
	style := regexp.MustCompile(`name="octavo-preview" content="/deep(/studio/-/[^"]+\.css)"`).FindStringSubmatch(document.Body.String())
	if style == nil {
		t.Fatalf("the document names no style of previews: %s", document.Body)
	}
	if w, err := serve(t, style[1]); err != nil || w.Body.String() != ".oct {}" || w.Header().Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%s: %v, %v, %s", style[1], err, w.Header(), w.Body)
	}
	packed, err := serve(t, found[1], "Accept-Encoding", "gzip")
	if err != nil || packed.Header().Get("Content-Encoding") != "gzip" || packed.Body.Len() >= plain.Body.Len() {
		t.Errorf("%s: %v, %v, %d bytes of %d", found[1], err, packed.Header(), packed.Body.Len(), plain.Body.Len())
	}
	for _, path := range []string{"/studio/-/0/app.js", "/studio/-/app.js", strings.Replace(found[1], "app.js", "none.js", 1), strings.Replace(found[1], "app.js", "../studio.html", 1)} {
		if _, err := serve(t, path); !octavo.IsType(err, octavo.NotFound) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
