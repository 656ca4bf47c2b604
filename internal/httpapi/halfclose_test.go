package httpapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestHalfClosedConnections: a client that closes its sending side after the
// request, and reads on, gets the whole answer to a change; to a reading that,
// or the end of the connection. It is never told of a success without one.
func TestHalfClosedConnections(t *testing.T) {
	t.Parallel()
	const rounds = 50
	var log notes
	s := octavotest.Start(t, octavotest.Options{Log: &log})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	ask := func(method, path, body string) (status int, page struct{ ID, Title, Slug string }) {
		t.Helper()
		text := halfClosed(t, s.URL, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			method, path, token, len(body), body))
		if text == "" {
			return 0, page
		}
		resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
		if err != nil {
			t.Fatalf("%s %s: have %q: %v", method, path, text, err)
		}
		defer resp.Body.Close() //nolint:errcheck // it is in memory
		content, err := io.ReadAll(resp.Body)
		if err == nil && len(content) > 0 {
			err = json.Unmarshal(content, &page)
		}
		if err != nil {
			t.Fatalf("%s %s: have %q: %v", method, path, text, err)
		}
		return resp.StatusCode, page
	}
	_, first := ask("POST", "/v1/pages", `{"title":"First","slug":"first","content":"x"}`)
	cut := 0
	for i := range rounds {
		slug, title := fmt.Sprint("page-", i), fmt.Sprint("Title ", i)
		status, made := ask("POST", "/v1/pages", fmt.Sprintf(`{"title":"T","slug":%q,"content":"x"}`, slug))
		if status != http.StatusCreated || made.Slug != slug {
			t.Errorf("POST: have %d, %+v, want 201 and the page", status, made)
		}
		if status, page := ask("PATCH", "/v1/pages/"+first.ID, fmt.Sprintf(`{"title":%q}`, title)); status != http.StatusOK || page.Title != title {
			t.Errorf("PATCH: have %d, %+v, want 200 and the title %s", status, page, title)
		}
		if status, _ := ask("DELETE", "/v1/pages/"+made.ID, ""); status != http.StatusNoContent {
			t.Errorf("DELETE: have %d, want 204", status)
		}
		switch status, _ := ask("GET", fmt.Sprintf("/v1/pages?limit=3&updatedAfter=2020-01-01T00:00:%02dZ", i), ""); status {
		case 0:
			cut++
		case http.StatusOK:
		default:
			t.Errorf("GET: have %d, want 200 and the list, or nothing", status)
		}
	}
	text := log.take()
	if strings.Contains(text, "panic") || strings.Contains(text, "stack") {
		t.Errorf("have the log %s, want no panic in it", text)
	}
	if n := strings.Count(text, "status=499"); n != cut {
		t.Errorf("have %d lines with the status 499, want %d", n, cut)
	}
	t.Logf("%d of %d readings were cut off", cut, rounds)
}

// halfClosed sends a request, closes the sending side and returns all that comes.
func halfClosed(t *testing.T, url, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // all was read
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}
