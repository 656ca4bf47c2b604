package httpapi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// notes is a log that can be read while it is written.
type notes struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

// take returns what was written since it was last called.
func (n *notes) take() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.text.Reset()
	return n.text.String()
}

// surface is a server within the process that any request can be put to.
type surface struct {
	*octavotest.Server
	log         notes
	credentials map[string]string // by the name that a request gives in "as"
	page        string
	proposal    string // open, with a change of the page
	change      string
}

// expand puts identifiers in the place of their names.
func (s *surface) expand(text string) string {
	return strings.NewReplacer("$page", s.page, "$proposal", s.proposal, "$change", s.change).Replace(text)
}

func newSurface(t testing.TB) *surface {
	t.Helper()
	s := &surface{}
	s.Server = octavotest.Start(t, octavotest.Options{Log: &s.log, MaxBody: 64 << 10, RateLimit: 1 << 40, Search: true})
	bearer := func(g auth.Grant) string { return "Authorization: Bearer " + s.Token(t, g) }
	s.credentials = map[string]string{
		"reader":    bearer(auth.Grant{Scopes: octavo.ScopeRead}),
		"writer":    bearer(auth.Grant{Scopes: octavo.ScopeWrite}),
		"proposer":  bearer(auth.Grant{Scopes: octavo.ScopePropose}),
		"admin":     bearer(auth.Grant{Scopes: octavo.ScopeAdmin}),
		"published": bearer(auth.Grant{Scopes: octavo.ScopeRead, PublishedOnly: true}),
		"key":       "X-API-Key: " + s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeWrite}),
	}
	created := s.send("POST", "/v1/pages", "as: writer\nContent-Type: application/json",
		[]byte(`{"title":"Guide","slug":"guide","content":"# Guide\n[x](other)","status":"published"}`))
	_, s.page, _ = strings.Cut(created.Header().Get("Location"), "/v1/pages/")
	if s.page == "" {
		t.Fatalf("the first page is not created: %d %s", created.Code, created.Body)
	}
	var proposal struct {
		ID      string
		Changes []struct{ ID string }
	}
	created = s.send("POST", "/v1/proposals", "as: writer\nContent-Type: application/json", []byte(`{"title":"T","changes":[{"op":"update","pageId":"$page","content":"x"}]}`))
	if err := json.Unmarshal(created.Body.Bytes(), &proposal); err != nil || len(proposal.Changes) != 1 {
		t.Fatalf("the first proposal is not created: %d %s", created.Code, created.Body)
	}
	s.proposal, s.change = proposal.ID, proposal.Changes[0].ID
	return s
}

// request reads a request as a server would; headers has a line for each
// field. $page, $proposal and $change stand for identifiers, and "as: NAME" for a
// credential. It returns nil for what net/http would not let through.
func (s *surface) request(method, target, headers string, body []byte) *http.Request {
	body = []byte(s.expand(string(body)))
	var head strings.Builder
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\nHost: octavo.example\r\n", method, s.expand(target))
	for line := range strings.Lines(headers) {
		line = strings.TrimRight(line, "\n")
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case !ok || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			return nil
		case strings.EqualFold(name, "as"):
			if line = s.credentials[value]; line == "" {
				continue
			}
		case strings.EqualFold(name, "Host"), strings.EqualFold(name, "Content-Length"), strings.EqualFold(name, "Transfer-Encoding"):
			continue
		}
		head.WriteString(s.expand(line) + "\r\n")
	}
	fmt.Fprintf(&head, "Content-Length: %d\r\n\r\n%s", len(body), body)
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head.String())))
	if err != nil || r.ContentLength != int64(len(body)) {
		return nil
	}
	r.RemoteAddr = "192.0.2.1:1234"
	return r
}

// send returns the answer, and nil where there is no such request.
func (s *surface) send(method, target, headers string, body []byte) *httptest.ResponseRecorder {
	r := s.request(method, target, headers, body)
	if r == nil {
		return nil
	}
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, r)
	return w
}
