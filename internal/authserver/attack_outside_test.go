package authserver_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// While an outside issuer is down, requests with its tokens get 503, and the server logs
// no failure of its own.
func TestOutsideIssuerDown(t *testing.T) {
	p := newIDP(t)
	token := p.token("")
	p.down.Store(true)
	s := octavotest.Start(t, octavotest.Options{Outside: issuers.Options{Issuers: []string{p.URL}, Audience: "octavo", Types: []string{"JWT"}}})
	addClient(t, s, "cli_server", false, callback)
	b := newBrowser(t, s)
	check := func(what string, a answer) {
		t.Helper()
		if a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" || !contains(a.body, `"temporarily_unavailable"`) {
			t.Errorf("%s: have %d, Retry-After %q, %s, want 503", what, a.StatusCode, a.Header.Get("Retry-After"), a.body)
		}
	}
	check("revoke", b.do("POST", "/oauth/revoke", "client_id=cli_server&client_secret="+secretText+"&token="+token))
	b.header.Set("Authorization", "Bearer "+token)
	check("userinfo", b.get("/oauth/userinfo"))
}

// What a provider that fails answers is not in the log: it may repeat the code
// and the secret.
func TestProviderEchoesSecrets(t *testing.T) {
	p := newIDP(t)
	var mu sync.Mutex
	var log bytes.Buffer
	p.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			_, secret, _ := r.BasicAuth()
			http.Error(w, "cannot take "+r.FormValue("code")+" with "+secret, http.StatusBadGateway)
			return
		}
		p.serve(w, r)
	})
	s := octavotest.Start(t, octavotest.Options{
		Log:      writerFunc(func(b []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return log.Write(b) }),
		Provider: &authserver.Provider{Name: "Example Login", Roles: everybody},
		SignIn:   &issuers.ProviderOptions{Issuer: p.URL, ClientID: "octavo", ClientSecret: "hush-hush", Claim: "groups"},
	})
	b := newBrowser(t, s)
	b.get(b.leave("")).wants(t, 503, "does not respond")
	mu.Lock()
	defer mu.Unlock()
	if text := log.String(); !strings.Contains(text, "502") || strings.Contains(text, "code-") || strings.Contains(text, "hush-hush") {
		t.Errorf("the log has\n%s", text)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// What is revoked in one process is refused there at once, and in another on
// the same database within a second.
func TestRevocationAcrossProcesses(t *testing.T) {
	database := testenv.Postgres(t)
	const issuer = "https://auth.example"
	here := octavotest.Start(t, octavotest.Options{PostgresURL: database, AuthURL: issuer})
	there := octavotest.Start(t, octavotest.Options{PostgresURL: database, AuthURL: issuer})
	addClient(t, here, "cli_server", false, callback)
	ann := addUser(t, here, "ann@example.com", octavo.RoleEditor)
	b := newBrowser(t, here)
	ask := func(grant string) string {
		a := b.do("POST", "/oauth/token", "client_id=cli_server&client_secret="+secretText+"&grant_type=client_credentials"+grant)
		_, rest, _ := strings.Cut(a.wants(t, 200, "").body, `"access_token":"`)
		token, _, _ := strings.Cut(rest, `"`)
		return token
	}
	call := func(s *octavotest.Server, header, value string) int {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, s.URL+"/v1/pages", nil)
		r.Header.Set(header, value)
		s.Handler.ServeHTTP(w, r)
		return w.Code
	}
	key, record, err := here.Keys.Create(t.Context(), sqldb.Cause{}, auth.KeyRequest{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	token, other := ask(""), ask("")
	person := here.Token(t, auth.Grant{Subject: string(ann.ID), Scopes: octavo.ScopeRead, Issuer: issuer})
	for _, c := range []struct {
		name, header, value string
		at                  time.Duration // within which the process that is told refuses
		revoke              func() error
	}{
		{"token", "Authorization", "Bearer " + token, 0, func() error {
			b.do("POST", "/oauth/revoke", "client_id=cli_server&client_secret="+secretText+"&token="+token).wants(t, 200, "{}")
			return nil
		}},
		{"key", "X-API-Key", key, 0, func() error { return here.Keys.Revoke(t.Context(), sqldb.Cause{}, record.ID) }},
		{"person", "Authorization", "Bearer " + person, time.Second, func() error {
			return here.Store.Accounts.Users.SetDisabled(t.Context(), sqldb.Cause{}, ann.ID, true) // as the command line does, beside both
		}},
		{"client", "Authorization", "Bearer " + other, time.Second, func() error { return here.Store.Accounts.Clients.Remove(t.Context(), sqldb.Cause{}, "cli_server") }},
	} {
		for name, s := range map[string]*octavotest.Server{"here": here, "there": there} {
			if status := call(s, c.header, c.value); status != 200 {
				t.Fatalf("%s, %s, before: have %d, want 200", c.name, name, status)
			}
		}
		if err := c.revoke(); err != nil {
			t.Fatal(err)
		}
		done := time.Now()
		for name, s := range map[string]*octavotest.Server{"here": here, "there": there} {
			limit := time.Second
			if name == "here" {
				limit = c.at
			}
			for call(s, c.header, c.value) != 401 {
				if time.Since(done) > limit {
					t.Errorf("%s, %s: accepted %s after it was revoked", c.name, name, time.Since(done))
					break
				}
			}
		}
	}
}
