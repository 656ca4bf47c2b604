package storetest

import (
	"sync"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const issuer = "https://login.example"

// peopleIdentities shows which person a sign-in by an outside issuer finds.
func peopleIdentities(e *env) {
	local := e.person("usr_local", octavo.RoleAdmin)
	person := func(id octavo.ID, email string, role octavo.Role) accounts.User {
		return accounts.User{User: octavo.User{ID: id, Email: email, Name: "Ann", Role: role, CreatedAt: e.clock.now()}}
	}
	signIn := func(subject string, u accounts.User, rule accounts.Identity) accounts.User {
		e.Helper()
		rule.Issuer, rule.Subject = issuer, subject
		have, err := e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, rule, u)
		e.noError(err, "sign in")
		return have
	}
	ann := person("usr_1", "ann@example.com", octavo.RoleReader)
	e.equal("new", signIn("s1", ann, accounts.Identity{}), ann)
	again := person("usr_2", "other@example.com", octavo.RoleEditor)
	e.equal("known by the subject alone", signIn("s1", again, accounts.Identity{}), ann)
	ann.Role = octavo.RoleEditor
	e.equal("with another role", signIn("s1", again, accounts.Identity{SetRole: true}), ann)
	kept, err := e.st.Accounts.Users.ByID(e.ctx, ann.ID)
	e.noError(err, "read")
	e.equal("kept", kept, ann)

	// An e-mail address in use is only linked if configured, and then once.
	_, err = e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: issuer, Subject: "s2"}, person("usr_3", local.Email, octavo.RoleReader))
	e.wantError(err, octavo.Conflict)
	e.equal("linked", signIn("s2", person("usr_3", local.Email, octavo.RoleReader), accounts.Identity{Link: true}), local)
	e.equal("linked for good", signIn("s2", person("usr_3", "x@example.com", octavo.RoleReader), accounts.Identity{}), local)
	_, err = e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: issuer, Subject: "s3", Link: true}, person("usr_3", local.Email, octavo.RoleReader))
	e.wantError(err, octavo.Conflict)
	_, err = e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: "https://other.example", Subject: "s2"}, person("usr_4", local.Email, octavo.RoleReader))
	e.wantError(err, octavo.Conflict)

	e.noError(e.st.Accounts.Users.SetDisabled(e.ctx, sqldb.Cause{}, ann.ID, true), "disable")
	_, err = e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: issuer, Subject: "s1", SetRole: true}, again)
	e.wantError(err, octavo.Forbidden)
	_, err = e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: issuer, Subject: "s4", Link: true}, person("usr_5", ann.Email, octavo.RoleReader))
	e.wantError(err, octavo.Conflict)

	// Of several at once one is added, and nobody twice.
	var added atomic.Int32
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			u := person(octavo.ID("usr_n"+string(rune('a'+i))), "new@example.com", octavo.RoleReader)
			if have, err := e.st.Accounts.Users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: issuer, Subject: "new"}, u); err == nil && have.ID == u.ID {
				added.Add(1)
			}
		})
	}
	wg.Wait()
	e.equal("added", added.Load(), int32(1))
}

// peopleLessOfARole shows that access tokens are refused that hold more than a
// role gives now, and no others.
func peopleLessOfARole(e *env) {
	u := e.person("usr_a", octavo.RoleAdmin)
	e.person("usr_b", octavo.RoleAdmin) // the last one keeps the role
	lost := func(scope octavo.Scopes) string { return accounts.LostScope("usr_a", scope) }
	propose, write, admin := lost(octavo.ScopePropose), lost(octavo.ScopeWrite), lost(octavo.ScopeAdmin)
	for _, c := range []struct {
		role octavo.Role
		want []string
	}{
		{octavo.RoleAdmin, nil},
		{octavo.RoleEditor, []string{admin}},
		{octavo.RoleContributor, []string{admin, write}},
		{octavo.RoleReader, []string{admin, propose, write}},
		{octavo.RoleReader, []string{admin, propose, write}},
		{octavo.RoleContributor, []string{admin, write}},
		{octavo.RoleEditor, []string{admin}},
		{octavo.RoleAdmin, nil},
	} {
		e.noError(e.st.Accounts.Users.SetRole(e.ctx, sqldb.Cause{}, u.ID, c.role), "set the role")
		e.revoked(c.want...)
	}
}
