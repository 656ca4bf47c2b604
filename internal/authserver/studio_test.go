package authserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// studio sends what Studio sends to one of its two addresses; pairs change the header, and
// "body" the body.
func (b *browser) studio(path string, pairs ...string) answer {
	b.t.Helper()
	header := map[string]string{"Origin": b.server.URL, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json", "body": "{}"}
	for i := 0; i+1 < len(pairs); i += 2 {
		header[pairs[i]] = pairs[i+1]
	}
	req, err := http.NewRequestWithContext(b.t.Context(), "POST", b.server.URL+path, strings.NewReader(header["body"]))
	if err != nil {
		b.t.Fatal(err)
	}
	delete(header, "body")
	for name, value := range header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	return b.sent(req)
}

// studioToken returns what Studio is given.
func (b *browser) studioToken() (r reply) {
	b.t.Helper()
	a := b.studio("/studio/token").wants(b.t, 200, "access_token")
	if err := json.Unmarshal([]byte(a.body), &r); err != nil {
		b.t.Fatal(err)
	}
	return r
}

// Only a script of this origin is given a token, and only for the session of the browser.
func TestStudioTokenOnlyForStudio(t *testing.T) {
	w := newWorld(t)
	stranger := newBrowser(t, w.Server)
	for _, c := range []struct {
		name   string
		b      *browser
		pairs  []string
		status int
		code   string
	}{
		{"nobody", stranger, nil, 401, "login_required"},
		{"no origin", w.browser, []string{"Origin", ""}, 403, "access_denied"},
		{"another origin", w.browser, []string{"Origin", "https://evil.example"}, 403, "access_denied"},
		{"an origin that is not told", w.browser, []string{"Origin", "null"}, 403, "access_denied"},
		{"another site of the host", w.browser, []string{"Sec-Fetch-Site", "same-site"}, 403, "access_denied"},
		{"another site", w.browser, []string{"Sec-Fetch-Site", "cross-site"}, 403, "access_denied"},
		{"an address that was typed", w.browser, []string{"Sec-Fetch-Site", "none"}, 403, "access_denied"},
		{"a form", w.browser, []string{"Content-Type", "application/x-www-form-urlencoded"}, 400, "invalid_request"},
		{"a form as text", w.browser, []string{"Content-Type", "text/plain"}, 400, "invalid_request"},
		{"no body", w.browser, []string{"body", ""}, 400, "invalid_request"},
		{"a scope", w.browser, []string{"body", `{"scope": "admin"}`}, 400, "invalid_request"},
		{"a long body", w.browser, []string{"body", "{" + strings.Repeat(" ", 1<<17) + "}"}, 400, "invalid_request"},
	} {
		for _, path := range []string{"/studio/token", "/studio/signout"} {
			if c.b == stranger && path == "/studio/signout" {
				continue
			}
			a := c.b.studio(path, c.pairs...)
			var told struct{ Error string }
			if err := json.Unmarshal([]byte(a.body), &told); err != nil || a.StatusCode != c.status || told.Error != c.code || a.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s, %s: have %d %s %v, want %d %s", c.name, path, a.StatusCode, a.body, a.Header, c.status, c.code)
			}
		}
	}
	audited := func() int {
		entries, _, err := w.Store.Accounts.Audit.List(t.Context(), accounts.AuditQuery{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	before := audited()
	a := w.studio("/studio/token", "Sec-Fetch-Site", "", "body", " {\n} ").wants(t, 200, `"token_type":"Bearer","expires_in":600,"scope":"pages:read pages:propose pages:write"`)
	if a.Header.Get("Cache-Control") != "no-store" || strings.Contains(a.body, "refresh") || len(a.Cookies()) > 0 {
		t.Errorf("have %v %s", a.Header, a.body)
	}
	w.get("/oauth/authorize?response_type=code&client_id=cli_studio").wants(t, 400, "")
	if after := audited(); after != before {
		t.Errorf("the audit log has %d entries more, want none of such tokens", after-before)
	}
}

// What Studio is given ends with the session, at once where it is ended and within three
// seconds elsewhere.
func TestStudioTokenEndsWithTheSession(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { studioEnds(t, newWorld(t)) })
	t.Run("postgres", func(t *testing.T) { studioEnds(t, newWorldOn(t, octavotest.Postgres(t))) })
}

func studioEnds(t *testing.T, w *world) {
	t.Helper()
	other, err := w.OpenAgain(t.Context(), store.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	moved := time.Duration(0)
	elsewhere := authserver.NewVerifier(w.Auth, other.Accounts.Grants, other.Sites.Suggestions, func() time.Time { return w.now.Add(moved) })
	valid := func(token string) bool {
		_, err := elsewhere.Verify(t.Context(), auth.Credential{Kind: auth.Bearer, Secret: token})
		return err == nil
	}
	users, ann, second := w.Store.Accounts.Users, octavo.ID("usr_annexamplecom"), newBrowser(t, w.Server)
	const other1 = "another long password"
	now, people := password, func(what func() error) func() {
		return func() {
			t.Helper()
			if err := what(); err != nil {
				t.Fatal(err)
			}
			w.now = w.now.Add(time.Second) // the store was changed behind the server's back
		}
	}
	for _, c := range []struct {
		name string
		end  func()
	}{
		{"signing out", func() { w.send(w.get("/account"), "/oauth/logout", "confirm", "yes").wants(t, 200, "signed out") }},
		{"signing out in Studio", func() {
			if a := w.studio("/studio/signout").wants(t, 200, "{}"); a.Header.Get("Clear-Site-Data") != `"cache"` {
				t.Errorf("signing out: have %v", a.Header)
			}
			w.studio("/studio/signout").wants(t, 200, "{}")
		}},
		{"signing in again", func() { w.login(w.get("/login"), "ann@example.com", now).location(t) }},
		{"ending other sessions", func() { second.send(second.get("/account"), "/account/sessions").location(t) }},
		{"another password", func() {
			second.send(second.get("/account"), "/account/password", "current", now, "password", other1).location(t)
			now = other1
		}},
		{"another role", people(func() error { return users.SetRole(t.Context(), sqldb.Cause{}, ann, octavo.RoleReader) })},
		{"being disabled", people(func() error { return users.SetDisabled(t.Context(), sqldb.Cause{}, ann, true) })},
	} {
		if err := users.SetRole(t.Context(), sqldb.Cause{}, ann, octavo.RoleEditor); err != nil {
			t.Fatal(err)
		}
		w.login(w.get("/login"), "ann@example.com", now).location(t)
		second.login(second.get("/login"), "ann@example.com", now).location(t)
		token := w.studioToken().Access
		moved += time.Second // so that the role is known elsewhere
		if status := callAPI(t, w.Server, token, "/v1/pages"); status != 200 || !valid(token) {
			t.Fatalf("%s: have %d before", c.name, status)
		}
		c.end()
		if status := callAPI(t, w.Server, token, "/v1/pages"); status != 401 {
			t.Errorf("%s: have %d, want 401", c.name, status)
		}
		before := moved
		for valid(token) {
			if moved += 100 * time.Millisecond; moved-before > 3*time.Second {
				t.Fatalf("%s: the token is valid elsewhere", c.name)
			}
		}
	}
	if err := users.SetDisabled(t.Context(), sqldb.Cause{}, ann, false); err != nil {
		t.Fatal(err)
	}
	w.login(w.get("/login"), "ann@example.com", now).location(t)
	w.now = w.now.Add(authserver.SessionLife - 90*time.Second)
	r := w.studioToken()
	if r.ExpiresIn < 89 || r.ExpiresIn > 90 {
		t.Errorf("a token lasts %d s, want no longer than the session", r.ExpiresIn)
	}
	if w.now = w.now.Add(91 * time.Second); callAPI(t, w.Server, r.Access, "/v1/pages") != 401 {
		t.Error("a token outlives its session")
	}
}

// The token carries what the role gives, but admin only for a time after signing in.
func TestStudioTokenOfEachRole(t *testing.T) {
	w := newWorld(t)
	const most = "pages:read pages:propose pages:write"
	for _, c := range []struct {
		role        octavo.Role
		suggestions bool
		after       time.Duration
		want        string
	}{
		{octavo.RoleReader, false, 0, "pages:read"},
		{octavo.RoleReader, true, 0, "pages:read pages:propose"},
		{octavo.RoleContributor, false, 0, "pages:read pages:propose"},
		{octavo.RoleEditor, false, 13 * time.Hour, most},
		{octavo.RoleAdmin, false, 12*time.Hour - time.Minute, most + " admin"},
		{octavo.RoleAdmin, false, 12 * time.Hour, most},
	} {
		if err := w.Store.Accounts.Users.SetRole(t.Context(), sqldb.Cause{}, "usr_annexamplecom", c.role); err != nil {
			t.Fatal(err)
		}
		patch := octavo.Object(octavo.Member{Name: "suggestions", Value: octavo.Value{Kind: octavo.KindBool, Bool: c.suggestions}})
		if _, _, err := w.Store.Sites.Patch(t.Context(), sqldb.Cause{}, patch, nil); err != nil {
			t.Fatal(err)
		}
		w.login(w.get("/login"), "ann@example.com", password).location(t)
		w.now = w.now.Add(c.after)
		r := w.studioToken()
		p, err := w.Auth.Verify(t.Context(), auth.Credential{Kind: auth.Bearer, Secret: r.Access})
		if err != nil || r.Scope != c.want || p.Scopes.String() != c.want || p.ID != "usr_annexamplecom" || p.Client != "cli_studio" || p.Suggested != c.suggestions || p.PublishedOnly {
			t.Errorf("%s, suggestions %t, after %s: have %q, %+v, %v, want %q", c.role, c.suggestions, c.after, r.Scope, p, err, c.want)
		}
	}
}

// Proposals that Studio makes say so.
func TestProposalsOfStudio(t *testing.T) {
	w := newWorld(t)
	token := w.studioToken().Access
	b := newBrowser(t, w.Server)
	a := b.studio("/v1/proposals", "Authorization", "Bearer "+token, "body", `{"title": "A page", "changes": [{"op": "create", "title": "New", "slug": "new", "content": "x"}]}`)
	a.wants(t, 201, `"origin":"studio"`)
}

// Where Studio is off, nothing leads to it, and it is given nothing.
func TestWithoutStudio(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{NoStudio: true})
	addUser(t, s, "ann@example.com", octavo.RoleAdmin)
	b := newBrowser(t, s)
	for next, want := range map[string]string{"": "/account", "/studio": "/account", "/studio/pages/page_1": "/account"} {
		if have := b.login(b.get("/login?next="+next), "ann@example.com", password).location(t).Path; have != want {
			t.Errorf("next %q: have %q, want %q", next, have, want)
		}
	}
	for _, path := range []string{"/", "/account"} {
		if a := b.get(path).wants(t, 200, ""); strings.Contains(a.body, "/studio") {
			t.Errorf("%s leads to Studio", path)
		}
	}
	b.get("/studio").wants(t, 404, "")
	for _, path := range []string{"/studio/token", "/studio/signout"} {
		b.studio(path).wants(t, 404, "")
	}
}

// TestRedirectAfterSignIn redirects to Studio if the role may propose changes, else to
// the account.
func TestRedirectAfterSignIn(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	for role, want := range map[octavo.Role]string{
		octavo.RoleReader: "/account", octavo.RoleContributor: "/studio", octavo.RoleEditor: "/studio", octavo.RoleAdmin: "/studio",
	} {
		addUser(t, s, string(role)+"@example.com", role)
		b := newBrowser(t, s)
		if have := b.login(b.get("/login"), string(role)+"@example.com", password).location(t).Path; have != want {
			t.Errorf("%s: have %q, want %q", role, have, want)
		}
		if a := b.get("/account"); strings.Contains(a.body, `href="/studio"`) != (want == "/studio") {
			t.Errorf("%s: the account page is\n%s", role, a.body)
		}
	}
	newBrowser(t, s).get("/").wants(t, 200, `href="`+s.URL+`/studio"`)
}
