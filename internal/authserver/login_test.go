package authserver_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Whether somebody exists shows in no answer: not to a wrong password, nor
// once there were too many tries, nor for somebody disabled.
func TestUnknownPeopleLookLikeKnownOnes(t *testing.T) {
	now := time.Now()
	clock := func() time.Time { return now }
	s := octavotest.Start(t, octavotest.Options{Now: clock})
	addUser(t, s, "known@example.com", octavo.RoleReader)
	disabled := addUser(t, s, "disabled@example.com", octavo.RoleReader)
	if err := s.Store.Accounts.Users.SetDisabled(t.Context(), sqldb.Cause{}, disabled.ID, true); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, s)
	for _, email := range []string{"known@example.com", "unknown@example.com", "disabled@example.com"} {
		word := "wrong password"
		if email == "disabled@example.com" {
			word = password
		}
		for range 10 {
			b.login(b.get("/login"), email, word).wants(t, 403, "The e-mail address or the password is wrong.")
		}
		a := b.login(b.get("/login"), email, word).wants(t, 429, "There were too many attempts.")
		if have := a.Header.Get("Retry-After"); have != "60" {
			t.Errorf("%s: Retry-After %q, want 60", email, have)
		}
	}
	b.login(b.get("/login"), "known@example.com", password).wants(t, 429, "too many")
	now = now.Add(time.Minute)
	b.login(b.get("/login"), "KNOWN@example.com ", password).location(t)

	list, _, err := s.Store.Accounts.Audit.List(t.Context(), accounts.AuditQuery{Action: octavo.SignInRefused, Limit: 10})
	if err != nil || len(list) != 3 || list[0].Subject != "known@example.com" || list[1].Subject != "" || list[0].Address != "127.0.0.1" {
		t.Errorf("the audit log has %+v, %v, want one refusal of each, without a name that nobody has", list, err)
	}
	list, _, err = s.Store.Accounts.Audit.List(t.Context(), accounts.AuditQuery{Action: octavo.SignInSucceeded, Limit: 10})
	if err != nil || len(list) != 1 || list[0].Actor.ID != "usr_knownexamplecom" {
		t.Errorf("the audit log has %+v, %v, want one sign-in", list, err)
	}
}

// Nobody has to wait for the time of a clock that was ahead.
func TestWaitWithClockSetBack(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time { return now }})
	addUser(t, s, "ann@example.com", octavo.RoleReader)
	b := newBrowser(t, s)
	for range 10 {
		b.login(b.get("/login"), "ann@example.com", "wrong password").wants(t, 403, "is wrong")
	}
	b.login(b.get("/login"), "ann@example.com", password).wants(t, 429, "There were too many attempts.")
	now = now.Add(-5 * time.Hour)
	b.login(b.get("/login"), "ann@example.com", password).location(t)
}

// A password that was stored at another cost is stored anew when its owner
// signs in, also from several places at once, and lets them in as before.
func TestRehashAtSignIn(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Passwords: authserver.Cost{Memory: 64, Passes: 3}})
	ann := addUser(t, s, "ann@example.com", octavo.RoleReader) // at one pass
	browsers := make([]*browser, 4)                            // no more than may wait
	pages := make([]answer, len(browsers))
	for i := range browsers {
		browsers[i] = newBrowser(t, s)
		pages[i] = browsers[i].get("/login")
	}
	var group sync.WaitGroup
	for i, b := range browsers {
		group.Go(func() {
			if a := b.login(pages[i], "ann@example.com", password); a.StatusCode != http.StatusSeeOther {
				t.Errorf("sign-in %d is answered %d\n%s", i, a.StatusCode, a.body)
			}
		})
	}
	group.Wait()
	for _, b := range browsers {
		b.get("/account").wants(t, 200, "ann@example.com")
	}
	u, err := s.Store.Accounts.Users.ByID(t.Context(), ann.ID)
	if err != nil || !strings.HasPrefix(u.Password, "$argon2id$v=19$m=64,t=3,p=1$") {
		t.Errorf("stored is %q, %v; want three passes", u.Password, err)
	}
	browsers[0].login(browsers[0].get("/login"), "ann@example.com", "wrong").wants(t, 403, "is wrong")
	browsers[0].login(browsers[0].get("/login"), "ann@example.com", password).location(t)
	if again, err := s.Store.Accounts.Users.ByID(t.Context(), ann.ID); err != nil || again.Password != u.Password {
		t.Errorf("stored again is %q, %v; want %q still", again.Password, err, u.Password)
	}
}
