package authserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/oauth2"

	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// TestInABrowser walks with a real Chromium, whose scripts are off, from an
// application through sign-in and consent back to it, to the account and out
// again. It fails on an error on the console, which a violated
// Content-Security-Policy is as well, on a page that is wider than the window,
// on a field without a label, and on text with too little contrast. With
// OCTAVO_TEST_PICTURES set to a folder the screenshots are kept there.
func TestInABrowser(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{Mailer: make(postbox), NoStudio: true})
	link := s.SetupURL(t)
	returned := make(chan string, 1)
	application := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cb" {
			returned <- r.URL.Query().Get("code")
			fmt.Fprintln(w, "<!DOCTYPE html><title>x</title>Welcome to the application")
		}
	}))
	t.Cleanup(application.Close)
	addClient(t, s, "cli_app", true, "http://127.0.0.1/cb")

	w := newWalk(t)
	w.Do(chromedp.Navigate(link))
	w.page("setup", "first administrator")
	w.fill("name", "Ann Example", "email", "ann@example.com", "password", password)
	w.press("button[type=submit]")
	w.page("account-new", "Your account")
	w.press("button[name=confirm]")
	w.page("signed-out", "You are signed out")

	verifier := oauth2.GenerateVerifier()
	config := oauth2.Config{
		ClientID: "cli_app", RedirectURL: application.URL + "/cb", Endpoint: oauth2.Endpoint{AuthURL: s.URL + "/oauth/authorize"},
		Scopes: []string{"openid", "profile", "email", "offline_access", "pages:write", "admin"},
	}
	w.Do(chromedp.Navigate(config.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier))))
	w.page("login", "Password")
	w.fill("email", "ann@example.com", "password", "not the password")
	w.press("button[type=submit]")
	w.page("login-refused", "is wrong")
	w.fill("password", password)
	w.press("button[type=submit]")
	w.page("consent", "Allow access?")
	w.press("button[value=allow]")
	w.seen("Welcome to the application")
	config.Endpoint.TokenURL, config.Endpoint.AuthStyle = s.URL+"/oauth/token", oauth2.AuthStyleInParams
	_, err := config.Exchange(t.Context(), <-returned, oauth2.VerifierOption(verifier))
	w.Must(err)

	// One that is remembered: from the sign-in straight to the application,
	// which the policy of the sign-in has to permit.
	addClient(t, s, "cli_web", false, application.URL+"/cb")
	config.ClientID, config.ClientSecret, config.RedirectURL = "cli_web", secretText, application.URL+"/cb"
	begin := func(more ...oauth2.AuthCodeOption) {
		w.Do(chromedp.Navigate(config.AuthCodeURL("state", append(more, oauth2.S256ChallengeOption(verifier))...)))
	}
	begin()
	w.seen("Allow access?")
	w.press("button[value=allow]")
	w.seen("Welcome to the application")
	_, err = config.Exchange(t.Context(), <-returned, oauth2.VerifierOption(verifier))
	w.Must(err)
	begin(oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("login_hint", "ann@example.com"))
	w.seen("Password")
	w.fill("password", password)
	w.press("button[type=submit]")
	w.seen("Welcome to the application")
	<-returned

	other := newBrowser(t, s)
	other.login(other.get("/login"), "ann@example.com", password)
	w.Do(chromedp.Navigate(s.URL + "/account"))
	w.seen("Take back")
	w.page("account", "Another browser")
	w.press("form[action='/account/mail'] button")
	w.page("account-no-mail", "You are mailed nothing about proposals")
	w.fill("current", "not the password", "password", "another good password")
	w.press("form[action='/account/password'] button")
	w.page("account-refused", "The current password is wrong")
	w.Do(chromedp.Navigate(s.URL + "/oauth/logout"))
	w.page("sign-out", "Sign out?")
	w.press("button[name=confirm]")
	w.seen("You are signed out")
	w.Do(chromedp.Navigate(s.URL + "/account"))
	w.seen("Password")
	w.Do(chromedp.Navigate(s.URL + "/oauth/authorize?client_id=x"))
	w.page("error", "This sign-in cannot continue")
}

// walk is a way through pages in one tab, whose scripts are off.
type walk struct{ *chromium.Tab }

func newWalk(t *testing.T) walk {
	t.Helper()
	w := walk{chromium.Open(t, "http://127.0.0.1:", "responded with a status of 4")} // as a wrong password has
	w.Packages = "../site/sitetest"
	w.Scripts(false)
	return w
}

// seen waits until text is to be seen.
func (w walk) seen(text string) {
	w.Helper()
	w.Until("document.readyState === 'complete' && document.body.innerText.includes(" + strconv.Quote(text) + ")")
}

func (w walk) fill(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.Do(chromedp.SendKeys("#"+pairs[i], pairs[i+1]))
	}
}

func (w walk) press(button string) {
	w.Helper()
	w.Do(chromedp.Click(button))
}

// page looks at a page, narrow and wide, light and dark.
func (w walk) page(name, text string) {
	w.Helper()
	w.seen(text)
	w.Scripts(true) // those of axe
	w.Look(name, 390, 1280)
	w.Scripts(false)
}
