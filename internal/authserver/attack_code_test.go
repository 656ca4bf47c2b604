package authserver_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// world is a server with a person who is signed in, and two clients.
type world struct {
	*octavotest.Server
	*browser
	now      time.Time
	verifier string
}

func newWorld(t *testing.T) *world { return newWorldOn(t, "") }

// newWorldOn is newWorld on a database of PostgreSQL; "" is one of SQLite.
func newWorldOn(t *testing.T, postgres string) *world {
	t.Helper()
	w := &world{now: time.Now(), verifier: oauth2.GenerateVerifier()}
	w.Server = octavotest.Start(t, octavotest.Options{PostgresURL: postgres, Now: func() time.Time { return w.now }})
	addUser(t, w.Server, "ann@example.com", octavo.RoleEditor)
	addClient(t, w.Server, "cli_server", false, callback)
	addClient(t, w.Server, "cli_other", false, callback, "https://other.example/")
	addClient(t, w.Server, "cli_app", true, "http://127.0.0.1/cb", "http://[::1]:1/cb?x=y", "com.example.app:/cb")
	w.browser = newBrowser(t, w.Server)
	w.login(w.get("/login"), "ann@example.com", password).location(t)
	return w
}

// question is a right request for authorization; pairs change it, and an empty
// value takes a parameter out.
func (w *world) question(pairs ...string) string {
	q := url.Values{
		"response_type": {"code"}, "client_id": {"cli_server"}, "redirect_uri": {callback}, "state": {"s"},
		"scope": {"openid pages:write offline_access"}, "code_challenge": {oauth2.S256ChallengeFromVerifier(w.verifier)}, "code_challenge_method": {"S256"},
	}
	set(q, pairs)
	return "/oauth/authorize?" + q.Encode()
}

func set(q url.Values, pairs []string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
}

// code returns one that the person allowed.
func (w *world) code(pairs ...string) string {
	w.t.Helper()
	back := w.authorize(w.question(pairs...))
	if back.Get("code") == "" {
		w.t.Fatalf("authorize leads back with %v, want a code", back)
	}
	return back.Get("code")
}

// reply is an answer of the token endpoint.
type reply struct {
	answer
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	ID      string `json:"id_token"`
	Scope   string `json:"scope"`
	Error   string `json:"error"`

	ExpiresIn int `json:"expires_in"`
}

// ask posts to an endpoint as cli_server unless pairs say otherwise.
func (w *world) ask(path string, pairs ...string) (r reply) {
	w.t.Helper()
	q := url.Values{"client_id": {"cli_server"}, "client_secret": {secretText}}
	set(q, pairs)
	r.answer = w.post(path, q)
	if r.body != "" {
		if err := json.Unmarshal([]byte(r.body), &r); err != nil {
			w.t.Fatalf("POST %s: %d %q: %v", path, r.StatusCode, r.body, err)
		}
	}
	if r.Header.Get("Cache-Control") != "no-store" {
		w.t.Errorf("POST %s: Cache-Control %q, want no-store", path, r.Header.Get("Cache-Control"))
	}
	return r
}

// redeem exchanges a code.
func (w *world) redeem(code string, pairs ...string) reply {
	w.t.Helper()
	return w.ask("/oauth/token", append([]string{"grant_type", "authorization_code", "code", code, "redirect_uri", callback, "code_verifier", w.verifier}, pairs...)...)
}

func (w *world) refresh(token string, pairs ...string) reply {
	w.t.Helper()
	return w.ask("/oauth/token", append([]string{"grant_type", "refresh_token", "refresh_token", token}, pairs...)...)
}

func (r reply) refused(t testing.TB, what string, status int, code string) {
	t.Helper()
	if r.StatusCode != status || r.Error != code || r.Access != "" {
		t.Errorf("%s: have %d %s, want %d %s", what, r.StatusCode, r.body, status, code)
	}
}

// A code that is used again takes back what it was exchanged for: the refresh
// token and the access token.
func TestCodeReplay(t *testing.T) {
	w := newWorld(t)
	code := w.code()
	first := w.redeem(code)
	if first.StatusCode != 200 || callAPI(t, w.Server, first.Access, "/v1/pages") != 200 {
		t.Fatalf("exchange: have %d %s", first.StatusCode, first.body)
	}
	w.redeem(code).refused(t, "replay", 400, "invalid_grant")
	w.refresh(first.Refresh).refused(t, "refresh after the replay", 400, "invalid_grant")
	if status := callAPI(t, w.Server, first.Access, "/v1/pages"); status != 401 {
		t.Errorf("the access token after the replay: have %d, want 401", status)
	}
}

func TestCodeOfOtherClient(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"another client", []string{"client_id", "cli_other"}, "invalid_grant"},
		{"another redirect URI", []string{"redirect_uri", "https://other.example/"}, "invalid_grant"},
		{"no redirect URI", []string{"redirect_uri", ""}, "invalid_request"},
		{"no verifier", []string{"code_verifier", ""}, "invalid_request"},
		{"another verifier", []string{"code_verifier", oauth2.GenerateVerifier()}, "invalid_grant"},
		{"the challenge as the verifier", []string{"code_verifier", oauth2.S256ChallengeFromVerifier(w.verifier)}, "invalid_grant"},
		{"a short verifier", []string{"code_verifier", "short"}, "invalid_request"},
		{"made up", []string{"code", strings.Repeat("A", 43)}, "invalid_grant"},
		{"no code", []string{"code", ""}, "invalid_request"},
		{"a NUL", []string{"code", "a\x00b"}, "invalid_grant"},
		{"unknown grant type", []string{"grant_type", "password"}, "unsupported_grant_type"},
		{"no grant type", []string{"grant_type", ""}, "invalid_request"},
	} {
		code := w.code()
		w.redeem(code, c.pairs...).refused(t, c.name, 400, c.want)
		if r := w.redeem(code); r.StatusCode != 200 {
			t.Errorf("%s: the right client then gets %d %s, want 200", c.name, r.StatusCode, r.body)
		}
	}
	late := w.code()
	w.now = w.now.Add(5 * time.Minute)
	w.redeem(late).refused(t, "after five minutes", 400, "invalid_grant")
}

func TestClientAuthentication(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name  string
		pairs []string
	}{
		{"no secret", []string{"client_secret", ""}},
		{"wrong secret", []string{"client_secret", "wrong"}},
		{"unknown client", []string{"client_id", "cli_unknown"}},
		{"no client", []string{"client_id", ""}},
		{"public client with a secret", []string{"client_id", "cli_app"}},
	} {
		r := w.redeem("code", c.pairs...)
		r.refused(t, c.name, 401, "invalid_client")
		if have := r.Header.Get("WWW-Authenticate"); !strings.HasPrefix(have, "Basic ") {
			t.Errorf("%s: WWW-Authenticate %q, want Basic", c.name, have)
		}
	}
	w.header.Set("Authorization", "Bearer x")
	w.redeem("code").refused(t, "Bearer", 401, "invalid_client")
	w.header.Set("Authorization", "Basic Y2xpX3NlcnZlcjp4")
	w.redeem("code").refused(t, "two ways at once", 400, "invalid_request")
	w.redeem("code", "client_secret", "").refused(t, "wrong secret in the header", 401, "invalid_client")
	w.header.Del("Authorization")
	a := w.do("POST", "/oauth/token?client_secret=x", "grant_type=client_credentials&grant_type=client_credentials&client_id=cli_server&client_secret="+secretText)
	a.wants(t, 400, "more than once")
	w.header.Set("Content-Type", "application/json")
	w.do("POST", "/oauth/token", "").wants(t, 400, "x-www-form-urlencoded")
	w.header.Del("Content-Type")
	w.do("POST", "/oauth/token", "a="+strings.Repeat("x", 65<<10)).wants(t, 400, "too long")
	w.do("POST", "/oauth/token", "a=%zz").wants(t, 400, "malformed")
}

func TestClientCredentials(t *testing.T) {
	w := newWorld(t)
	ask := func(pairs ...string) reply {
		return w.ask("/oauth/token", append([]string{"grant_type", "client_credentials"}, pairs...)...)
	}
	for scope, want := range map[string]string{"": "pages:write", "pages:read": "pages:read", "pages:write pages:read": "pages:read pages:write"} {
		if r := ask("scope", scope); r.StatusCode != 200 || r.Scope != want || r.Refresh != "" || r.ID != "" {
			t.Errorf("scope %q: have %d %s, want %q and no more tokens", scope, r.StatusCode, r.body, want)
		}
	}
	for _, scope := range []string{"admin", "pages:write admin", "openid", "nonsense"} {
		ask("scope", scope).refused(t, scope, 400, "invalid_scope")
	}
	ask("client_id", "cli_app", "client_secret", "").refused(t, "public", 400, "unauthorized_client")
}

// What comes with a query is not a parameter of the token endpoint, where it
// would end up in logs.
func TestSecretsInTheQueryDoNotCount(t *testing.T) {
	w := newWorld(t)
	a := w.do("POST", "/oauth/token?client_id=cli_server&client_secret="+secretText, "grant_type=client_credentials")
	if a.StatusCode != http.StatusUnauthorized {
		t.Errorf("have %d %s, want 401", a.StatusCode, a.body)
	}
}
