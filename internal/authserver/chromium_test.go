package authserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
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
	allocator := chromium.Allocator(t)
	s := octavotest.Start(t, octavotest.Options{})
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

	w := newWalk(t, allocator)
	tab := w.tab
	w.must(chromedp.Do(tab, chromedp.Navigate(link)))
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
	w.must(chromedp.Do(tab, chromedp.Navigate(config.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier)))))
	w.page("login", "Password")
	w.fill("email", "ann@example.com", "password", "not the password")
	w.press("button[type=submit]")
	w.page("login-refused", "is not right")
	w.fill("password", password)
	w.press("button[type=submit]")
	w.page("consent", "Allow access?")
	w.press("button[value=allow]")
	w.seen("Welcome to the application")
	config.Endpoint.TokenURL, config.Endpoint.AuthStyle = s.URL+"/oauth/token", oauth2.AuthStyleInParams
	_, err := config.Exchange(t.Context(), <-returned, oauth2.VerifierOption(verifier))
	w.must(err)

	// One that is remembered: from the sign-in straight to the application,
	// which the policy of the sign-in has to permit.
	addClient(t, s, "cli_web", false, application.URL+"/cb")
	config.ClientID, config.ClientSecret, config.RedirectURL = "cli_web", secretText, application.URL+"/cb"
	begin := func(more ...oauth2.AuthCodeOption) {
		w.must(chromedp.Do(tab, chromedp.Navigate(config.AuthCodeURL("state", append(more, oauth2.S256ChallengeOption(verifier))...))))
	}
	begin()
	w.seen("Allow access?")
	w.press("button[value=allow]")
	w.seen("Welcome to the application")
	_, err = config.Exchange(t.Context(), <-returned, oauth2.VerifierOption(verifier))
	w.must(err)
	begin(oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("login_hint", "ann@example.com"))
	w.seen("Password")
	w.fill("password", password)
	w.press("button[type=submit]")
	w.seen("Welcome to the application")
	<-returned

	other := newBrowser(t, s)
	other.login(other.get("/login"), "ann@example.com", password)
	w.must(chromedp.Do(tab, chromedp.Navigate(s.URL+"/account")))
	w.seen("Take back")
	w.page("account", "Another browser")
	w.fill("current", "not the password", "password", "another good password")
	w.press("form[action='/account/password'] button")
	w.page("account-refused", "The present password is not right")
	w.must(chromedp.Do(tab, chromedp.Navigate(s.URL+"/oauth/logout")))
	w.page("sign-out", "Sign out?")
	w.press("button[name=confirm]")
	w.seen("You are signed out")
	w.must(chromedp.Do(tab, chromedp.Navigate(s.URL+"/account")))
	w.seen("Password")
	w.must(chromedp.Do(tab, chromedp.Navigate(s.URL+"/oauth/authorize?client_id=x")))
	w.page("error", "This sign-in cannot go on")
	for _, fault := range w.faults {
		t.Error(fault)
	}
}

// walk is a way through pages in one tab.
type walk struct {
	*testing.T
	tab      context.Context
	pictures string
	mu       sync.Mutex
	faults   []string
}

// newWalk opens a tab whose scripts are off, and notes what its console says.
func newWalk(t *testing.T, allocator context.Context) *walk {
	t.Helper()
	tab, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	tab, cancel := context.WithTimeout(tab, 6*time.Minute)
	t.Cleanup(cancel)
	w := &walk{T: t, tab: tab, pictures: os.Getenv("OCTAVO_TEST_PICTURES")}
	if w.pictures == "" {
		w.pictures = t.TempDir()
	}
	w.must(chromedp.Listen(tab, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && e.Entry.Level == log.EntryLevelError &&
			!strings.Contains(e.Entry.Text, "responded with a status of 4") { // as a wrong password has
			w.note(e.Entry.Text + " " + e.Entry.URL)
		}
	}))
	_, err := chromedp.Call(tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	w.must(err)
	return w
}

func (w *walk) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *walk) note(fault string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fault)
}

// seen waits until text is to be seen.
func (w *walk) seen(text string) {
	w.Helper()
	deadline, cancel := context.WithTimeout(w.tab, 30*time.Second)
	defer cancel()
	for {
		ok, err := chromedp.Run(deadline, chromedp.Evaluate[bool]("document.readyState === 'complete' && document.body.innerText.includes("+strconv.Quote(text)+")"))
		if err == nil && ok {
			return
		}
		if deadline.Err() != nil {
			body, _ := chromedp.Run(w.tab, chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText"))
			w.Fatalf("%q is not to be seen: %v\n%s", text, err, body)
		}
	}
}

func (w *walk) fill(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.must(chromedp.Do(w.tab, chromedp.SendKeys("#"+pairs[i], pairs[i+1])))
	}
}

func (w *walk) press(button string) {
	w.Helper()
	w.must(chromedp.Do(w.tab, chromedp.Click(button)))
}

// unreadable lists fields that nothing labels, and text with less contrast to
// its ground than WCAG asks for, which is 4.5:1.
const unreadable = `(() => {
	const faults = [...document.querySelectorAll('input:not([type=hidden])')].filter(f => !f.labels.length).map(f => 'no label: ' + f.name);
	const rgb = c => c.match(/[\d.]+/g).map(Number);
	const light = c => { const [r, g, b] = rgb(c).slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if ((rgb(c)[3] ?? 1) > 0) return c; } return 'rgb(255, 255, 255)'; };
	for (const e of document.querySelectorAll('body *')) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
		if ((a + .05) / (b + .05) < 4.5) faults.push('contrast ' + ((a + .05) / (b + .05)).toFixed(2) + ': ' + e.textContent.trim().slice(0, 40));
	}
	return faults.join('; ');
})()`

// page looks at a page, narrow and wide, light and dark.
func (w *walk) page(name, text string) {
	w.Helper()
	w.seen(text)
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		_, err := chromedp.Call(w.tab, emulation.SetEmulatedMedia, media)
		w.must(err)
		for _, width := range []int64{390, 1280} {
			w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(width, 900)))
			over, err := chromedp.Run(w.tab, chromedp.Evaluate[int]("document.documentElement.scrollWidth - innerWidth"))
			w.must(err)
			height, err := chromedp.Run(w.tab, chromedp.Evaluate[int64]("document.documentElement.scrollHeight"))
			w.must(err)
			w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(width, height))) // the picture has all of it
			if over > 0 {
				w.Errorf("%s: is %d pixels wider than the window of %d", name, over, width)
			}
			picture, err := chromedp.Run(w.tab, chromedp.CaptureScreenshot())
			w.must(err)
			file := filepath.Join(w.pictures, fmt.Sprintf("%s-%s-%d.png", name, scheme, width))
			w.must(os.WriteFile(file, picture, 0o600))
		}
		faults, err := chromedp.Run(w.tab, chromedp.Evaluate[string](unreadable))
		if err != nil || faults != "" {
			w.Errorf("%s, %s: %s (%v)", name, scheme, faults, err)
		}
	}
}
