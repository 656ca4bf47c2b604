package authserver_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// postbox is a mail server that hands a message over when somebody takes it.
type postbox chan mail.Message

func (p postbox) Send(ctx context.Context, m mail.Message) error {
	select {
	case p <- m:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

var linkPattern = regexp.MustCompile(`http\S+/setup\?link=\S{43}`)

// link takes a message, and returns the link in it.
func (p postbox) link(t *testing.T, to string) string {
	t.Helper()
	m := <-p
	if m.To != to {
		t.Errorf("a message goes to %s, want %s", m.To, to)
	}
	link := linkPattern.FindString(m.Text)
	if link == "" || linkPattern.FindString(m.HTML) == "" {
		t.Fatalf("the message has no link:\n%s", m.Text)
	}
	return link
}

// Whether an address is known shows in no answer, and no answer waits for mail; an
// address is sent three links in an hour.
func TestForgottenPassword(t *testing.T) {
	now := time.Now()
	box := make(postbox)
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time { return now }, Mailer: box})
	ann := addUser(t, s, "ann@example.com", octavo.RoleReader)
	addUser(t, s, "disabled@example.com", octavo.RoleReader)
	must(t, s, "PATCH", "/users/usr_disabledexamplecom", `{"disabled":true}`)
	b := newBrowser(t, s)
	b.login(b.get("/login"), ann.Email, password).location(t)
	b.get("/login").wants(t, 200, `href="/login/forgotten"`)
	form := b.get("/login/forgotten").wants(t, 200, "Forgotten password")
	first := ""
	for _, email := range []string{"nobody@example.com", "disabled@example.com", "", "no address", "ANN@example.com ", "ann@example.com", "ann@example.com", "ann@example.com"} {
		a := b.send(form, "/login/forgotten", "email", email).wants(t, 200, "Look at your mail") // although the mail server does not move
		if first == "" {
			first = a.body
		}
		if a.body != first {
			t.Errorf("%q has another answer:\n%s", email, a.body)
		}
	}
	one, two, three := box.link(t, ann.Email), box.link(t, ann.Email), box.link(t, ann.Email)
	other := newBrowser(t, s)
	other.get(one).wants(t, 404, "not valid")
	other.get(two).wants(t, 404, "not valid")
	b.get("/account").wants(t, 200, ann.Email) // the request may have come from anybody
	other.send(other.get(three).wants(t, 200, "Set a new password"), "/setup", "password", "another good password").location(t)
	b.get("/account").location(t)

	now = now.Add(time.Hour)
	b.send(b.get("/login/forgotten"), "/login/forgotten", "email", ann.Email).wants(t, 200, "Look at your mail")
	other.get(box.link(t, ann.Email)).wants(t, 200, "Set a new password") // and no fourth before it
	b.header.Set("Origin", "https://evil.example")
	b.send(b.get("/login/forgotten"), "/login/forgotten", "email", ann.Email).wants(t, 403, "cannot be accepted")
	b.header.Del("Origin")
	for range 10 {
		b.send(b.get("/login/forgotten"), "/login/forgotten", "email", "nobody@example.com")
	}
	b.send(b.get("/login/forgotten"), "/login/forgotten", "email", "nobody@example.com").wants(t, 429, "Too many tries")

	// An invitation is sent too.
	_, link := invite(t, s, "new@example.com", octavo.RoleReader)
	if sent := box.link(t, "new@example.com"); sent != link {
		t.Errorf("sent is %s, want %s", sent, link)
	}
}

// Without a mail server there is no such form.
func TestNoForgottenPasswordWithoutMail(t *testing.T) {
	b := newBrowser(t, octavotest.Start(t, octavotest.Options{}))
	if page := b.get("/login").wants(t, 200, "Sign in"); contains(page.body, "orgotten") {
		t.Error("the sign-in page leads to a form that there is not")
	}
	b.get("/login/forgotten").wants(t, 404, "sends no links")
}
