package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// link is one that lasts an hour.
func (e *env) link(n byte) accounts.Link {
	return accounts.Link{Hash: [32]byte{n}, ExpiresAt: e.clock.now().Add(time.Hour)}
}

// useLink sets the password by a link.
func (e *env) useLink(n byte, password string) (accounts.User, error) {
	return e.st.Accounts.Users.UseLink(e.ctx, sqldb.Cause{}, [32]byte{n}, accounts.User{Password: password})
}

func peopleLinks(e *env) {
	users := e.st.Accounts.Users
	e.person("usr_root", octavo.RoleAdmin)
	ann := accounts.User{User: octavo.User{ID: "usr_ann", Email: "ann@example.com", Name: "Ann", Role: octavo.RoleEditor}}
	e.noError(users.Invite(e.ctx, sqldb.Cause{}, ann, e.link(1)), "invite")
	e.wantError(users.Invite(e.ctx, sqldb.Cause{}, ann, e.link(2)), octavo.Conflict)
	of, err := users.OfLink(e.ctx, [32]byte{1})
	e.noError(err, "look up a link")
	e.equal("whose link", fmt.Sprint(of.ID, of.Invited), "usr_anntrue")

	// If a link is used concurrently, one use sets the password.
	var won atomic.Int32
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			if _, err := e.useLink(1, fmt.Sprint("$", i)); err == nil {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	e.equal("who used the link", won.Load(), int32(1))
	known, err := users.ByID(e.ctx, ann.ID)
	e.noError(err, "read")
	e.equal("is invited still", known.Invited, false)

	// A reset ends sessions, grants and the password at once; the newest link counts.
	v, g := e.session("ses_1", ann.ID, 0), e.redeemed("grt_1", ann.ID, "cli_octavo", 1)
	for n := byte(3); n <= 4; n++ {
		_, err = users.Reset(e.ctx, sqldb.Cause{}, ann.ID, e.link(n))
		e.noError(err, "reset")
	}
	_, _, err = e.st.Accounts.Sessions.ByHash(e.ctx, v.Hash)
	e.wantError(err, octavo.NotFound)
	e.revoked(string(g.ID), string(v.ID))
	known, err = users.ByID(e.ctx, ann.ID)
	e.noError(err, "read")
	e.equal("the password and whether invited", fmt.Sprint(known.Password, known.Invited), "false")
	_, err = e.useLink(3, "$")
	e.wantError(err, octavo.NotFound)
	known, err = e.useLink(4, "$4")
	e.noError(err, "use the newest link")
	e.equal("the password", known.Password, "$4")

	// A link ends with its time, when the person is disabled, and with another password.
	_, err = users.Reset(e.ctx, sqldb.Cause{}, ann.ID, e.link(5))
	e.noError(err, "reset")
	e.clock.move(time.Hour)
	_, err = e.useLink(5, "$")
	e.wantError(err, octavo.NotFound)
	_, err = users.Reset(e.ctx, sqldb.Cause{}, ann.ID, e.link(6))
	e.noError(err, "reset")
	e.noError(users.SetDisabled(e.ctx, sqldb.Cause{}, ann.ID, true), "disable")
	_, err = users.Reset(e.ctx, sqldb.Cause{}, ann.ID, e.link(7))
	e.wantError(err, octavo.Conflict)
	e.noError(users.SetDisabled(e.ctx, sqldb.Cause{}, ann.ID, false), "enable")
	_, err = e.useLink(6, "$")
	e.wantError(err, octavo.NotFound)
	_, err = users.Reset(e.ctx, sqldb.Cause{}, ann.ID, e.link(8))
	e.noError(err, "reset")
	e.noError(users.SetPassword(e.ctx, sqldb.Cause{}, ann.ID, "$8", ""), "set the password")
	_, err = users.OfLink(e.ctx, [32]byte{8})
	e.wantError(err, octavo.NotFound)
	_, err = users.Reset(e.ctx, sqldb.Cause{}, "usr_x", e.link(9))
	e.wantError(err, octavo.NotFound)
	e.equal("resets in the audit log", len(e.audited(accounts.AuditQuery{Action: octavo.UserReset})), 5)
}

func peopleForgotten(e *env) {
	users := e.st.Accounts.Users
	ann := e.person("usr_ann", octavo.RoleReader)
	v := e.session("ses_1", ann.ID, 0)
	ask := func(n byte, email string) error {
		_, err := users.Forgotten(e.ctx, sqldb.Cause{}, email, e.link(n))
		return err
	}
	e.wantError(ask(1, "nobody@example.com"), octavo.NotFound)
	for n := byte(1); n <= 3; n++ {
		e.noError(ask(n, ann.Email), "ask")
	}
	e.wantError(ask(4, ann.Email), octavo.RateLimited)
	e.sessions(ann.ID, v) // the request may have come from anybody
	_, err := e.useLink(2, "$2")
	e.wantError(err, octavo.NotFound)
	_, err = e.useLink(3, "$3")
	e.noError(err, "use the newest link")
	e.clock.move(time.Hour)
	e.noError(ask(5, ann.Email), "ask an hour later")

	bob := accounts.User{User: octavo.User{ID: "usr_bob", Email: "bob@example.com", Name: "Bob", Role: octavo.RoleReader}}
	_, err = users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: "https://a.example", Subject: "1"}, bob)
	e.noError(err, "sign in by a provider")
	e.wantError(ask(6, bob.Email), octavo.NotFound)
	e.noError(users.SetDisabled(e.ctx, sqldb.Cause{}, ann.ID, true), "disable")
	e.wantError(ask(7, ann.Email), octavo.NotFound)
}

func peopleLastAdmin(e *env) {
	users := e.st.Accounts.Users
	forget := store.ForgetPerson
	away := []func(id octavo.ID) error{
		func(id octavo.ID) error { return users.SetDisabled(e.ctx, sqldb.Cause{}, id, true) },
		func(id octavo.ID) error { return users.SetRole(e.ctx, sqldb.Cause{}, id, octavo.RoleEditor) },
		func(id octavo.ID) error { return users.Remove(e.ctx, sqldb.Cause{}, id, forget) },
	}
	root := e.person("usr_root", octavo.RoleAdmin)
	e.person("usr_reader", octavo.RoleReader)
	invited := accounts.User{User: octavo.User{ID: "usr_new", Email: "new@example.com", Name: "New", Role: octavo.RoleAdmin}}
	e.noError(users.Invite(e.ctx, sqldb.Cause{}, invited, e.link(1)), "invite")
	for _, take := range away {
		e.wantError(take(root.ID), octavo.Conflict)
	}
	_, err := users.Change(e.ctx, sqldb.Cause{}, root.ID, accounts.UserChange{UserPatch: octavo.UserPatch{Name: new("Root"), Role: new(octavo.RoleAdmin), Disabled: new(false)}})
	e.noError(err, "change what takes nothing away")
	e.noError(away[2]("usr_reader"), "remove a reader")
	_, err = e.useLink(1, "$")
	e.noError(err, "accept the invitation")

	// If two administrators are removed concurrently, one stays.
	for round := range 5 {
		a, b := e.person(octavo.ID(fmt.Sprint("usr_a", round)), octavo.RoleAdmin), e.person(octavo.ID(fmt.Sprint("usr_b", round)), octavo.RoleAdmin)
		if round == 0 {
			e.noError(away[2](invited.ID), "remove")
			e.noError(away[2](root.ID), "remove")
		}
		list, _, err := users.Enabled(e.ctx, "", 100)
		e.noError(err, "list")
		for _, u := range list {
			if u.Role == octavo.RoleAdmin && u.ID != a.ID && u.ID != b.ID {
				e.noError(away[2](u.ID), "remove")
			}
		}
		var wg sync.WaitGroup
		errs := make([]error, 2)
		for i, id := range []octavo.ID{a.ID, b.ID} {
			wg.Go(func() { errs[i] = away[(round+i)%3](id) })
		}
		wg.Wait()
		refused := 0
		for _, err := range errs {
			if err != nil {
				e.wantError(err, octavo.Conflict)
				refused++
			}
		}
		e.equal("refused", refused, 1)
	}

	// A role that a provider gives is not set here.
	carl := accounts.User{User: octavo.User{ID: "usr_carl", Email: "carl@example.com", Name: "Carl", Role: octavo.RoleReader}}
	_, err = users.SignIn(e.ctx, sqldb.Cause{}, accounts.Identity{Issuer: "https://a.example", Subject: "1"}, carl)
	e.noError(err, "sign in by a provider")
	for _, issuer := range []string{"https://a.example", "https://b.example"} {
		want := issuer == "https://b.example" // which does not know him
		_, err = users.Change(e.ctx, sqldb.Cause{}, carl.ID, accounts.UserChange{UserPatch: octavo.UserPatch{Role: new(octavo.RoleEditor)}, RolesBy: issuer})
		e.equal("the role is set, while "+issuer+" gives roles", err == nil, want)
	}
}

func peopleRemoved(e *env) {
	users := e.st.Accounts.Users
	e.person("usr_root", octavo.RoleAdmin)
	ann, bob := e.person("usr_ann", octavo.RoleEditor), e.person("usr_bob", octavo.RoleEditor)
	v, g := e.session("ses_1", ann.ID, 0), e.redeemed("grt_1", ann.ID, "cli_octavo", 1)
	pages := make([]octavo.ID, 2)
	for i, u := range []accounts.User{ann, bob} {
		e.noError(e.st.DB.Write(e.ctx, sqldb.Cause{Actor: u.Actor()}, func(tx *sqldb.Tx) error {
			p, err := e.st.Pages.Create(tx, page("of-"+string(u.ID[4:])))
			pages[i] = p.ID
			return err
		}), "create a page")
	}
	e.noError(users.Remove(e.ctx, sqldb.Cause{Actor: bob.Actor()}, ann.ID, store.ForgetPerson), "remove")
	e.wantError(users.Remove(e.ctx, sqldb.Cause{}, ann.ID, store.ForgetPerson), octavo.NotFound)
	_, err := users.ByID(e.ctx, ann.ID)
	e.wantError(err, octavo.NotFound)
	_, _, err = e.st.Accounts.Sessions.ByHash(e.ctx, v.Hash)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Grants.ByID(e.ctx, g.ID)
	e.wantError(err, octavo.NotFound)
	late := accounts.Session{ID: "ses_2", Hash: [32]byte{'2'}, UserID: ann.ID, ExpiresAt: e.clock.now().Add(time.Hour)}
	e.wantError(e.st.Accounts.Sessions.Add(e.ctx, sqldb.Cause{}, late, [32]byte{}), octavo.NotFound)
	e.revoked("usr_ann")
	authors, err := e.st.Pages.Authors(e.ctx, octavo.Audience{}, pages)
	e.noError(err, "read the authors")
	e.equal("the author who was removed", authors[pages[0]], []octavo.Actor{{ID: "usr_ann", Name: octavo.FormerName}})
	e.equal("the other", authors[pages[1]], []octavo.Actor{bob.Actor()})
	entry := e.audited(accounts.AuditQuery{Action: octavo.UserRemoved})[0]
	e.equal("in the audit log", fmt.Sprint(entry.Subject, entry.Actor.ID, entry.Detail["name"], entry.Detail["email"]), "usr_annusr_bob\u00c4nnusr_ann@example.com")
	again := ann
	again.ID = "usr_ann2"
	e.noError(users.Add(e.ctx, sqldb.Cause{}, again), "add somebody with the same address")
}
