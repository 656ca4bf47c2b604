package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestMissingScopeNamed: a client that gets the scope of the answer
// is let in with it, and is told of none where none would help (RFC 6750
// section 3.1).
func TestMissingScopeNamed(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Search: true})
	bearer := func(g auth.Grant) string { return "Bearer " + s.Token(t, g) }
	for _, c := range []struct {
		name, method, path, body, header, credential, want string
	}{
		{
			"an operation", http.MethodPost, "/v1/pages", `{"title":"T","slug":"s","content":"c"}`,
			"Authorization", bearer(auth.Grant{Scopes: octavo.ScopeRead}), "pages:write",
		},
		{
			"a parameter", http.MethodGet, "/v1/search?q=a&explain=true", "",
			"Authorization", bearer(auth.Grant{Scopes: octavo.ScopeRead}), "admin",
		},
		{
			"drafts for who sees published pages", http.MethodPost, "/v1/exports", `{"format":"pdf","scope":"site","includeDrafts":true}`,
			"Authorization", bearer(auth.Grant{Scopes: octavo.ScopeRead, PublishedOnly: true}), "",
		},
		{
			"a search key", http.MethodGet, "/v1/pages", "",
			"X-API-Key", s.Key(t, auth.KeyRequest{Kind: octavo.KeySearch}), "",
		},
	} {
		resp, text := send(t, s, c.method, c.path, c.body, c.header, c.credential, "Content-Type", "application/json")
		have := resp.Header.Get("WWW-Authenticate")
		if c.want != "" {
			c.want = `Bearer realm="octavo", error="insufficient_scope", scope="` + c.want + `"`
		}
		if resp.StatusCode != http.StatusForbidden || have != c.want || !strings.Contains(text, "/problems/forbidden") {
			t.Errorf("%s: have %d, WWW-Authenticate %q, %s; want 403, %q", c.name, resp.StatusCode, have, text, c.want)
		}
	}
}
