package authserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// No form is taken that another site made the browser send.
func TestForgedForms(t *testing.T) {
	w := newWorld(t)
	other := newBrowser(t, w.Server)
	other.login(other.get("/login"), "ann@example.com", password)
	consent := w.get(w.question()).wants(t, 200, "Allow access?")
	account := w.get("/account").wants(t, 200, "Your account")
	for _, c := range []struct {
		name, header, value string
		fields              []string
	}{
		{"another origin", "Origin", "https://evil.example", nil},
		{"no origin that can be told", "Origin", "null", nil},
		{"another site", "Sec-Fetch-Site", "cross-site", nil},
		{"a neighbour", "Sec-Fetch-Site", "same-site", nil},
		{"no token", "", "", []string{"token", ""}},
		{"a made-up token", "", "", []string{"token", strings.Repeat("A", 43)}},
	} {
		if c.header != "" {
			w.header.Set(c.header, c.value)
		}
		w.send(consent, "/oauth/authorize", append([]string{"decision", "allow"}, c.fields...)...).wants(t, 403, "This form cannot be accepted")
		w.send(account, "/account/sessions", c.fields...).wants(t, 403, "This form cannot be accepted")
		w.send(account, "/account/password", c.fields...).wants(t, 403, "This form cannot be accepted")
		w.send(account, "/oauth/logout", append([]string{"confirm", "yes"}, c.fields...)...).wants(t, 403, "This form cannot be accepted")
		w.send(w.get("/login"), "/login", append([]string{"email", "ann@example.com", "password", password}, c.fields...)...).wants(t, 403, "This form cannot be accepted")
		w.header.Del(c.header)
	}
	// The token of somebody else, and that of an earlier session, are nothing.
	stolen := hiddenPattern.FindStringSubmatch(other.get("/account").body)[2]
	w.send(account, "/account/sessions", "token", stolen).wants(t, 403, "cannot be accepted")
	w.login(w.get("/login"), "ann@example.com", password)
	w.send(account, "/account/sessions").wants(t, 403, "cannot be accepted")
	w.header.Set("Origin", w.URL)
	w.header.Set("Sec-Fetch-Site", "same-origin")
	w.send(w.get("/account"), "/account/sessions").location(t)
}

// A form is taken from the address of the server however that is written.
func TestOriginOfTheServer(t *testing.T) {
	for address, origin := range map[string]string{
		"http://docs.example:80": "http://docs.example", "http://DOCS.example": "http://docs.example", "http://docs.example:8080": "http://docs.example:8080",
	} {
		s := octavotest.Start(t, octavotest.Options{AuthURL: address})
		addUser(t, s, "ann@example.com", octavo.RoleReader)
		b := newBrowser(t, s)
		b.header.Set("Origin", origin)
		b.login(b.get("/login"), "ann@example.com", password).location(t)
		b.header.Set("Origin", "http://docs.example:81")
		b.login(b.get("/login"), "ann@example.com", password).wants(t, 403, "cannot be accepted")
	}
}

// Pages cannot be framed, run no script, are kept nowhere, and no other site
// may read them.
func TestHeadersOfPages(t *testing.T) {
	w := newWorld(t)
	for path, status := range map[string]int{
		"/login": 200, "/account": 200, "/oauth/logout": 200, w.question(): 200, "/oauth/authorize": 400, "/setup?link=x": 404, "/login/forgotten": 404,
		"/login?next=" + url.QueryEscape(w.question()): 200,
	} {
		a := w.get(path)
		h := a.Header
		policy := h.Get("Content-Security-Policy")
		if a.StatusCode != status || !strings.HasPrefix(policy, "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'") {
			t.Errorf("%s: have %d, policy %q", path, a.StatusCode, policy)
		}
		if h.Get("X-Frame-Options") != "DENY" || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" ||
			h.Get("Referrer-Policy") != "same-origin" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: the headers are %v", path, h)
		}
		for _, inline := range []string{"<script", "<style", " style=", " onclick=", " onload="} {
			if strings.Contains(a.body, inline) {
				t.Errorf("%s has %s", path, inline)
			}
		}
		if !strings.Contains(a.body, `<html lang="en">`) || !strings.Contains(a.body, "<h1>") || !strings.Contains(a.body, `<main id="main"`) {
			t.Errorf("%s: is no whole page:\n%s", path, a.body)
		}
	}
	if policy := w.get(w.question()).Header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "form-action 'self' https://wiki.example") {
		t.Errorf("consent: a form may lead to %q", policy)
	}
}

// After a sign-in nobody is led anywhere but on with an authorization.
func TestOpenRedirect(t *testing.T) {
	w := newWorld(t)
	for next, want := range map[string]string{
		w.question(): w.question(), "": "/studio", "/account": "/account", "/studio/pages/page_1": "/studio/pages/page_1", "https://evil.example/": "/studio", "//evil.example/": "/studio",
		"/\\evil.example/": "/studio", "/oauth/authorize": "/studio", "/oauth/authorize?\r\nX: y": "/studio", "/oauth/authorize?a#b": "/studio",
		"/oauth/authorize/../../evil?": "/studio", "javascript:alert(1)": "/studio", "/oauth/authorizeevil?": "/studio",
	} {
		page := w.get("/login?next=" + url.QueryEscape(next))
		a := w.login(page, "ann@example.com", password)
		if have := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || have != want {
			t.Errorf("next %q: have %d to %q, want %q", next, a.StatusCode, have, want)
		}
		a = w.send(page, "/login", "email", "ann@example.com", "password", password, "next", next)
		if a.StatusCode == http.StatusSeeOther && a.Header.Get("Location") != want {
			t.Errorf("next %q in the form: have %q, want %q", next, a.Header.Get("Location"), want)
		}
	}
}

// A session that was planted in the browser before the sign-in is worth
// nothing after it, nor is the one that was there.
func TestSessionFixation(t *testing.T) {
	w := newWorld(t)
	base, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	name := ""
	session := func(b *browser) string {
		for _, c := range b.jar.Cookies(base) {
			if strings.HasPrefix(c.Name, "octavo-session") {
				name = c.Name
				return c.Value
			}
		}
		return ""
	}
	before := session(w.browser)
	planted := strings.Repeat("A", 43)
	victim := newBrowser(t, w.Server)
	victim.jar.SetCookies(base, []*http.Cookie{{Name: name, Value: planted, Path: "/"}})
	victim.login(victim.get("/login"), "ann@example.com", password).location(t)
	if have := session(victim); have == planted || len(have) != 43 {
		t.Errorf("after the sign-in the session is %q", have)
	}
	attacker := newBrowser(t, w.Server)
	attacker.jar.SetCookies(base, []*http.Cookie{{Name: name, Value: planted, Path: "/"}})
	attacker.get("/account").location(t)
	w.login(w.get("/login"), "ann@example.com", password)
	attacker.jar.SetCookies(base, []*http.Cookie{{Name: name, Value: before, Path: "/"}})
	attacker.get("/account").location(t)
	w.get("/account").wants(t, 200, "Your account")
}

// Over https the cookies have the prefix that no other host can set.
func TestCookiesOverHTTPS(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{AuthURL: "https://docs.example"})
	a := newBrowser(t, s).get("/login").wants(t, 200, "Sign in")
	have := a.Header.Get("Set-Cookie")
	for _, want := range []string{"__Host-octavo-form=", "; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax"} {
		if !strings.Contains(have, want) || strings.Contains(have, "Domain") {
			t.Errorf("Set-Cookie: have %q, want %s and no domain", have, want)
		}
	}
}

// Installations on other ports and paths of a host keep cookies of their own, and
// are described where clients look for addresses with a path.
func TestBesideOthersOnAHost(t *testing.T) {
	names := map[string]string{}
	for _, address := range []string{"https://docs.example", "https://docs.example/a", "https://docs.example/b", "https://docs.example:8443", "https://docs.example:8443/a"} {
		s := octavotest.Start(t, octavotest.Options{AuthURL: address})
		b := newBrowser(t, s)
		name, _, _ := strings.Cut(b.get("/login").wants(t, 200, "Sign in").Header.Get("Set-Cookie"), "=")
		if other, taken := names[name]; taken || !strings.HasPrefix(name, "__Host-octavo-form") {
			t.Errorf("%s has the cookie %s, as %q has", address, name, other)
		}
		names[name] = address
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []string{"openid-configuration", "oauth-authorization-server"} {
			b.get("/.well-known/"+place).wants(t, 200, `"issuer":"`+address+`"`)
			b.get("/.well-known/"+place+u.Path).wants(t, 200, `"issuer":"`+address+`"`)
		}
	}
}

// A session is for the pages of signing in alone. No operation takes it, so that
// no other site can have a browser call the API in somebody's name.
func TestSessionsOpenNoOperation(t *testing.T) {
	w := newWorld(t)
	w.get("/account").wants(t, 200, "Your account")
	for _, path := range []string{"/v1/pages", "/v1/examples/basic-request", "/v1/users", "/v1/api-keys", "/v1/events", "/search/us/v1/examples/query-parameters?q=a", "/oauth/userinfo"} {
		if a := w.get(path); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("GET %s with a session: have %d, want 401", path, a.StatusCode)
		}
	}
	for _, path := range []string{"/v1/pages", "/v1/assets", "/v1/exports", "/v1/api-keys"} {
		if a := w.do("POST", path, "x=y"); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("POST %s with a session: have %d, want 401", path, a.StatusCode)
		}
	}
}

// The link of the first start adds one administrator, once.
func TestSetup(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	link := s.SetupURL(t)
	b := newBrowser(t, s)
	page := b.get(link).wants(t, 200, "first administrator")
	b.send(page, "/setup", "name", "", "email", "x", "password", "short").wants(t, 422, "The password must have at least 12 characters.").
		wants(t, 422, "The e-mail address must be").wants(t, 422, "The name must have")
	fields := []string{"name", "Root", "email", "Root@Example.com", "password", password}
	if to := b.send(page, "/setup", fields...).location(t); to.Path != "/studio" {
		t.Errorf("set-up leads to %s", to)
	}
	b.get("/account").wants(t, 200, "admin").wants(t, 200, "root@example.com")
	again := newBrowser(t, s)
	again.get(link).wants(t, 404, "not valid")
	if link := s.SetupURL(t); link != "" {
		t.Errorf("a link once there is somebody: %q", link)
	}

	late := time.Now()
	s = octavotest.Start(t, octavotest.Options{Now: func() time.Time { return late }})
	link = s.SetupURL(t)
	late = late.Add(24 * time.Hour)
	newBrowser(t, s).get(link).wants(t, 404, "not valid")
}

// A person sees where they are signed in and what they allowed, and ends it.
func TestAccount(t *testing.T) {
	w := newWorld(t)
	r := w.redeem(w.code())
	other := newBrowser(t, w.Server)
	other.login(other.get("/login"), "ann@example.com", password)
	page := w.get("/account").wants(t, 200, "Wiki cli_server").wants(t, 200, "Another browser")
	w.send(page, "/account/clients", "client", "cli_server").location(t)
	w.refresh(r.Refresh).refused(t, "what was taken back", 400, "invalid_grant")
	if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
		t.Errorf("the access token: have %d, want 401", status)
	}
	if page = w.get("/account"); strings.Contains(page.body, "Wiki cli_server") {
		t.Error("the application is still there")
	}
	w.send(page, "/account/password", "current", "wrong", "password", "another good password").wants(t, 403, "The current password is wrong")
	w.send(page, "/account/password", "current", password, "password", "short").wants(t, 422, "at least 12")
	to := w.send(page, "/account/password", "current", password, "password", "another good password").location(t)
	w.get(to.String()).wants(t, 200, "Your password was changed")
	other.get("/account").location(t)
	other.login(other.get("/login"), "ann@example.com", password).wants(t, 403, "is wrong")
	other.login(other.get("/login"), "ann@example.com", "another good password").location(t)
	w.send(w.get("/account"), "/account/sessions").location(t)
	other.get("/account").location(t)
}

func TestLogout(t *testing.T) {
	w := newWorld(t)
	r := w.redeem(w.code())
	// Without the ID token people are asked, since anybody can link here.
	page := w.get("/oauth/logout?post_logout_redirect_uri="+url.QueryEscape(callback)).wants(t, 200, "Sign out?")
	w.get("/account").wants(t, 200, "Your account")
	w.send(page, "/oauth/logout", "confirm", "yes").wants(t, 200, "You are signed out")
	w.get("/account").location(t)
	w.login(w.get("/login"), "ann@example.com", password)
	for uri, want := range map[string]string{callback: callback + "?state=x", "https://evil.example/": ""} {
		a := w.get("/oauth/logout?state=x&id_token_hint=" + r.ID + "&post_logout_redirect_uri=" + url.QueryEscape(uri))
		if have := a.Header.Get("Location"); have != want {
			t.Errorf("back to %q: have %d to %q, want %q", uri, a.StatusCode, have, want)
		}
		w.get("/account").location(t)
		w.login(w.get("/login"), "ann@example.com", password)
	}
	addUser(t, w.Server, "bob@example.com", octavo.RoleReader)
	w.send(w.get("/account"), "/oauth/logout", "confirm", "yes")
	for uri, back := range map[string]bool{
		"http://127.0.0.1:4711/cb": true, "http://[::1]:2/cb?x=y": true, "com.example.app:/cb": true, "http://127.0.0.1:4711/other": false, "http://localhost:4711/cb": false,
	} {
		a := w.get("/oauth/logout?client_id=cli_app&post_logout_redirect_uri=" + url.QueryEscape(uri))
		if have := a.Header.Get("Location"); (have == uri) != back || have != "" && !back {
			t.Errorf("an app at %s: have %d to %q, want %v", uri, a.StatusCode, have, back)
		}
	}
	w.login(w.get("/login"), "bob@example.com", password)
	w.get("/oauth/logout?id_token_hint="+r.ID).wants(t, 200, "Sign out?")
	w.get("/oauth/logout?id_token_hint="+r.Access).wants(t, 200, "Sign out?")
	w.header.Set("Origin", "https://wiki.example")
	if to := w.post("/oauth/logout", url.Values{"id_token_hint": {r.ID}}).location(t); to.Query().Get("id_token_hint") != r.ID {
		t.Errorf("a form of another site leads to %s", to)
	}
}

// Headers are made of what is registered, never of what was sent.
func TestLocationInjection(t *testing.T) {
	w := newWorld(t)
	a := w.get(w.question("state", "x\r\nSet-Cookie: evil=1", "prompt", "none"))
	if q := a.location(t).Query(); a.Header.Get("Set-Cookie") != "" || q.Get("state") != "x\r\nSet-Cookie: evil=1" {
		t.Errorf("have %v", a.Header)
	}
	c := accounts.Client{ID: "cli_odd", Name: "<script>alert(1)</script>", RedirectURIs: []string{"https://odd.example/?a=b&c=d"}}
	if err := w.Store.Accounts.Clients.Add(t.Context(), sqldb.Cause{}, c); err != nil {
		t.Fatal(err)
	}
	page := w.get(w.question("client_id", "cli_odd", "redirect_uri", c.RedirectURIs[0], "nonce", `"><b>`)).wants(t, 200, "&lt;script&gt;")
	if strings.Contains(page.body, `"><b>`) {
		t.Error("the page holds what was sent as it was sent")
	}
	to := w.send(page, "/oauth/authorize", "decision", "allow").location(t)
	if q := to.Query(); q.Get("a") != "b" || q.Get("c") != "d" || q.Get("code") == "" {
		t.Errorf("back to %s, want its own query and a code", to)
	}
}
