package authserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/oauth2"
)

// TestProviderInABrowser walks with Chromium from an application to an Octavo,
// on to another one, which that has people sign in with, and all the way back.
func TestProviderInABrowser(t *testing.T) {
	_, s := twoServers(t)
	returned := make(chan string, 1)
	application := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cb" {
			returned <- r.FormValue("code")
			fmt.Fprintln(w, "<!DOCTYPE html><title>x</title>Welcome to the application")
		}
	}))
	t.Cleanup(application.Close)
	addClient(t, s, "cli_web", false, application.URL+"/cb")
	config := oauth2.Config{
		ClientID: "cli_web", RedirectURL: application.URL + "/cb", ClientSecret: secretText, Scopes: []string{"openid"},
		Endpoint: oauth2.Endpoint{AuthURL: s.URL + "/oauth/authorize", TokenURL: s.URL + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader},
	}
	w := newWalk(t)
	verifier := oauth2.GenerateVerifier()
	begin := func(more ...oauth2.AuthCodeOption) {
		address := config.AuthCodeURL("state", append(more, oauth2.S256ChallengeOption(verifier))...)
		w.Do(chromedp.Navigate(address))
		w.page("login-provider", "Sign in with First Octavo")
		w.press("a.button")
	}
	begin()
	w.seen("E-mail address")
	w.fill("email", "ann@example.com", "password", password)
	w.press("button[type=submit]")
	w.seen("Allow access?") // at the provider
	w.press("button[value=allow]")
	w.seen("cli_web") // here
	w.press("button[value=allow]")
	w.seen("Welcome to the application")
	_, err := config.Exchange(t.Context(), <-returned, oauth2.VerifierOption(verifier))
	w.Must(err)

	// Both servers remember: one form at the provider leads through all of them.
	begin(oauth2.SetAuthURLParam("prompt", "login"))
	w.seen("E-mail address")
	w.fill("email", "ann@example.com", "password", password)
	w.press("button[type=submit]")
	w.seen("Welcome to the application")
}
