package authserver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// A refresh token works once. One that is used again ends its whole family,
// the newest token and the access tokens too.
func TestRefreshReuse(t *testing.T) {
	w := newWorld(t)
	first := w.redeem(w.code())
	if !strings.HasPrefix(first.Refresh, "ort_") {
		t.Fatalf("exchange: have %d %s", first.StatusCode, first.body)
	}
	second := w.refresh(first.Refresh)
	third := w.refresh(second.Refresh)
	if third.StatusCode != 200 || third.Refresh == second.Refresh || third.Refresh == first.Refresh || third.ID != "" {
		t.Fatalf("refresh: have %d %s", third.StatusCode, third.body)
	}
	w.refresh(first.Refresh).refused(t, "an old one", 400, "invalid_grant")
	w.refresh(third.Refresh).refused(t, "the newest after that", 400, "invalid_grant")
	for i, r := range []reply{first, second, third} {
		if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
			t.Errorf("access token %d after the reuse: have %d, want 401", i+1, status)
		}
	}
}

func TestRefreshFamilyLimit(t *testing.T) {
	w := newWorld(t)
	token := w.redeem(w.code("scope", "openid pages:write offline_access")).Refresh
	w.refresh(token, "client_id", "cli_other").refused(t, "another client", 400, "invalid_grant")
	w.refresh(token, "scope", "admin").refused(t, "a larger scope", 400, "invalid_scope")
	w.refresh(token, "scope", "email").refused(t, "another scope", 400, "invalid_scope")
	w.refresh(token+"x").refused(t, "a longer one", 400, "invalid_grant")
	w.refresh("").refused(t, "none", 400, "invalid_request")
	narrow := w.refresh(token, "scope", "pages:read")
	if narrow.Scope != "pages:read" {
		t.Errorf("a smaller scope: have %d %s, want pages:read", narrow.StatusCode, narrow.body)
	}
	if wide := w.refresh(narrow.Refresh); wide.Scope != "pages:write openid offline_access" {
		t.Errorf("the whole scope again: have %d %s", wide.StatusCode, wide.body)
	}
	if r := w.redeem(w.code("scope", "openid pages:read")); r.Refresh != "" || r.StatusCode != 200 {
		t.Errorf("without offline_access: have %d %s, want no refresh token", r.StatusCode, r.body)
	}
	late := w.redeem(w.code()).Refresh
	w.now = w.now.Add(30 * 24 * time.Hour)
	w.refresh(late).refused(t, "after thirty days", 400, "invalid_grant")
}

// A client that asks for the scopes of the API alone gets a refresh token, and
// the person is asked for that. A consent that did not last does not cover it.
func TestRefreshWithoutOpenID(t *testing.T) {
	w := newWorld(t)
	w.get(w.question("scope", "openid pages:read pages:write")).wants(t, 200, "Recognise you")
	if r := w.redeem(w.code("scope", "openid pages:read pages:write")); r.StatusCode != 200 || r.Refresh != "" {
		t.Fatalf("with openid: have %d %s, want no refresh token", r.StatusCode, r.body)
	}
	w.get(w.question("scope", "pages:read pages:write")).wants(t, 200, "Keep access while you are away")
	first := w.redeem(w.code("scope", "pages:read pages:write"))
	if first.Scope != "pages:read pages:write" || first.Refresh == "" {
		t.Fatalf("without openid: have %d %s, want a refresh token", first.StatusCode, first.body)
	}
	if r := w.refresh(first.Refresh); r.Scope != first.Scope || r.Refresh == "" {
		t.Errorf("refresh: have %d %s", r.StatusCode, r.body)
	}
	w.get(w.question("scope", "pages:read")).location(t) // the consent is remembered
}

// A new password ends what was allowed to applications, by whichever way it is set.
func TestNewPasswordEndsGrants(t *testing.T) {
	w := newWorld(t)
	for _, way := range []string{"account", "command"} {
		r, code := w.redeem(w.code()), w.code()
		if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 200 {
			t.Fatalf("%s, before: have %d", way, status)
		}
		if way == "account" {
			w.send(w.get("/account"), "/account/password", "current", password, "password", "another good password").location(t)
		} else {
			if err := w.Store.Accounts.Users.SetPassword(t.Context(), sqldb.Cause{}, "usr_annexamplecom", "x", ""); err != nil {
				t.Fatal(err)
			}
			w.now = w.now.Add(time.Second) // the store was changed behind the server's back
		}
		if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
			t.Errorf("%s, access token: have %d, want 401", way, status)
		}
		w.refresh(r.Refresh).refused(t, way+", refresh", 400, "invalid_grant")
		w.redeem(code).refused(t, way+", a code", 400, "invalid_grant")
	}
}

// What a person may do counts when a token is issued and when it is refreshed.
func TestRoleAtIssueAndRefresh(t *testing.T) {
	w := newWorld(t)
	addUser(t, w.Server, "root@example.com", octavo.RoleAdmin)
	addUser(t, w.Server, "other@example.com", octavo.RoleAdmin)
	w.login(w.get("/login"), "root@example.com", password).location(t)
	r := w.redeem(w.code("scope", "admin pages:read offline_access"))
	if r.Scope != "pages:read admin offline_access" {
		t.Fatalf("an administrator gets %q", r.Scope)
	}
	set := func(role octavo.Role) {
		if err := w.Store.Accounts.Users.SetRole(t.Context(), sqldb.Cause{}, "usr_rootexamplecom", role); err != nil {
			t.Fatal(err)
		}
	}
	calls := func(token string, want int) {
		t.Helper()
		w.now = w.now.Add(time.Second) // the store was changed behind the server's back
		if have := callAPI(t, w.Server, token, "/v1/pages"); have != want {
			t.Errorf("the API: have %d, want %d", have, want)
		}
	}
	set(octavo.RoleEditor)
	calls(r.Access, 401) // it says that it may do more
	if r = w.refresh(r.Refresh); r.Scope != "pages:read pages:propose pages:write offline_access" {
		t.Errorf("an editor who was administrator gets %q", r.Scope)
	}
	calls(r.Access, 200)
	set(octavo.RoleReader)
	calls(r.Access, 401)
	if r = w.refresh(r.Refresh); r.Scope != "pages:read offline_access" {
		t.Errorf("a reader who was administrator gets %q", r.Scope)
	}
	set(octavo.RoleAdmin)
	if r = w.refresh(r.Refresh); r.Scope != "pages:read admin offline_access" {
		t.Errorf("an administrator again gets %q", r.Scope)
	}
}

// Disabling a person ends sessions, refresh tokens and access tokens at once.
func TestDisabled(t *testing.T) {
	w := newWorld(t)
	r := w.redeem(w.code("scope", "openid pages:read offline_access"))
	code := w.code()
	if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 200 {
		t.Fatalf("before: have %d", status)
	}
	if err := w.Store.Accounts.Users.SetDisabled(t.Context(), sqldb.Cause{}, "usr_annexamplecom", true); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Second) // the store was changed behind the server's back
	if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
		t.Errorf("access token: have %d, want 401", status)
	}
	w.refresh(r.Refresh).refused(t, "refresh", 400, "invalid_grant")
	w.redeem(code).refused(t, "a code", 400, "invalid_grant")
	if to := w.get("/account").location(t); to.Path != "/login" {
		t.Errorf("the account leads to %s, want the sign-in", to)
	}
	w.login(w.get("/login"), "ann@example.com", password).wants(t, 403, "is wrong")
}

func TestUserinfo(t *testing.T) {
	w := newWorld(t)
	ask := func(token string) answer {
		w.header.Set("Authorization", "Bearer "+token)
		defer w.header.Del("Authorization")
		return w.get("/oauth/userinfo")
	}
	full := w.redeem(w.code("scope", "openid profile email"))
	if a := ask(full.Access).wants(t, 200, ""); a.body != `{"sub":"usr_annexamplecom","name":"Ann Example","email":"ann@example.com"}` {
		t.Errorf("have %s", a.body)
	}
	if status := callAPI(t, w.Server, full.Access, "/v1/pages"); status != 403 {
		t.Errorf("the API with a token for identity alone: have %d, want 403", status)
	}
	if a := ask(w.redeem(w.code("scope", "openid")).Access).wants(t, 200, ""); a.body != `{"sub":"usr_annexamplecom"}` {
		t.Errorf("openid alone: have %s", a.body)
	}
	for _, c := range []struct {
		name, token string
		status      int
		challenge   string
	}{
		{"no openid", w.redeem(w.code("scope", "pages:read")).Access, 403, `error="insufficient_scope"`},
		{"an ID token", full.ID, 401, `error="invalid_token"`},
		{"garbage", "x", 401, `error="invalid_token"`},
		{"a token of no person", w.Token(t, auth.Grant{Scopes: octavo.ScopeRead}), 401, `error="invalid_token"`},
	} {
		if a := ask(c.token); a.StatusCode != c.status || !strings.Contains(a.Header.Get("WWW-Authenticate"), c.challenge) {
			t.Errorf("%s: have %d, %q, want %d with %s", c.name, a.StatusCode, a.Header.Get("WWW-Authenticate"), c.status, c.challenge)
		}
	}
	if a := w.get("/oauth/userinfo"); a.StatusCode != 401 || a.Header.Get("WWW-Authenticate") != `Bearer realm="octavo"` {
		t.Errorf("no token: have %d, %q", a.StatusCode, a.Header.Get("WWW-Authenticate"))
	}
	if status := callAPI(t, w.Server, full.ID, "/v1/pages"); status != 401 {
		t.Errorf("the API with an ID token: have %d, want 401", status)
	}
}

func TestRevocation(t *testing.T) {
	w := newWorld(t)
	one, two := w.redeem(w.code()), w.redeem(w.code())
	status := func(r reply) int { return callAPI(t, w.Server, r.Access, "/v1/pages") }
	revoke := func(token string, pairs ...string) {
		t.Helper()
		if r := w.ask("/oauth/revoke", append([]string{"token", token}, pairs...)...); r.StatusCode != http.StatusOK || strings.TrimSpace(r.body) != "{}" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("revoke: have %d %s, want 200 and {} as JSON", r.StatusCode, r.body)
		}
	}
	revoke(one.Access, "client_id", "cli_other")
	revoke(one.Refresh, "client_id", "cli_other")
	revoke("unknown")
	if have := status(one); have != 200 {
		t.Fatalf("after another client revoked it: have %d", have)
	}
	revoke(one.Access, "token_type_hint", "refresh_token")
	if have := status(one); have != 401 {
		t.Errorf("a revoked access token: have %d", have)
	}
	again := w.refresh(one.Refresh)
	if have := status(again); have != 200 {
		t.Errorf("its refresh token still works: have %d", have)
	}
	revoke(again.Refresh)
	if have := status(again); have != 401 {
		t.Errorf("the access token of a revoked refresh token: have %d", have)
	}
	w.refresh(again.Refresh).refused(t, "a revoked refresh token", 400, "invalid_grant")
	if have := status(two); have != 200 {
		t.Errorf("another consent: have %d", have)
	}
	w.ask("/oauth/revoke").refused(t, "no token", 400, "invalid_request")
	w.ask("/oauth/revoke", "token", "x", "client_secret", "y").refused(t, "no client", 401, "invalid_client")
}
