package authserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/authserver"
)

// with returns an address with other parameters; "" takes one out.
func with(t *testing.T, address string, pairs ...string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			q.Del(pairs[i])
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// What comes back from a provider counts for the browser and the sign-in that
// it was asked for, once (RFC 9700 section 4).
func TestAttacksOnTheWayBack(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: everybody})
	attacker := newBrowser(t, s)
	stolen := func() string { return attacker.leave("") } // an answer for the attacker
	code := func(address string) string { u, _ := url.Parse(address); return u.Query().Get("code") }
	for _, c := range []struct {
		name   string
		status int
		change func(b *browser, back string) string
	}{
		{"state missing", 400, func(_ *browser, back string) string { return with(t, back, "state", "") }},
		{"state of another browser", 400, func(_ *browser, back string) string {
			u, _ := url.Parse(stolen())
			return with(t, back, "state", u.Query().Get("state"))
		}},
		{"state given twice", 400, func(_ *browser, back string) string { return back + "&state=x" }},
		{"login CSRF: the attacker's answer", 400, func(*browser, string) string { return stolen() }},
		{"login CSRF without a sign-in begun", 400, func(b *browser, _ string) string { b.jarless(); return stolen() }},
		{"code injection", 403, func(_ *browser, back string) string { return with(t, back, "code", code(stolen())) }},
		{"code injection at a provider without PKCE", 403, func(_ *browser, back string) string {
			p.careless = true
			return with(t, back, "code", code(stolen()))
		}},
		{"no code", 403, func(_ *browser, back string) string { return with(t, back, "code", "") }},
		{"mix-up", 403, func(_ *browser, back string) string { return with(t, back, "iss", "https://evil.example") }},
		{"no iss, where it always is", 403, func(_ *browser, back string) string { return with(t, back, "iss", "") }},
		{"an error, with a script", 403, func(_ *browser, back string) string {
			return with(t, back, "code", "", "error", "access_denied", "error_description", "<script>alert(1)</script>")
		}},
		{"an answer that was used", 400, func(b *browser, back string) string {
			b.get(back).onward(t)
			b.get(b.server.URL + "/account")
			return back
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.careless = false
			b := newBrowser(t, s)
			a := b.get(c.change(b, b.leave("")))
			if a.StatusCode != c.status || strings.Contains(a.body, "<script") || a.Header.Get("Location") != "" {
				t.Errorf("have %d, Location %q, want %d\n%s", a.StatusCode, a.Header.Get("Location"), c.status, a.body)
			}
			if role := b.signedInAs(); role != "" && c.name != "an answer that was used" {
				t.Errorf("signed in as %s", role)
			}
		})
	}
}

// jarless forgets all cookies.
func (b *browser) jarless() {
	b.client.Jar = newBrowser(b.t, b.server).jar
}

// No ID token lets anybody in that is not for this client and this sign-in.
func TestAttacksByIDToken(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: everybody})
	good := p.claims
	for _, c := range []struct {
		name, want string
		claims     map[string]any
		lie        func()
	}{
		{"of another client", "another client", map[string]any{"aud": "other"}, nil},
		{"of several clients, for another", "another client", map[string]any{"aud": []string{"octavo", "other"}, "azp": "other"}, nil},
		{"of several clients, for nobody", "another client", map[string]any{"aud": []string{"octavo", "other"}}, nil},
		{"of another issuer", "another issuer", map[string]any{"iss": "https://evil.example"}, nil},
		{"another nonce", "another sign-in", map[string]any{"nonce": "x"}, nil},
		{"no nonce", "another sign-in", map[string]any{"nonce": nil}, nil},
		{"expired", "expired", map[string]any{"exp": time.Now().Add(-2 * time.Minute).Unix()}, nil},
		{"no expiry", "lacks a claim", map[string]any{"exp": nil}, nil},
		{"of tomorrow", "not valid yet", map[string]any{"iat": time.Now().Add(24 * time.Hour).Unix()}, nil},
		{"no subject", "lacks a claim", map[string]any{"sub": ""}, nil},
		{"subject of two lines", "control characters", map[string]any{"sub": "a\nb"}, nil},
		{"no e-mail address", "e-mail address", map[string]any{"email": "x"}, nil},
		{"access token", "not an ID token", nil, func() { p.typ = "at+jwt" }},
		{"forged", "signature", nil, func() { p.forged = true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.claims, p.typ, p.forged = map[string]any{}, "JWT", false
			for _, from := range []map[string]any{good, c.claims} {
				for name, value := range from {
					p.claims[name] = value
				}
			}
			if c.lie != nil {
				c.lie()
			}
			newBrowser(t, s).refused(p, c.want)
		})
	}
}

// After a sign-in with a provider nobody is led anywhere but on with an
// authorization either.
func TestOpenRedirectByProvider(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: everybody})
	for _, next := range []string{"https://evil.example/", "//evil.example/", "/\\evil.example/", "/oauth/authorize?\r\nX: y", "/oauth/authorizeevil?", "javascript:alert(1)"} {
		b := newBrowser(t, s)
		if have := b.get(b.leave(next)).onward(t); have != "/account" {
			t.Errorf("next %q: led to %q", next, have)
		}
	}
	b := newBrowser(t, s)
	long := "/oauth/authorize?state=" + strings.Repeat("x", 4000)
	if a := b.get("/login/provider?next=" + url.QueryEscape(long)); a.StatusCode != http.StatusBadRequest {
		t.Errorf("what no cookie holds: have %d, want 400", a.StatusCode)
	}
	// A cookie that somebody made up leads nowhere else.
	base, _ := url.Parse(s.URL)
	b.leave("")
	for _, c := range b.jar.Cookies(base) {
		if c.Name == "octavo-attempt" {
			c.Value = c.Value[:43] + "aHR0cHM6Ly9ldmlsLmV4YW1wbGUv"
			b.jar.SetCookies(base, []*http.Cookie{c})
		}
	}
	a := b.get(s.URL + "/login/callback?code=x&state=y")
	if a.StatusCode != http.StatusBadRequest {
		t.Errorf("a made-up cookie: have %d", a.StatusCode)
	}
}
