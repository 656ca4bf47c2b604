package httpapi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// provider is an outside issuer with one key.
type provider struct {
	url  string
	key  *ecdsa.PrivateKey
	down atomic.Bool
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any = map[string]string{"issuer": p.url, "jwks_uri": p.url + "/keys"}
		if r.URL.Path == "/keys" {
			answer = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Use: "sig", Algorithm: "ES256"}}}
		}
		if p.down.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// token signs a token for ann with a scope.
func (p *provider) token(t *testing.T, kid, scope string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: p.key}, new(jose.SignerOptions).WithType("at+jwt").WithHeader("kid", kid))
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(map[string]any{
		"iss": p.url, "sub": "ann", "aud": "https://docs.example", "exp": time.Now().Add(time.Hour).Unix(), "scope": scope, "name": "Ann",
	}).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return "Bearer " + text
}

// TestTokensOfOutsideIssuers shows decision 41 over HTTP.
func TestTokensOfOutsideIssuers(t *testing.T) {
	p := newProvider(t)
	s := octavotest.Start(t, octavotest.Options{Outside: issuers.Options{Issuers: []string{p.url}, Audience: "https://docs.example"}})
	own := "Bearer " + s.Token(t, auth.Grant{Scopes: octavotest.Scopes(t, "pages:read")})

	body := `{"title":"T","slug":"s","content":"x"}`
	resp, text := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", p.token(t, "k", "pages:write"), "Content-Type", "application/json")
	if resp.StatusCode != http.StatusCreated {
		t.Fatalf("a token that may write: have %d %s, want 201", resp.StatusCode, text)
	}
	page := strings.TrimPrefix(resp.Header.Get("Location"), s.URL)
	if _, text = send(t, s, http.MethodGet, page+"/revisions", "", "Authorization", own); !strings.Contains(text, `"author":{"id":"`+p.url+`#ann","name":"Ann"}`) {
		t.Errorf("the author is not ann of the issuer: %s", text)
	}
	for name, c := range map[string]struct {
		token, key string
		status     int
		challenge  string
	}{
		"a token that may read":   {p.token(t, "k", "pages:read"), "", 200, ""},
		"one that may do nothing": {p.token(t, "k", "openid"), "", 403, "insufficient_scope"},
		"an unknown key":          {p.token(t, "x", "pages:read"), "", 401, "invalid_token"},
		"the installation's own":  {own, "", 200, ""},
	} {
		resp, text := send(t, s, http.MethodGet, page, "", "Authorization", c.token)
		if resp.StatusCode != c.status || !strings.Contains(resp.Header.Get("WWW-Authenticate"), c.challenge) || c.status == 401 && text != "" {
			t.Errorf("%s: have %d %q %s, want %d %q", name, resp.StatusCode, resp.Header.Get("WWW-Authenticate"), text, c.status, c.challenge)
		}
	}

	p.down.Store(true)
	if resp, _ := send(t, s, http.MethodGet, page, "", "Authorization", p.token(t, "k", "pages:read")); resp.StatusCode != http.StatusOK {
		t.Errorf("a known key while the issuer is down: have %d, want 200", resp.StatusCode)
	}
	resp, text = send(t, s, http.MethodGet, page, "", "Authorization", p.token(t, "y", "pages:read"))
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "issuer") {
		t.Errorf("an unknown key while the issuer is down: have %d %v %s, want 503 with Retry-After", resp.StatusCode, resp.Header, text)
	}
	key := s.Key(t, auth.KeyRequest{})
	resp, _ = send(t, s, http.MethodGet, page, "", "Authorization", p.token(t, "y", "pages:read"), "X-API-Key", key)
	if resp.StatusCode != http.StatusOK {
		t.Errorf("beside it a key that is valid: have %d, want 200", resp.StatusCode)
	}
}
