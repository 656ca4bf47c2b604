package authserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

var everybody = map[string]octavo.Role{"*": octavo.RoleReader}

// A sign-in with a provider leads on with what the browser came for, and gives
// the role that the mapping says, each time anew.
func TestProviderSignIn(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: map[string]octavo.Role{
		"staff": octavo.RoleReader, "helpers": octavo.RoleContributor, "writers": octavo.RoleEditor,
	}})
	addClient(t, s, "cli_server", false, callback)
	b := newBrowser(t, s)
	next := "/oauth/authorize?client_id=cli_server&response_type=code"
	b.get("/login?next="+url.QueryEscape(next)).wants(t, 200, "Sign in with Example Login").wants(t, 200, `name="password"`)
	if have := b.get(b.leave(next)).onward(t); have != next {
		t.Errorf("after the sign-in: have %s, want %s", have, next)
	}
	if role := b.signedInAs(); role != octavo.RoleReader {
		t.Errorf("have the role %q, want reader", role)
	}
	if page := b.get("/account"); contains(page.body, `name="current"`) || !contains(page.body, "ann@example.com") {
		t.Errorf("somebody without a password is to change it:\n%s", page.body)
	}

	p.claims["groups"] = []string{"helpers", "staff"}
	b = newBrowser(t, s)
	b.get(b.leave("")).onward(t)
	if role := b.signedInAs(); role != octavo.RoleContributor {
		t.Errorf("with the group helpers: have the role %q, want contributor", role)
	}
	p.claims["groups"] = []string{"x", "writers", "helpers", "staff"}
	b = newBrowser(t, s)
	b.get(b.leave("")).onward(t)
	if role := b.signedInAs(); role != octavo.RoleEditor {
		t.Errorf("with the group writers: have the role %q, want editor", role)
	}
	p.claims["groups"] = []string{"x"}
	b = newBrowser(t, s)
	b.get(b.leave("")).wants(t, 403, "no role here")
	users, _, err := s.Store.Accounts.Users.List(t.Context(), "", 10)
	if err != nil || len(users) != 1 || users[0].Email != "ann@example.com" {
		t.Fatalf("people: have %+v, %v, want ann alone", users, err)
	}

	// What the ID token leaves out, userinfo may tell, of the same person.
	p.claims["groups"] = nil
	p.userinfo = map[string]any{"sub": "ann", "groups": "writers", "name": "Other"}
	b.get(b.leave("")).onward(t)
	p.userinfo["sub"] = "bob"
	newBrowser(t, s).refused(p, "another person")

	if err := s.Store.Accounts.Users.SetDisabled(t.Context(), sqldb.Cause{}, users[0].ID, true); err != nil {
		t.Fatal(err)
	}
	p.claims["groups"] = "staff"
	newBrowser(t, s).refused(p, "disabled")
}

// refused goes through a sign-in that lets nobody in.
func (b *browser) refused(p *idp, text string) {
	b.t.Helper()
	a := b.get(b.leave(""))
	if a.StatusCode != http.StatusForbidden || !contains(a.body, text) {
		b.t.Errorf("%v: have %d, Location %q, want 403 with %q\n%s", p.claims, a.StatusCode, a.Header.Get("Location"), text, a.body)
	}
	if role := b.signedInAs(); role != "" {
		b.t.Errorf("%v: signed in as %s", p.claims, role)
	}
}

// Nobody becomes somebody else by an e-mail address, unless that is configured
// and the address verified.
func TestProviderLinks(t *testing.T) {
	p := newIDP(t)
	for _, c := range []struct {
		name     string
		rule     authserver.Provider
		verified any
		role     octavo.Role
	}{
		{"not configured", authserver.Provider{Roles: everybody}, true, ""},
		{"not verified", authserver.Provider{Roles: everybody, Link: true}, false, ""},
		{"said in the wrong way", authserver.Provider{Roles: everybody, Link: true}, 1, ""},
		{"not said", authserver.Provider{Roles: everybody, Link: true}, nil, ""},
		{"both", authserver.Provider{Domains: []string{"example.com"}, Link: true}, true, octavo.RoleAdmin},
		{"both, and the role follows", authserver.Provider{Roles: everybody, Link: true}, "true", octavo.RoleReader},
		{"another domain", authserver.Provider{Domains: []string{"example.org"}, Link: true}, true, ""},
		{"the domain of an address that is not verified", authserver.Provider{Domains: []string{"example.com"}}, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := p.signing(c.rule)
			addUser(t, s, "ann@example.com", octavo.RoleAdmin)
			p.claims["email_verified"] = c.verified
			b := newBrowser(t, s)
			b.get(b.leave(""))
			if have := b.signedInAs(); have != c.role {
				t.Errorf("have the role %q, want %q", have, c.role)
			}
		})
	}
}

// While the provider is down others sign in as ever.
func TestProviderDown(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: everybody})
	addUser(t, s, "bob@example.com", octavo.RoleReader)
	p.down.Store(true)
	b := newBrowser(t, s)
	page := b.get("/login/provider?next=/account").wants(t, 503, "Example Login does not respond")
	if page.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	b.login(page, "bob@example.com", password).location(t)

	// It goes down while somebody is there.
	p.down.Store(false)
	s = p.signing(authserver.Provider{Roles: everybody})
	b = newBrowser(t, s)
	back := b.leave("")
	p.down.Store(true)
	b.get(back).wants(t, 503, "does not respond")
}

// Passwords can be switched off altogether.
func TestProviderAlone(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: everybody, Alone: true})
	link := s.SetupURL(t)
	b := newBrowser(t, s)
	b.get(link).wants(t, 403, "no passwords")
	addUser(t, s, "bob@example.com", octavo.RoleReader)
	page := b.get("/login")
	if contains(page.body, "password") || !contains(page.body, "Example Login") {
		t.Errorf("the page asks for a password:\n%s", page.body)
	}
	token := newBrowser(t, p.signing(authserver.Provider{Roles: everybody}))
	form := token.get("/login")
	b.get(b.leave("")).onward(t)
	hidden := hiddenPattern.FindStringSubmatch(b.get("/account").body)
	b.post("/login", url.Values{"token": {hidden[2]}, "email": {"bob@example.com"}, "password": {password}}).wants(t, 403, "no passwords")
	b.post("/account/password", url.Values{"token": {hidden[2]}, "current": {password}, "password": {password}}).wants(t, 403, "no passwords")
	if !contains(form.body, `name="password"`) {
		t.Error("a server with both asks for no password")
	}
}
