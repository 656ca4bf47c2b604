package authserver_test

import (
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
)

// Whether somebody exists shows in no answer: not to a wrong password, nor
// once there were too many tries, nor for somebody disabled.
func TestUnknownPeopleLookLikeKnownOnes(t *testing.T) {
	now := time.Now()
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time { return now }})
	addUser(t, s, "known@example.com", octavo.RoleReader)
	disabled := addUser(t, s, "disabled@example.com", octavo.RoleReader)
	if err := s.Store.SetUserDisabled(t.Context(), store.Cause{}, disabled.ID, true); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, s)
	for _, email := range []string{"known@example.com", "unknown@example.com", "disabled@example.com"} {
		word := "wrong password"
		if email == "disabled@example.com" {
			word = password
		}
		for range 10 {
			b.login(b.get("/login"), email, word).wants(t, 403, "The e-mail address or the password is not right.")
		}
		a := b.login(b.get("/login"), email, word).wants(t, 429, "There were too many tries.")
		if have := a.Header.Get("Retry-After"); have != "60" {
			t.Errorf("%s: Retry-After %q, want 60", email, have)
		}
	}
	b.login(b.get("/login"), "known@example.com", password).wants(t, 429, "too many")
	now = now.Add(time.Minute)
	b.login(b.get("/login"), "KNOWN@example.com ", password).location(t)

	list, _, err := s.Store.ListAudit(t.Context(), store.AuditQuery{Action: octavo.SignInRefused, Limit: 10})
	if err != nil || len(list) != 3 || list[0].Subject != "known@example.com" || list[1].Subject != "" || list[0].Address != "127.0.0.1" {
		t.Errorf("the audit log has %+v, %v, want one refusal of each, without a name that nobody has", list, err)
	}
	list, _, err = s.Store.ListAudit(t.Context(), store.AuditQuery{Action: octavo.SignInSucceeded, Limit: 10})
	if err != nil || len(list) != 1 || list[0].Actor.ID != "usr_knownexamplecom" {
		t.Errorf("the audit log has %+v, %v, want one sign-in", list, err)
	}
}
