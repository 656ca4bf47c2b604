package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestTokensShareAQuota shows decision 42: a fresh token of the same subject and
// client is no fresh quota; one of another client, or a key, is.
func TestTokensShareAQuota(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{RateLimit: 5})
	for _, c := range []struct{ subject, client, remaining string }{
		{"usr_ann", "cli_a", "4"}, {"usr_ann", "cli_a", "3"}, {"usr_ann", "cli_b", "4"}, {"usr_bob", "cli_a", "4"}, {"usr_ann", "cli_a", "2"},
	} {
		token := s.Token(t, auth.Grant{Subject: c.subject, Client: c.client, Scopes: octavo.ScopeRead})
		resp, _ := send(t, s, "GET", "/v1/pages", "", "Authorization", "Bearer "+token)
		if have := resp.Header.Get("X-RateLimit-Remaining"); have != c.remaining {
			t.Errorf("a token of %s by %s: %s remain, want %s", c.subject, c.client, have, c.remaining)
		}
	}
}

// TestCountedRequests shows decision 42: all requests without a credential count for
// their address, except health, files, downloads and preflight requests.
func TestCountedRequests(t *testing.T) {
	t.Parallel()
	const preflight = "Access-Control-Request-Method"
	for _, c := range []struct {
		name, method, path string
		header             []string
		counts             bool
	}{
		{"operation without a credential", "GET", "/v1/pages", nil, true},
		{"unknown path", "GET", "/v1/nothing", nil, true},
		{"wrong method", "DELETE", "/v1/pages", nil, true},
		{"wrong method of health", "DELETE", "/v1/health", nil, true},
		{"wrong method of a file", "DELETE", "/files/k/a.txt", nil, true},
		{"OPTIONS", "OPTIONS", "/v1/pages", nil, true},
		{"start page", "GET", "/", nil, true},
		{"document", "HEAD", "/openapi.yaml", nil, true},
		{"discovery", "GET", "/.well-known/openid-configuration", nil, true},
		{"token", "POST", "/oauth/token", nil, true},
		{"form to sign in", "GET", "/login", nil, true},
		{"other region", "GET", "/search/eu/v1/search", nil, true},
		{"health", "GET", "/v1/health", nil, false},
		{"health under its contract path", "GET", "/v2/examples/basic-response", nil, false},
		{"file", "GET", "/files/k/a.txt", nil, false},
		{"download of an export", "GET", "/v1/exports/exp_01h455vb4pex5vsknk084sn02q/download", nil, false},
		{"preflight", "OPTIONS", "/v1/pages", []string{"Origin", "https://a.example", preflight, "GET"}, false},
		{"preflight from an origin that may not read", "OPTIONS", "/v1/pages", []string{"Origin", "https://b.example", preflight, "GET"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := octavotest.Start(t, octavotest.Options{
				RateLimit: 3, Regions: []string{"us"}, RegionURLs: map[string]string{"eu": "https://eu.example/search/eu"}, Search: true,
				CORSOrigins: []string{"https://a.example"},
			})
			refused := 0
			for range 5 {
				resp, body := send(t, s, c.method, c.path, "", c.header...)
				if resp.StatusCode != http.StatusTooManyRequests {
					continue
				}
				if refused++; resp.Header.Get("Retry-After") == "" || resp.Header.Get("X-RateLimit-Remaining") != "0" {
					t.Errorf("the refusal has the header %v and the body %s", resp.Header, body)
				}
			}
			if want := map[bool]int{true: 2, false: 0}[c.counts]; refused != want {
				t.Errorf("%s %s: of 5 requests %d were refused, want %d", c.method, c.path, refused, want)
			}
		})
	}
}
