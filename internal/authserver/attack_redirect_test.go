package authserver_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// Nobody is led to an address that is not registered, letter by letter.
func TestRedirectTricks(t *testing.T) {
	w := newWorld(t)
	for _, uri := range []string{
		"https://wiki.example/callback/", "https://wiki.example/callback?x", "https://wiki.example/callback#x", "https://wiki.example/callbac",
		"https://wiki.example/callback/../evil", "https://wiki.example/callback%2f..%2fevil", "https://wiki.example/%63allback",
		"https://WIKI.example/callback", "HTTPS://wiki.example/callback", "https://wiki.example:443/callback", "https://wiki.example:8443/callback",
		"https://wiki.example@evil.example/callback", "https://evil.example@wiki.example/callback", "https://wiki.example.evil.example/callback",
		"https://evilwiki.example/callback", "https://evil.example/https://wiki.example/callback", "https://evil.example\\@wiki.example/callback",
		"http://wiki.example/callback", "//wiki.example/callback", "/callback", "javascript:alert(1)", "data:text/html,x", " https://wiki.example/callback",
		"https://wiki.example/callback ", "https://wiki.example/callback\r\nX: y", "https://wiki.example/callback\x00", "https://wiki.example/call\tback",
	} {
		a := w.get(w.question("redirect_uri", uri))
		if a.StatusCode != 400 || a.Header.Get("Location") != "" {
			t.Errorf("%q: have %d to %q, want 400", uri, a.StatusCode, a.Header.Get("Location"))
		}
	}
	for uri, ok := range map[string]bool{
		"http://127.0.0.1/cb": true, "http://127.0.0.1:1/cb": true, "http://127.0.0.1:65535/cb": true, "http://[::1]:77/cb?x=y": true, "http://[::1]/cb?x=y": true,
		"com.example.app:/cb": true, "http://127.0.0.1:0/cb": false, "http://127.0.0.1:65536/cb": false, "http://127.0.0.1:/cb": false, "http://127.0.0.1:80:80/cb": false,
		"http://127.0.0.1:80@evil.example/cb": false, "http://127.0.0.1@evil.example/cb": false, "http://127.0.0.1.evil.example/cb": false,
		"http://127.0.0.1:1/cb/": false, "http://127.0.0.1:1/": false, "http://127.0.0.2:1/cb": false, "http://localhost:1/cb": false, "https://127.0.0.1:1/cb": false,
		"http://[::1]:77/cb": false, "com.example.app:/cb2": false,
	} {
		a := w.get(w.question("client_id", "cli_app", "redirect_uri", uri))
		if have := a.StatusCode == 200 && strings.Contains(a.body, "Allow access?"); have != ok {
			t.Errorf("%q: have %d, accepted %t, want %t", uri, a.StatusCode, have, ok)
		}
	}
	for _, pairs := range [][]string{{"client_id", "cli_unknown"}, {"client_id", ""}, {"redirect_uri", ""}, {"client_id", "cli_\x00"}} {
		if a := w.get(w.question(pairs...)); a.StatusCode != 400 || a.Header.Get("Location") != "" {
			t.Errorf("%q: have %d to %q, want 400", pairs, a.StatusCode, a.Header.Get("Location"))
		}
	}
	for _, twice := range []string{"&client_id=cli_other", "&redirect_uri=https://evil.example/"} {
		if a := w.get(w.question() + twice); a.StatusCode != 400 || a.Header.Get("Location") != "" {
			t.Errorf("%s a second time: have %d to %q, want 400", twice, a.StatusCode, a.Header.Get("Location"))
		}
	}
}

// Errors of a request are sent to the client, with its state and our issuer.
func TestFaultsOfAnAuthorization(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, more string
		pairs      []string
		want       string
	}{
		{"no PKCE", "", []string{"code_challenge", "", "code_challenge_method", ""}, "invalid_request"},
		{"plain PKCE", "", []string{"code_challenge_method", "plain"}, "invalid_request"},
		{"PKCE without a method, which would be plain", "", []string{"code_challenge_method", ""}, "invalid_request"},
		{"no challenge", "", []string{"code_challenge", ""}, "invalid_request"},
		{"a short challenge", "", []string{"code_challenge", "abc"}, "invalid_request"},
		{"implicit", "", []string{"response_type", "token"}, "unsupported_response_type"},
		{"hybrid", "", []string{"response_type", "code id_token"}, "unsupported_response_type"},
		{"no response type", "", []string{"response_type", ""}, "invalid_request"},
		{"fragment", "", []string{"response_mode", "fragment"}, "invalid_request"},
		{"request object", "", []string{"request", "x.y.z"}, "request_not_supported"},
		{"request URI", "", []string{"request_uri", "https://evil.example/"}, "request_uri_not_supported"},
		{"unknown scopes", "", []string{"scope", "a b"}, "invalid_scope"},
		{"more than the role", "", []string{"scope", "admin"}, ""},
		{"twice", "&scope=admin", nil, "invalid_request"},
		{"none with login", "", []string{"prompt", "none login"}, "invalid_request"},
		{"max_age", "", []string{"max_age", "soon"}, "invalid_request"},
		{"silently without consent", "", []string{"prompt", "none"}, "consent_required"},
		{"a long nonce", "", []string{"nonce", strings.Repeat("n", 2001)}, "invalid_request"},
	} {
		a := w.get(w.question(c.pairs...) + c.more)
		if c.want == "" {
			a.wants(t, 200, "Allow access?")
			continue
		}
		back := a.location(t)
		q := back.Query()
		if !strings.HasPrefix(back.String(), callback+"?") || q.Get("error") != c.want || q.Get("state") != "s" || q.Get("iss") != w.URL || q.Has("code") {
			t.Errorf("%s: leads to %s, want %s with state and iss", c.name, back, c.want)
		}
	}
	stranger := newBrowser(t, w.Server)
	if q := stranger.get(w.question("prompt", "none")).location(t).Query(); q.Get("error") != "login_required" {
		t.Errorf("silently without a session: have %v, want login_required", q)
	}
	page := w.get(w.question())
	if q := w.send(page, "/oauth/authorize", "decision", "deny").location(t).Query(); q.Get("error") != "access_denied" {
		t.Errorf("denied: have %v, want access_denied", q)
	}
}

// Consent is only remembered for confidential clients, and only for the granted scopes.
func TestRememberedConsent(t *testing.T) {
	w := newWorld(t)
	w.redeem(w.code())
	if q := w.get(w.question("prompt", "none")).location(t).Query(); q.Get("code") == "" {
		t.Errorf("a second time: have %v, want a code without a question", q)
	}
	w.get(w.question("scope", "openid profile pages:write")).wants(t, 200, "Allow access?")
	w.get(w.question("prompt", "consent")).wants(t, 200, "Allow access?")
	for range 2 {
		app := w.question("client_id", "cli_app", "redirect_uri", "http://127.0.0.1:9/cb")
		back := w.send(w.get(app).wants(t, 200, "Allow access?"), "/oauth/authorize", "decision", "allow").location(t).Query()
		r := w.ask("/oauth/token", "grant_type", "authorization_code", "client_id", "cli_app", "client_secret", "",
			"code", back.Get("code"), "redirect_uri", "http://127.0.0.1:9/cb", "code_verifier", w.verifier)
		if r.StatusCode != 200 {
			t.Fatalf("a public client: have %d %s", r.StatusCode, r.body)
		}
	}
	for _, pairs := range [][]string{{"prompt", "login"}, {"prompt", "select_account"}} {
		if a := w.get(w.question(pairs...)); !strings.HasPrefix(a.location(t).Path, "/login") {
			t.Errorf("%v: leads to %s, want the sign-in", pairs, a.Header.Get("Location"))
		}
	}
	// With max_age an old sign-in is not enough, a new one is, and the flow continues.
	w.now = w.now.Add(61e9)
	a := w.get(w.question("max_age", "60"))
	page := w.get(a.location(t).String()).wants(t, 200, "Sign in")
	on := w.login(page, "ann@example.com", password).location(t)
	if q := w.get(on.String()).location(t).Query(); q.Get("code") == "" {
		t.Errorf("after the sign-in: have %v, want a code", q)
	}
	// Nor is one of which nobody knows how old it is.
	w.now = w.now.Add(-time.Hour)
	if a := w.get(w.question("max_age", "60")); !strings.HasPrefix(a.location(t).Path, "/login") {
		t.Errorf("after the clock was set back: leads to %s, want the sign-in", a.Header.Get("Location"))
	}
	w.now = w.now.Add(time.Hour)
	// As a form, from another site (OpenID Connect Core 3.1.2.1).
	w.header.Set("Origin", "https://wiki.example")
	_, query, _ := strings.Cut(w.question(), "?")
	form, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	if to := w.post("/oauth/authorize", form).location(t); to.Path != "/oauth/authorize" || to.Query().Get("code_challenge") != oauth2.S256ChallengeFromVerifier(w.verifier) {
		t.Errorf("the form leads to %s, want the same as a query", to)
	}
}
