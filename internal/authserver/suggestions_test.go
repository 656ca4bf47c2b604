package authserver_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestSuggestions shows that readers may propose while the setting suggestions is on, and
// that this ends within revocationRecheck, in other processes too.
func TestSuggestions(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { suggestions(t, newWorld(t)) })
	t.Run("postgres", func(t *testing.T) { suggestions(t, newWorldOn(t, octavotest.Postgres(t))) })
}

func suggestions(t *testing.T, w *world) {
	t.Helper()
	users, ann := w.Store.Accounts.Users, octavo.ID("usr_annexamplecom")
	setRole := func(role octavo.Role) {
		t.Helper()
		if err := users.SetRole(t.Context(), sqldb.Cause{}, ann, role); err != nil {
			t.Fatal(err)
		}
	}
	turn := func(on bool) {
		t.Helper()
		patch := octavo.Object(octavo.Member{Name: "suggestions", Value: octavo.Value{Kind: octavo.KindBool, Bool: on}})
		if _, _, err := w.Store.Sites.Patch(t.Context(), sqldb.Cause{}, patch, nil); err != nil {
			t.Fatal(err)
		}
	}
	other, err := w.OpenAgain(t.Context(), store.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	var moved atomic.Int64 // how far the clock of the other process is ahead
	elsewhere := authserver.NewVerifier(w.Auth, other.Accounts.Grants, other.Sites.Suggestions, func() time.Time {
		return time.Now().Add(time.Duration(moved.Load()))
	})
	wants := func(what, token, want string) {
		t.Helper()
		for waited := time.Duration(0); ; waited += 50 * time.Millisecond {
			p, err := elsewhere.Verify(t.Context(), auth.Credential{Kind: auth.Bearer, Secret: token})
			if have := p.Scopes.String(); have == want && err == nil {
				return
			} else if waited > 3*time.Second {
				t.Fatalf("%s: have %q, %v, want %q within 3 s", what, have, err, want)
			}
			moved.Add(int64(50 * time.Millisecond))
		}
	}
	const both = "pages:read pages:propose"
	ask := func(want string) reply {
		t.Helper()
		r := w.redeem(w.code("scope", both))
		if r.Scope != want {
			t.Fatalf("a sign-in gives %q, want %q", r.Scope, want)
		}
		return r
	}

	setRole(octavo.RoleReader)
	before := ask("pages:read")
	turn(true)
	w.get(w.question("scope", both)).wants(t, 200, "Propose changes to pages").wants(t, 200, "Read all pages, drafts too")
	if r := w.refresh(before.Refresh); r.Scope != "pages:read" {
		t.Errorf("what was allowed before is %q after a refresh, want that it stays", r.Scope)
	}
	reader := ask(both)
	wants("a reader", reader.Access, both)
	turn(false)
	wants("a reader, when it is off", reader.Access, "pages:read")
	if have := callAPI(t, w.Server, reader.Access, "/v1/pages"); have != 200 {
		t.Errorf("reading with that token: have %d, want 200", have)
	}
	if reader = w.refresh(reader.Refresh); reader.Scope != "pages:read" {
		t.Errorf("refreshed while it is off: have %q", reader.Scope)
	}
	turn(true)
	if reader = w.refresh(reader.Refresh); reader.Scope != both {
		t.Errorf("refreshed while it is on again: have %q, want %q", reader.Scope, both)
	}

	setRole(octavo.RoleContributor)
	contributor := w.refresh(reader.Refresh)
	turn(false)
	wants("the contributor's earlier token", reader.Access, "pages:read")
	wants("a contributor", contributor.Access, both)
	setRole(octavo.RoleReader)
	turn(true)
	again := w.refresh(contributor.Refresh)
	wants("a reader who was a contributor", again.Access, both)
	for range 60 { // the role is followed within the same time
		if _, err := elsewhere.Verify(t.Context(), auth.Credential{Kind: auth.Bearer, Secret: contributor.Access}); err != nil {
			return
		}
		moved.Add(int64(50 * time.Millisecond))
	}
	t.Error("the token of a contributor is accepted although they are a reader by now")
}
