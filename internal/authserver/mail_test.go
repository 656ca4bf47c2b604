package authserver_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestMailAtAccount: people turn mail about proposals off and on at their account, where
// the server sends mail.
func TestMailAtAccount(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{Mailer: make(postbox)})
	ann, bob := addUser(t, s, "ann@example.com", octavo.RoleContributor), addUser(t, s, "bob@example.com", octavo.RoleContributor)
	mails := func(u octavo.ID, want bool) {
		t.Helper()
		if have, err := s.Store.Mails.Wanted(t.Context(), u); have != want || err != nil {
			t.Errorf("%s is mailed: have %t, %v, want %t", u, have, err, want)
		}
	}
	b := newBrowser(t, s)
	b.post("/account/mail", url.Values{"mail": {"off"}}).wants(t, 403, "cannot be accepted")
	b.login(b.get("/login"), ann.Email, password).location(t)
	page := b.get("/account").wants(t, 200, "once in ten minutes at most").wants(t, 200, `value="off"`)
	for header, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		b.header.Set(header, value)
		b.send(page, "/account/mail", "mail", "off").wants(t, 403, "cannot be accepted")
		b.header.Del(header)
	}
	b.send(page, "/account/mail", "mail", "off", "token", "").wants(t, 403, "cannot be accepted")
	mails(ann.ID, true)
	if have := b.send(page, "/account/mail", "mail", "off").location(t).Path; have != "/account" {
		t.Errorf("led to %s", have)
	}
	mails(ann.ID, false)
	mails(bob.ID, true)
	page = b.get("/account").wants(t, 200, "mailed nothing about proposals").wants(t, 200, `value="on"`)
	if err := s.Store.Proposals.ReadUntil(t.Context(), sqldb.Cause{}, string(ann.ID), time.Now()); err != nil {
		t.Fatal(err)
	}
	mails(ann.ID, false) // as before
	b.send(page, "/account/mail", "mail", "on").location(t)
	mails(ann.ID, true)
	b.get("/account").wants(t, 200, `value="off"`)

	silent := octavotest.Start(t, octavotest.Options{})
	addUser(t, silent, "ann@example.com", octavo.RoleContributor)
	b = newBrowser(t, silent)
	b.login(b.get("/login"), ann.Email, password).location(t)
	if page := b.get("/account").wants(t, 200, "Your account"); contains(page.body, "about proposals") {
		t.Error("a server without mail offers it")
	}
	if a := b.post("/account/mail", nil); a.StatusCode != 404 {
		t.Errorf("a server without mail answers %d, want 404", a.StatusCode)
	}
}
