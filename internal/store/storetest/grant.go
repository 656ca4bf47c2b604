package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func permit(accounts.Grant) error { return nil }

// token is one with a family, both recognisable by n, good for an hour.
func (e *env) token(n byte) accounts.Next {
	return accounts.Next{Family: [32]byte{n}, Token: [32]byte{n}, ExpiresAt: e.clock.now().Add(time.Hour)}
}

// grant notes one whose code, {n}, is good for five minutes.
func (e *env) grant(id, user, client octavo.ID, n byte) accounts.Grant {
	e.Helper()
	g := accounts.Grant{
		ID: id, ClientID: client, Scope: "openid pages:read", RedirectURI: "https://a.example/", Challenge: "c", Nonce: "n",
		AuthenticatedAt: e.clock.now().Add(-time.Minute), Code: [32]byte{n}, CreatedAt: e.clock.now(), ExpiresAt: e.clock.now().Add(5 * time.Minute),
	}
	var err error
	g.User, err = e.st.Accounts.Users.ByID(e.ctx, user)
	e.noError(err, "read a person")
	e.noError(e.st.Accounts.Grants.Add(e.ctx, sqldb.Cause{}, g), "add a grant")
	return g
}

// redeemed is a grant whose code was used for token(n).
func (e *env) redeemed(id, user, client octavo.ID, n byte) accounts.Grant {
	e.Helper()
	e.grant(id, user, client, n)
	g, err := e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, [32]byte{n}, e.token(n), permit)
	e.noError(err, "redeem a code")
	return g
}

func (e *env) revoked(want ...string) {
	e.Helper()
	have, err := e.st.Accounts.Grants.Revocations(e.ctx)
	e.noError(err, "read what is revoked")
	e.equal("revoked", have, want)
}

func (e *env) spent(err error) {
	e.Helper()
	if !errors.Is(err, accounts.ErrSpent) {
		e.Errorf("have %v, want that it was used before", err)
	}
}

func grantCode(e *env) {
	u := e.person("usr_a", octavo.RoleReader)
	g := e.grant("grt_1", u.ID, "cli_octavo", 1)
	_, err := e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, [32]byte{7}, e.token(1), permit)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound) // not before its code was redeemed

	refusal := errors.New("no")
	_, err = e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, g.Code, e.token(1), func(accounts.Grant) error { return refusal })
	e.equal("what judge said", errors.Is(err, refusal), true)
	have, err := e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, g.Code, e.token(1), permit)
	e.noError(err, "redeem")
	e.equal("grant", have, g)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.noError(err, "read")

	// Using a code again ends what came of it, also after its time.
	e.clock.move(10 * time.Minute)
	_, err = e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, g.Code, e.token(2), permit)
	e.spent(err)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, [32]byte{1}, [32]byte{1}, e.token(2), permit)
	e.wantError(err, octavo.NotFound)
	e.revoked("grt_1")
	_, err = e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, g.Code, e.token(2), permit)
	e.wantError(err, octavo.NotFound)

	late := e.grant("grt_2", u.ID, "cli_octavo", 2)
	e.clock.move(5 * time.Minute)
	_, err = e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, late.Code, e.token(2), permit)
	e.wantError(err, octavo.NotFound)
}

func grantCodeRace(e *env) {
	u := e.person("usr_a", octavo.RoleReader)
	g := e.grant("grt_1", u.ID, "cli_octavo", 1)
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, g.Code, e.token(1), permit); err == nil {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	e.equal("who redeemed the code", won.Load(), int32(1))
	_, err := e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound)
}

func grantRotation(e *env) {
	u := e.person("usr_a", octavo.RoleEditor)
	g := e.redeemed("grt_1", u.ID, "cli_octavo", 1)
	family := [32]byte{1}
	refusal := errors.New("no")
	_, err := e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, family, [32]byte{1}, e.token(2), func(accounts.Grant) error { return refusal })
	e.equal("what judge said", errors.Is(err, refusal), true)
	for n := range byte(5) {
		e.clock.move(50 * time.Minute)
		have, err := e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, family, [32]byte{n + 1}, e.token(n+2), permit)
		e.noError(err, "rotate")
		e.equal("person", have.User, u)
	}
	_, err = e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, [32]byte{9}, [32]byte{6}, e.token(9), permit)
	e.wantError(err, octavo.NotFound)
	have, err := e.st.Accounts.Grants.ByFamily(e.ctx, family)
	e.noError(err, "find by family")
	e.equal("grant of the family", have.ID, g.ID)

	_, err = e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, family, [32]byte{5}, e.token(9), permit)
	e.spent(err)
	_, err = e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, family, [32]byte{6}, e.token(9), permit)
	e.wantError(err, octavo.NotFound)
	e.revoked("grt_1")

	e.redeemed("grt_2", u.ID, "cli_octavo", 3)
	e.clock.move(time.Hour)
	_, err = e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, [32]byte{3}, [32]byte{3}, e.token(4), permit)
	e.wantError(err, octavo.NotFound)
}

// grantRotationRace: if a refresh token is used concurrently, one use gets the next token,
// and the reuse ends the grant.
func grantRotationRace(e *env) {
	u := e.person("usr_a", octavo.RoleReader)
	e.redeemed("grt_1", u.ID, "cli_octavo", 1)
	var won atomic.Int32
	var wg sync.WaitGroup
	for i := range byte(8) {
		wg.Go(func() {
			if _, err := e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, [32]byte{1}, [32]byte{1}, e.token(2+i), permit); err == nil {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	e.equal("who replaced the token", won.Load(), int32(1))
	_, err := e.st.Accounts.Grants.ByID(e.ctx, "grt_1")
	e.wantError(err, octavo.NotFound)
	e.revoked("grt_1")
}

func grantEnd(e *env) {
	u, other := e.person("usr_a", octavo.RoleReader), e.person("usr_b", octavo.RoleReader)
	e.redeemed("grt_1", u.ID, "cli_octavo", 1)
	e.redeemed("grt_2", u.ID, "cli_octavo", 2)
	e.redeemed("grt_3", other.ID, "cli_octavo", 3)
	e.grant("grt_4", u.ID, "cli_octavo", 4)
	list, err := e.st.Accounts.Grants.List(e.ctx, u.ID)
	e.noError(err, "list")
	e.equal("grants in force", len(list), 2)

	e.noError(e.st.Accounts.Grants.End(e.ctx, sqldb.Cause{}, "grt_1"), "end one")
	e.noError(e.st.Accounts.Grants.End(e.ctx, sqldb.Cause{}, "grt_1"), "end it again")
	e.revoked("grt_1")
	e.noError(e.st.Accounts.Grants.EndOfClient(e.ctx, sqldb.Cause{}, u.ID, "cli_octavo"), "end all")
	e.revoked("grt_1", "grt_2", "grt_4")
	list, err = e.st.Accounts.Grants.List(e.ctx, u.ID)
	e.noError(err, "list")
	e.equal("grants in force", len(list), 0)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, "grt_3")
	e.noError(err, "read that of another person")
	// The audit log tells of a consent that was asked for, and of no other.
	asked := accounts.Grant{ID: "grt_5", User: other, ClientID: "cli_octavo", Scope: "pages:read", Code: [32]byte{5}, ExpiresAt: e.clock.now(), Asked: true}
	e.noError(e.st.Accounts.Grants.Add(e.ctx, sqldb.Cause{Actor: other.Actor()}, asked), "add a grant")
	told := e.audited(accounts.AuditQuery{Action: octavo.ConsentGiven})
	e.equal("consents in the audit log", len(told), 1)
	e.equal("the consent", told[0].Subject+" by "+told[0].Actor.ID, "grt_5 by usr_b")
	e.equal("what was allowed", told[0].Detail, map[string]any{"client": "cli_octavo", "scope": "pages:read"})

	e.noError(e.st.Accounts.Grants.Revoke(e.ctx, sqldb.Cause{}, "tok_1", e.clock.now().Add(time.Minute)), "revoke")
	e.noError(e.st.Accounts.Grants.Revoke(e.ctx, sqldb.Cause{}, "tok_1", e.clock.now().Add(time.Hour)), "revoke for longer")
	e.clock.move(24*time.Hour + 30*time.Minute) // a day is left for clocks that are set back
	e.revoked("tok_1")
}

func grantSweep(e *env) {
	u := e.person("usr_a", octavo.RoleReader)
	e.session("ses_1", u.ID, 0)
	e.redeemed("grt_1", u.ID, "cli_octavo", 1)
	e.redeemed("grt_2", u.ID, "cli_octavo", 2)
	e.noError(e.st.Accounts.Grants.End(e.ctx, sqldb.Cause{}, "grt_1"), "end a grant")
	e.clock.move(59 * time.Minute)
	_, err := e.st.Sweep(e.ctx, ann)
	e.noError(err, "sweep")
	e.sessions(u.ID, accounts.Session{
		ID: "ses_1", Hash: [32]byte{'1'}, UserID: u.ID, Agent: "Browser", Address: "192.0.2.1",
		CreatedAt: u.CreatedAt, SeenAt: u.CreatedAt, ExpiresAt: u.CreatedAt.Add(time.Hour),
	})
	_, err = e.st.Accounts.Grants.ByID(e.ctx, "grt_2")
	e.noError(err, "read a grant")
	e.clock.move(time.Hour)
	_, err = e.st.Sweep(e.ctx, ann)
	e.noError(err, "sweep")
	e.sessions(u.ID)
	_, err = e.st.Accounts.Grants.ByFamily(e.ctx, [32]byte{1})
	e.wantError(err, octavo.NotFound)
}

// revokedClockBack: a token that was revoked is refused again when the clock is
// set back to a time at which it is valid, swept or not.
func revokedClockBack(e *env) {
	expires := e.clock.now().Add(15 * time.Minute)
	e.noError(e.st.Accounts.Grants.Revoke(e.ctx, sqldb.Cause{}, "tok_1", expires), "revoke")
	e.clock.move(47 * time.Hour)
	e.sweep()
	e.revoked() // nobody asks for it
	e.clock.move(-47 * time.Hour)
	e.revoked("tok_1")

	// The tokens of what ends while the clock is behind were made before that.
	u := e.person("usr_a", octavo.RoleReader)
	e.redeemed("grt_1", u.ID, "cli_octavo", 1)
	e.clock.move(-5 * time.Hour)
	e.noError(e.st.Accounts.Grants.End(e.ctx, sqldb.Cause{}, "grt_1"), "end")
	e.noError(e.st.Accounts.Grants.Revoke(e.ctx, sqldb.Cause{}, "tok_1", e.clock.now().Add(-24*time.Hour)), "revoke again, for no longer")
	e.clock.move(5*time.Hour + 14*time.Minute)
	e.sweep()
	e.revoked("grt_1", "tok_1")

	e.clock.move(49 * time.Hour)
	e.sweep()
	e.clock.move(-49 * time.Hour)
	e.revoked()
}
