package authserver_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// What was ended when a person was disabled does not come back when they are
// let in again: no access token that was refused meanwhile is good again.
func TestEnableAfterDisable(t *testing.T) {
	w := newWorld(t)
	r := w.redeem(w.code("scope", "openid pages:read offline_access"))
	for _, disabled := range []bool{true, false} {
		if err := w.Store.Accounts.Users.SetDisabled(t.Context(), sqldb.Cause{}, "usr_annexamplecom", disabled); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(time.Second) // the store was changed behind the server's back
		if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
			t.Errorf("disabled %t: the access token of before: have %d, want 401", disabled, status)
		}
	}
	w.refresh(r.Refresh).refused(t, "refresh", 400, "invalid_grant")
	w.get("/account").location(t)
	w.login(w.get("/login"), "ann@example.com", password).location(t)
	if status := callAPI(t, w.Server, w.redeem(w.code()).Access, "/v1/pages"); status != 200 {
		t.Errorf("a token of after: have %d, want 200", status)
	}
}

// An attacker with the old password who signs in all the time has no session left after
// the password has changed.
func TestPasswordChangeBeatsSignInsUnderWay(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	ann := addUser(t, s, "ann@example.com", octavo.RoleReader)
	for range 5 {
		var stop atomic.Bool
		var group sync.WaitGroup
		in := make(chan struct{}, 1)
		for range 3 {
			b := newBrowser(t, s)
			group.Go(func() {
				for !stop.Load() {
					if b.login(b.get("/login"), ann.Email, password).StatusCode == http.StatusSeeOther {
						select {
						case in <- struct{}{}:
						default:
						}
					}
				}
			})
		}
		<-in
		if err := s.Store.Accounts.Users.SetPassword(t.Context(), sqldb.Cause{}, ann.ID, ann.Password+"x", ""); err != nil {
			t.Fatal(err)
		}
		stop.Store(true)
		group.Wait()
		if list, err := s.Store.Accounts.Sessions.List(t.Context(), ann.ID); err != nil || len(list) > 0 {
			t.Errorf("%d sessions are left (%v), want none", len(list), err)
		}
		if err := s.Store.Accounts.Users.SetPassword(t.Context(), sqldb.Cause{}, ann.ID, ann.Password, ""); err != nil {
			t.Fatal(err)
		}
	}
}

// An access token of which the client asked for less tells less of the person.
func TestUserinfoScopes(t *testing.T) {
	w := newWorld(t)
	ask := func(token string) answer {
		w.header.Set("Authorization", "Bearer "+token)
		defer w.header.Del("Authorization")
		return w.get("/oauth/userinfo")
	}
	all := w.redeem(w.code("scope", "openid profile email pages:read offline_access"))
	little := w.refresh(all.Refresh, "scope", "openid profile")
	if a := ask(little.Access); a.body != `{"sub":"usr_annexamplecom","name":"Ann Example"}` {
		t.Errorf("a token without email: have %d %s", a.StatusCode, a.body)
	}
	none := w.refresh(little.Refresh, "scope", "pages:read")
	if a := ask(none.Access); a.StatusCode != 403 || !strings.Contains(a.Header.Get("WWW-Authenticate"), "insufficient_scope") {
		t.Errorf("a token without openid: have %d %s", a.StatusCode, a.body)
	}
	w.header.Del("Authorization")
	if a := w.get("/oauth/userinfo"); a.StatusCode != 401 || a.body != "" {
		t.Errorf("no token: have %d %q, want nothing told", a.StatusCode, a.body)
	}
}

// A revocation lasts as long as its token, which may have been made by hand.
func TestRevocationLifetime(t *testing.T) {
	w := newWorld(t)
	long := w.Token(t, auth.Grant{Subject: "cli_server", Scopes: octavo.ScopeRead, TTL: 24 * time.Hour})
	w.ask("/oauth/revoke", "token", long)
	for _, later := range []time.Duration{0, 16 * time.Minute, 23 * time.Hour} {
		w.now = w.now.Add(later)
		if status := callAPI(t, w.Server, long, "/v1/pages"); status != 401 {
			t.Errorf("%s later: have %d, want 401", later, status)
		}
	}
}

// The audit log has consents and sessions with actor and trace, and never what was typed
// into the wrong field.
func TestAuditOfSignIns(t *testing.T) {
	w := newWorld(t)
	w.header.Set("X-Trace-Id", "trace-1")
	w.redeem(w.code())
	w.code() // remembered
	secret := "my p@ssword is long"
	w.login(w.get("/login"), secret, "x").wants(t, 403, "is wrong")
	w.ask("/oauth/token", "client_id", secretText, "client_secret", "cli_server").refused(t, "swapped", 401, "invalid_client")
	w.login(w.get("/login"), "ann@example.com", "wrong").wants(t, 403, "is wrong")
	w.send(w.get("/account"), "/oauth/logout", "confirm", "yes").wants(t, 200, "signed out")
	list, _, err := w.Store.Accounts.Audit.List(t.Context(), accounts.AuditQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	have := map[octavo.AuditAction]int{}
	for _, e := range list {
		have[e.Action]++
		if strings.Contains(e.Subject, secret) || strings.Contains(e.Subject, secretText) {
			t.Errorf("%s has the subject %q", e.Action, e.Subject)
		}
		if e.Address == "127.0.0.1" && e.Action != octavo.SignInSucceeded && e.TraceID != "trace-1" {
			t.Errorf("%s %s has the trace %q, want that of its request", e.Action, e.Subject, e.TraceID)
		}
		if e.Action == octavo.ConsentGiven && (e.Actor.ID != "usr_annexamplecom" || e.Detail["client"] != "cli_server" || !octavo.ID(e.Subject).Is(octavo.PrefixGrant)) {
			t.Errorf("the consent is told as %+v", e)
		}
	}
	for action, want := range map[octavo.AuditAction]int{octavo.ConsentGiven: 1, octavo.SessionEnded: 1, octavo.SignInRefused: 3} {
		if have[action] != want {
			t.Errorf("%s is in the log %d times, want %d: %v", action, have[action], want, have)
		}
	}
}

// Nobody gets tokens of another person than the one whose ID token the client
// shows.
func TestIDTokenHintOfAnotherPerson(t *testing.T) {
	w := newWorld(t)
	ann := w.redeem(w.code())
	if q := w.get(w.question("prompt", "none", "id_token_hint", ann.ID)).location(t).Query(); q.Get("code") == "" {
		t.Errorf("the same person: have %v, want a code", q)
	}
	addUser(t, w.Server, "bob@example.com", octavo.RoleEditor)
	w.login(w.get("/login"), "bob@example.com", password).location(t)
	w.redeem(w.code())
	if q := w.get(w.question("prompt", "none", "id_token_hint", ann.ID)).location(t).Query(); q.Get("error") != "login_required" {
		t.Errorf("another person, silently: have %v, want login_required", q)
	}
	to := w.get(w.question("id_token_hint", ann.ID)).location(t)
	if to.Path != "/login" {
		t.Fatalf("another person: led to %s, want the sign-in", to)
	}
	on := w.login(w.get(to.String()), "ann@example.com", password).location(t)
	if q := w.get(on.String()).location(t).Query(); q.Get("code") == "" {
		t.Errorf("once the person has signed in: have %v, want a code", q)
	}
}

// A sign-out is led back for the client that is named, and for none where the
// client that is named and the ID token do not agree.
func TestLogoutOfANamedClient(t *testing.T) {
	w := newWorld(t)
	r := w.redeem(w.code())
	other := "https://other.example/"
	again := func() { w.login(w.get("/login"), "ann@example.com", password).location(t) }
	query := func(pairs ...string) string {
		q := url.Values{}
		set(q, pairs)
		return "/oauth/logout?" + q.Encode()
	}
	page := w.get(query("client_id", "cli_server", "post_logout_redirect_uri", callback, "state", "x")).wants(t, 200, "Sign out?")
	if to := w.send(page, "/oauth/logout", "confirm", "yes").location(t); to.String() != callback+"?state=x" {
		t.Errorf("a client that is named: led to %s", to)
	}
	again()
	if to := w.get(query("id_token_hint", r.ID, "client_id", "cli_server", "post_logout_redirect_uri", callback)).location(t); to.String() != callback {
		t.Errorf("a client that is named twice: led to %s", to)
	}
	again()
	for _, uri := range []string{callback, other} {
		page = w.get(query("id_token_hint", r.ID, "client_id", "cli_other", "post_logout_redirect_uri", uri)).wants(t, 200, "Sign out?")
		w.send(page, "/oauth/logout", "confirm", "yes").wants(t, 200, "You are signed out")
		again()
	}
}
