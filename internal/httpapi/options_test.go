package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// send makes one request, follows no redirect and returns the answer with its
// body. headers are names and values in turn.
func send(t testing.TB, s *octavotest.Server, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

func TestRedirectOtherRegion(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{
		Regions: []string{"us"}, RegionURLs: map[string]string{"eu": "https://eu.example/search/eu/"},
	})
	for path, want := range map[string]string{
		"/search/eu/v1/examples/query-parameters?q=a%20b": "308 https://eu.example/search/eu/v1/examples/query-parameters?q=a%20b",
		"/search/eu/v1/search?q=a&api_key=oct_x":          "308 https://eu.example/search/eu/v1/search?q=a&api_key=oct_x",
		"/search/eu/":                                     "308 https://eu.example/search/eu/",
		"/search/us/v1/examples/query-parameters?q=a":     "401 ",
		"/search/apac/v1/examples/query-parameters?q=a":   "404 ",
	} {
		resp, _ := send(t, s, http.MethodGet, path, "")
		if have := fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Location")); have != want {
			t.Errorf("%s: have %s, want %s", path, have, want)
		}
		if resp.StatusCode != http.StatusPermanentRedirect {
			continue
		}
		// The address may hold a key.
		if cache, referrer := resp.Header.Get("Cache-Control"), resp.Header.Get("Referrer-Policy"); cache != "no-store" || referrer != "no-referrer" {
			t.Errorf("%s: have Cache-Control %q and Referrer-Policy %q, want no-store and no-referrer", path, cache, referrer)
		}
	}
}

func TestCORSOrigins(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{CORSOrigins: []string{"https://a.example"}})
	for origin, want := range map[string]string{"https://a.example": "https://a.example", "https://b.example": "", "": ""} {
		resp, _ := send(t, s, http.MethodGet, "/v1/health", "", "Origin", origin)
		if have := resp.Header.Get("Access-Control-Allow-Origin"); have != want {
			t.Errorf("origin %q: have %q, want %q", origin, have, want)
		}
		if !strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "Origin") {
			t.Errorf("origin %q: the answer does not vary by Origin", origin)
		}
	}
	off := octavotest.Start(t, octavotest.Options{CORSOrigins: []string{}})
	if resp, _ := send(t, off, http.MethodGet, "/v1/health", "", "Origin", "https://a.example"); resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("origins are let in although none is configured")
	}
	apart := octavotest.Start(t, octavotest.Options{CORSOrigins: []string{}, AuthURL: "https://login.example:443"})
	for origin, want := range map[string]string{"https://login.example": "https://login.example", "https://a.example": ""} { // where Studio is
		if resp, _ := send(t, apart, http.MethodGet, "/v1/health", "", "Origin", origin); resp.Header.Get("Access-Control-Allow-Origin") != want {
			t.Errorf("Studio elsewhere, origin %q: have %q", origin, resp.Header)
		}
	}
}

// TestTagsDifferByCoding shows decision 12: the coding is part of the entity
// tag, each is recognised on a read, and all are on a change.
func TestTagsDifferByCoding(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	body := `{"title":"T","slug":"s","content":"` + strings.Repeat("words ", 1000) + `"}`
	resp, _ := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", bearer, "Content-Type", "application/json")
	page := strings.TrimPrefix(resp.Header.Get("Location"), s.URL)
	read := func(coding, tag string) *http.Response {
		resp, _ := send(t, s, http.MethodGet, page, "", "Authorization", bearer, "Accept-Encoding", coding, "If-None-Match", tag)
		return resp
	}
	plain, packed := read("identity", `"x"`), read("gzip", `"x"`)
	if packed.Header.Get("Content-Encoding") != "gzip" || plain.Header.Get("Content-Encoding") != "" || packed.ContentLength >= plain.ContentLength {
		t.Fatalf("have %v and %v, want one of them compressed", plain.Header, packed.Header)
	}
	tags := []string{plain.Header.Get("ETag"), packed.Header.Get("ETag")}
	if tags[0] == tags[1] {
		t.Errorf("both codings have the tag %s", tags[0])
	}
	for i, coding := range []string{"identity", "gzip"} {
		if have := read(coding, tags[i]).StatusCode; have != http.StatusNotModified {
			t.Errorf("%s with its own tag: have %d, want 304", coding, have)
		}
		if have := read(coding, tags[1-i]).StatusCode; have != http.StatusOK {
			t.Errorf("%s with the other's tag: have %d, want 200", coding, have)
		}
	}
	resp, text := send(t, s, http.MethodPatch, page, `{"title":"U"}`, "Authorization", bearer, "Content-Type", "application/json", "If-Match", tags[1])
	if resp.StatusCode != http.StatusOK {
		t.Errorf("a change with the compressed tag: have %d %s, want 200", resp.StatusCode, text)
	}
}

// TestScheduledPages shows decision 59: publishAt and unpublishAt take
// effect once their time has come, and are cleared.
func TestScheduledPages(t *testing.T) {
	var mu sync.Mutex
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite, TTL: 24 * time.Hour})
	do := func(method, path, body string) (string, string) {
		resp, text := send(t, s, method, path, body, "Authorization", bearer, "Content-Type", "application/json")
		return strings.TrimPrefix(resp.Header.Get("Location"), s.URL), text
	}
	page, _ := do(http.MethodPost, "/v1/pages", `{"title":"T","slug":"s","content":"c"}`)
	do(http.MethodPatch, page, `{"publishAt":"2026-01-01T01:00:00Z","unpublishAt":"2026-01-01T03:00:00Z"}`)
	for _, c := range []struct {
		after time.Duration
		want  string
	}{
		{0, `"status":"draft"`},
		{time.Hour, `"status":"published"`},
		{time.Hour, `"status":"published"`},
		{time.Hour, `"status":"draft"`},
	} {
		mu.Lock()
		now = now.Add(c.after)
		mu.Unlock()
		if _, _, err := s.Store.Pages.RunSchedule(t.Context(), octavo.Actor{ID: "octavo"}); err != nil {
			t.Fatal(err)
		}
		if _, text := do(http.MethodGet, page, ""); !strings.Contains(text, c.want) {
			t.Errorf("at %v: have %s, want %s", now, text, c.want)
		}
	}
	if _, text := do(http.MethodGet, page, ""); strings.Contains(text, "publishAt") || strings.Contains(text, "unpublishAt") {
		t.Errorf("have %s, want no times left", text)
	}
}

// TestDrainRefusedBody checks that a client which sends all before it
// reads gets the answer.
func TestDrainRefusedBody(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const size = 16 << 20
	fmt.Fprintf(conn, "POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", bearer, size)
	if _, err := conn.Write(make([]byte, size)); err != nil {
		t.Fatalf("the body is not taken: %v", err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("have %s, want 413", resp.Status)
	}
}

func TestAllMistakesInOneProblem(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	resp, text := send(t, s, http.MethodPatch, "/v1/pages/x", `{"title":"","status":"y"}`, "Authorization", bearer, "Content-Type", "application/json", "If-Match", "zz")
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("have %s, want 400", resp.Status)
	}
	for _, path := range []string{"pageId", "If-Match", "/title", "/status"} {
		if !strings.Contains(text, `"path":"`+path+`"`) {
			t.Errorf("have %s, want a fault at %s", text, path)
		}
	}
}

// TestRootBacklinks imports a root page by bulk and links to it.
func TestRootBacklinks(t *testing.T) {
	onBoth(t, func(t *testing.T, s *octavotest.Server) {
		bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
		_, text := send(t, s, http.MethodPost, "/v1/pages/bulk", `{"atomic":true,"operations":[
			{"op":"create","source":"index.md","page":{"title":"Home","slug":"index","content":""}},
			{"op":"create","source":"a/x.md","page":{"title":"X","slug":"a-x","content":"[up](../index.md)"}}]}`,
			"Authorization", bearer, "Content-Type", "application/json")
		_, id, _ := strings.Cut(text, `"page":{"id":"`)
		id, _, _ = strings.Cut(id, `"`)
		_, text = send(t, s, http.MethodGet, "/v1/pages/"+id+"/backlinks", "", "Authorization", bearer)
		if !strings.Contains(text, `"slug":"a-x","label":"up"`) {
			t.Errorf("have %s, want the link of a-x", text)
		}
	})
}

// TestOptionsOfTheServer: OPTIONS * asks of no resource. It is answered like any
// other request, with what every answer has; other methods find nothing there.
func TestOptionsOfTheServer(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	for _, c := range []struct {
		method, header string
		status         int
		allow          string
	}{
		{"OPTIONS", "", http.StatusNoContent, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
		{"OPTIONS", "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n", http.StatusNoContent, ""},
		{"OPTIONS", "Content-Length: 2\r\n", http.StatusNoContent, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
		{"GET", "", http.StatusNotFound, ""},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n", c.method, c.header)
		if strings.HasPrefix(c.header, "Content-Length") {
			fmt.Fprint(conn, "{}")
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: c.method})
		conn.Close() //nolint:errcheck // the header was read
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close() //nolint:errcheck // the header is what counts
		if resp.StatusCode != c.status || resp.Header.Get("Allow") != c.allow || !strings.HasPrefix(resp.Header.Get("X-Request-Id"), "req_") {
			t.Errorf("%s * with %q: have %s and %v, want %d, Allow %q and X-Request-Id", c.method, c.header, resp.Status, resp.Header, c.status, c.allow)
		}
	}
}
