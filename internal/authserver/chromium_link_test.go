package authserver_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestLinksInABrowser walks with Chromium from an invitation to the account, and
// from a forgotten password by a message to another one.
func TestLinksInABrowser(t *testing.T) {
	box := make(postbox)
	s := octavotest.Start(t, octavotest.Options{Mailer: box, NoStudio: true})
	addUser(t, s, "root@example.com", octavo.RoleAdmin)
	_, link := invite(t, s, "new@example.com", octavo.RoleEditor)
	box.link(t, "new@example.com")
	w := newWalk(t)
	w.Do(chromedp.Navigate(link))
	w.page("invitation", "Welcome, New One")
	w.fill("password", "elevenchars")
	w.Do(chromedp.SetAttributeValue("#password", "minlength", "1"))
	w.press("button[type=submit]")
	w.page("invitation-refused", "at least 12 characters")
	w.fill("password", password)
	w.press("button[type=submit]")
	w.seen("Your account")
	w.press("button[name=confirm]")
	w.seen("You are signed out")
	w.Do(chromedp.Navigate(link))
	w.page("link-used", "This link is not valid")

	w.Do(chromedp.Navigate(s.URL + "/login"))
	w.page("login-forgotten", "Forgotten your password?")
	w.press("a[href='/login/forgotten']")
	w.page("forgotten", "Forgotten password")
	w.fill("email", "new@example.com")
	w.press("button[type=submit]")
	w.page("forgotten-sent", "Look at your mail")
	w.Do(chromedp.Navigate(box.link(t, "new@example.com")))
	w.page("new-password", "Set a new password")
	w.fill("password", "another good password")
	w.press("button[type=submit]")
	w.seen("Your account")
}
