package storetest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// person adds one and returns them as they are read.
func (e *env) person(id octavo.ID, role octavo.Role) accounts.User {
	e.Helper()
	u := accounts.User{
		User:     octavo.User{ID: id, Email: string(id) + "@example.com", Name: "\u00c4nn", Role: role, CreatedAt: e.clock.now()},
		Password: "$argon2id$",
	}
	e.noError(e.st.Accounts.Users.Add(e.ctx, sqldb.Cause{}, u), "add a person")
	return u
}

func peopleLifecycle(e *env) {
	has, err := e.st.Accounts.Users.Any(e.ctx)
	e.noError(err, "look for people")
	e.equal("people at first", has, false)
	a, b := e.person("usr_a", octavo.RoleReader), e.person("usr_b", octavo.RoleAdmin)
	taken := a
	taken.ID = "usr_c"
	e.wantError(e.st.Accounts.Users.Add(e.ctx, sqldb.Cause{}, taken), octavo.Conflict)

	have, err := e.st.Accounts.Users.ByEmail(e.ctx, a.Email)
	e.noError(err, "read by e-mail")
	e.equal("by e-mail", have, a)
	have, err = e.st.Accounts.Users.ByID(e.ctx, b.ID)
	e.noError(err, "read by id")
	e.equal("by id", have, b)
	_, err = e.st.Accounts.Users.ByEmail(e.ctx, "nobody\x00@example.com")
	e.wantError(err, octavo.NotFound)

	list, more, err := e.st.Accounts.Users.List(e.ctx, "", 1)
	e.noError(err, "list")
	e.equal("first", list, []octavo.User{a.User})
	e.equal("more", more, true)
	list, more, err = e.st.Accounts.Users.List(e.ctx, a.ID, 1)
	e.noError(err, "list on")
	e.equal("second", list, []octavo.User{b.User})
	e.equal("more", more, false)

	e.noError(e.st.Accounts.Users.SetPassword(e.ctx, sqldb.Cause{}, a.ID, "other", ""), "set the password")
	e.wantError(e.st.Accounts.Users.SetPassword(e.ctx, sqldb.Cause{}, "usr_x", "other", ""), octavo.NotFound)
	e.noError(e.st.Accounts.Users.SetRole(e.ctx, sqldb.Cause{}, a.ID, octavo.RoleEditor), "change the role")
	e.wantError(e.st.Accounts.Users.SetRole(e.ctx, sqldb.Cause{}, "usr_x", octavo.RoleEditor), octavo.NotFound)
	a.Password, a.Role = "other", octavo.RoleEditor
	have, err = e.st.Accounts.Users.ByID(e.ctx, a.ID)
	e.noError(err, "read again")
	e.equal("with another password", have, a)
	has, err = e.st.Accounts.Users.Any(e.ctx)
	e.noError(err, "look for people")
	e.equal("people", has, true)
}

func peopleSetup(e *env) {
	now := e.clock.now()
	for i := range byte(3) {
		e.noError(e.st.Accounts.Users.AddSetupLink(e.ctx, accounts.Link{Hash: [32]byte{i}, ExpiresAt: now.Add(time.Duration(i+1) * time.Hour)}), "add a link")
	}
	e.clock.move(time.Hour)
	for i, want := range []bool{false, true, true, false} {
		_, err := e.st.Accounts.Users.OfLink(e.ctx, [32]byte{byte(i)})
		e.equal("link is valid", err == nil, want)
	}
	first := accounts.User{User: octavo.User{ID: "usr_a", Email: "a@example.com", Name: "A", Role: octavo.RoleAdmin}}
	_, err := e.st.Accounts.Users.UseLink(e.ctx, sqldb.Cause{}, [32]byte{0}, first)
	e.wantError(err, octavo.NotFound)

	var won atomic.Int32
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			u := first
			u.ID, u.Email = octavo.ID("usr_"+string(rune('a'+i))), string(rune('a'+i))+"@example.com"
			if _, err := e.st.Accounts.Users.UseLink(e.ctx, sqldb.Cause{}, [32]byte{byte(1 + i%2)}, u); err == nil {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	e.equal("who were added by links", won.Load(), int32(1))
	e.noError(e.st.Accounts.Users.AddSetupLink(e.ctx, accounts.Link{Hash: [32]byte{9}, ExpiresAt: now.Add(9 * time.Hour)}), "add a link")
	_, err = e.st.Accounts.Users.OfLink(e.ctx, [32]byte{9})
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Users.UseLink(e.ctx, sqldb.Cause{}, [32]byte{9}, first)
	e.wantError(err, octavo.NotFound)
}

// session starts one.
func (e *env) session(id octavo.ID, user octavo.ID, old byte) accounts.Session {
	e.Helper()
	v := accounts.Session{
		ID: id, Hash: [32]byte{id[len(id)-1]}, UserID: user, Agent: "Browser", Address: "192.0.2.1",
		CreatedAt: e.clock.now(), SeenAt: e.clock.now(), ExpiresAt: e.clock.now().Add(time.Hour),
	}
	e.noError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, v, [32]byte{old}), "add a session")
	return v
}

func (e *env) sessions(user octavo.ID, want ...accounts.Session) {
	e.Helper()
	have, err := e.st.Accounts.Sessions.List(e.ctx, user)
	e.noError(err, "list the sessions")
	e.equal("sessions", have, want)
}

func peopleSessions(e *env) {
	a, b := e.person("usr_a", octavo.RoleReader), e.person("usr_b", octavo.RoleReader)
	one, two := e.session("ses_1", a.ID, 0), e.session("ses_2", a.ID, 0)
	other := e.session("ses_3", b.ID, 0)
	have, user, err := e.st.Accounts.Sessions.ByHash(e.ctx, one.Hash)
	e.noError(err, "read")
	e.equal("session", have, one)
	e.equal("its person", user, a)
	_, _, err = e.st.Accounts.Sessions.ByHash(e.ctx, [32]byte{99})
	e.wantError(err, octavo.NotFound)

	e.clock.move(time.Minute)
	e.noError(e.st.Accounts.Sessions.Touch(e.ctx, two.ID), "touch")
	two.SeenAt = e.clock.now()
	e.sessions(a.ID, one, two)

	// A sign-in ends the session that the browser had, and only that.
	three := e.session("ses_4", a.ID, one.Hash[0])
	e.sessions(a.ID, two, three)
	e.noError(e.st.Accounts.Sessions.End(e.ctx, sqldb.Cause{}, a.ID, other.ID), "end the session of somebody else")
	e.sessions(b.ID, other)
	e.noError(e.st.Accounts.Sessions.End(e.ctx, sqldb.Cause{}, b.ID, other.ID), "end a session")
	e.sessions(b.ID)
	e.noError(e.st.Accounts.Users.SetPassword(e.ctx, sqldb.Cause{}, a.ID, "other", three.ID), "set the password")
	e.sessions(a.ID, three)
	// A session started with the old password is refused, one with the new password is not.
	stale := accounts.Session{ID: "ses_6", Hash: [32]byte{'6'}, UserID: a.ID, Password: a.Password, ExpiresAt: e.clock.now().Add(time.Hour)}
	e.wantError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, stale, three.Hash), octavo.NotFound)
	e.sessions(a.ID, three)
	stale.Password = "other"
	e.noError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, stale, [32]byte{}), "add a session by the new password")
	e.noError(e.st.Accounts.Sessions.End(e.ctx, sqldb.Cause{Actor: a.Actor()}, a.ID, stale.ID), "end it")
	// A sign-in may renew what is stored of its password, which ends no session
	// and is no change that the audit log tells.
	again := accounts.Session{ID: "ses_7", Hash: [32]byte{'7'}, UserID: a.ID, Password: "other", Renewed: "renewed", ExpiresAt: e.clock.now().Add(time.Hour)}
	e.noError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, again, [32]byte{}), "sign in and renew the password")
	renewed, err := e.st.Accounts.Users.ByID(e.ctx, a.ID)
	e.noError(err, "read")
	e.equal("what is stored", renewed.Password, "renewed")
	again.ID, again.Hash = "ses_8", [32]byte{'8'}
	e.wantError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, again, [32]byte{}), octavo.NotFound)
	e.equal("changes in the audit log", len(e.audited(accounts.AuditQuery{Action: octavo.UserChanged})), 1)
	five := e.session("ses_5", a.ID, 0)
	e.noError(e.st.Accounts.Sessions.EndOthers(e.ctx, sqldb.Cause{}, a.ID, five.ID), "end the others")
	e.sessions(a.ID, five)
	ended := e.audited(accounts.AuditQuery{Action: octavo.SessionEnded})
	e.equal("ends in the audit log", len(ended), 3)
	e.equal("one of them", ended[1].Subject+" "+ended[1].Actor.ID, "usr_a usr_a")
	e.clock.move(time.Hour)
	e.sessions(a.ID)
	_, _, err = e.st.Accounts.Sessions.ByHash(e.ctx, five.Hash)
	e.wantError(err, octavo.NotFound)
}

func peopleDisabled(e *env) {
	a := e.person("usr_a", octavo.RoleReader)
	v := e.session("ses_1", a.ID, 0)
	g := e.redeemed("grt_1", a.ID, "cli_octavo", 1)
	e.noError(e.st.Accounts.Users.SetDisabled(e.ctx, sqldb.Cause{}, a.ID, true), "disable")
	_, _, err := e.st.Accounts.Sessions.ByHash(e.ctx, v.Hash)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Grants.RotateToken(e.ctx, sqldb.Cause{}, [32]byte{1}, [32]byte{1}, e.token(2), permit)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound)
	e.revoked("grt_1", "ses_1", "usr_a")
	u, err := e.st.Accounts.Users.ByID(e.ctx, a.ID)
	e.noError(err, "read")
	e.equal("disabled", u.Disabled, true)
	// A sign-in or consent that had begun is refused for good.
	late := accounts.Session{ID: "ses_2", Hash: [32]byte{'2'}, UserID: a.ID, ExpiresAt: e.clock.now().Add(time.Hour)}
	e.wantError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, late, [32]byte{}), octavo.NotFound)
	e.grant("grt_2", a.ID, "cli_octavo", 2)

	e.noError(e.st.Accounts.Users.SetDisabled(e.ctx, sqldb.Cause{}, a.ID, false), "enable")
	e.revoked("grt_1", "grt_2", "ses_1") // so that no access token of before comes to life
	_, err = e.st.Accounts.Grants.RedeemCode(e.ctx, sqldb.Cause{}, [32]byte{2}, e.token(2), permit)
	e.wantError(err, octavo.NotFound)
	_, _, err = e.st.Accounts.Sessions.ByHash(e.ctx, v.Hash)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound)
	e.wantError(e.st.Accounts.Users.SetDisabled(e.ctx, sqldb.Cause{}, "usr_x", true), octavo.NotFound)

	e.noError(e.st.Accounts.Users.SetDisabled(e.ctx, sqldb.Cause{}, a.ID, true), "disable again")
	e.clock.move(30 * 24 * time.Hour) // as long as tokens live that are issued by hand
	e.sweep()
	e.revoked("usr_a")
}

func clientsLifecycle(e *env) {
	built, err := e.st.Accounts.Clients.ByID(e.ctx, "cli_octavo")
	e.noError(err, "read the client that is there")
	e.equal("it is public", built.Public(), true)
	c := accounts.Client{
		ID: "cli_a", Name: "\u00c4", Secret: []byte{0, 255}, RedirectURIs: []string{"https://a.example/?x=\"1\""},
		Scopes: octavo.ScopeRead, CreatedAt: e.clock.now(),
	}
	e.noError(e.st.Accounts.Clients.Add(e.ctx, sqldb.Cause{}, c), "add")
	have, err := e.st.Accounts.Clients.ByID(e.ctx, c.ID)
	e.noError(err, "read")
	e.equal("client", have, c)
	_, err = e.st.Accounts.Clients.ByID(e.ctx, "cli_\x00")
	e.wantError(err, octavo.NotFound)
	list, more, err := e.st.Accounts.Clients.List(e.ctx, "", 10)
	e.noError(err, "list")
	e.equal("clients", list, []accounts.Client{c, built})
	e.equal("more", more, false)

	u := e.person("usr_a", octavo.RoleReader)
	g := e.redeemed("grt_1", u.ID, c.ID, 1)
	e.noError(e.st.Accounts.Clients.Remove(e.ctx, sqldb.Cause{}, c.ID), "remove")
	e.wantError(e.st.Accounts.Clients.Remove(e.ctx, sqldb.Cause{}, c.ID), octavo.NotFound)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound)
	e.clock.move(30 * 24 * time.Hour) // as long as tokens live that are issued by hand
	e.sweep()
	e.revoked("cli_a")
}
