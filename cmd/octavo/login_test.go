package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// terminal is where somebody signs in, with a browser if need be.
type terminal struct {
	*testing.T
	server *octavotest.Server
}

// newTerminal is one at whose server Ann has an account.
func newTerminal(t *testing.T, role octavo.Role) *terminal {
	t.Helper()
	return newTerminalAt(t, role, octavotest.Options{})
}

func newTerminalAt(t *testing.T, role octavo.Role, o octavotest.Options) *terminal {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := octavotest.Start(t, o)
	hash, err := authserver.HashPassword(rand.Reader, authserver.Cost{Memory: 64, Passes: 1}, "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	ann := octavo.User{ID: "usr_ann", Email: "ann@example.com", Name: "Ann", Role: role}
	if err := s.Store.Accounts.Users.Add(t.Context(), sqldb.Cause{}, accounts.User{User: ann, Password: hash}); err != nil {
		t.Fatal(err)
	}
	return &terminal{t, s}
}

// login runs octavo login, and returns what it prints, what it tells and how it
// ends. walk is what the person does with the address that is shown.
func (t *terminal) login(walk func(address string), args ...string) (token, told string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, all strings.Builder
	lines, stderr := io.Pipe()
	walked := make(chan struct{})
	go func() {
		defer close(walked)
		for line := bufio.NewScanner(lines); line.Scan(); {
			all.WriteString(line.Text() + "\n")
			if strings.HasPrefix(line.Text(), "http") {
				walk(line.Text())
			}
		}
	}()
	code = Run(ctx, append([]string{"login"}, args...), strings.NewReader(""), &out, stderr)
	if err := stderr.Close(); err != nil {
		t.Error(err)
	}
	<-walked
	return strings.TrimSpace(out.String()), all.String(), code
}

// token is login that must print one.
func (t *terminal) token(walk func(address string), args ...string) string {
	t.Helper()
	token, told, code := t.login(walk, append([]string{"--url", t.server.URL}, args...)...)
	if code != exitDone || token == "" {
		t.Fatalf("octavo login %q ends with %d and prints %q\n%s", args, code, token, told)
	}
	return token
}

func (t *terminal) speaksFor(token string) octavo.Principal {
	t.Helper()
	p, err := t.server.Auth.Verify(t.Context(), auth.Credential{Kind: auth.Bearer, Secret: token})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// nobody fails the test when a browser is asked for.
func (t *terminal) nobody(address string) { t.Errorf("a browser is asked for, at %s", address) }

// TestLogin signs in at the terminal as a person does: with a browser the
// first time, without one the second.
func TestLogin(t *testing.T) {
	at := newTerminal(t, octavo.RoleReader)
	allow := func(address string) { allowAccess(t, address) }
	first := at.token(allow)
	if p := at.speaksFor(first); p.ID != "usr_ann" || p.Scopes != octavo.ScopeRead || p.Client != "cli_octavo" {
		t.Errorf("the token speaks for %+v, want Ann, who may read", p)
	}
	kept := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "octavo", "logins.json")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: have %v, %v, want mode 0600", kept, info, err)
	}
	before, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if second := at.token(at.nobody); second == first {
		t.Errorf("a second octavo login prints %q, want another token", second)
	}
	after, err := os.ReadFile(kept)
	if err != nil || string(after) == string(before) {
		t.Errorf("the refresh token that is kept did not change (%v)", err)
	}
}

// A token has the scopes that were asked for now, whatever was asked for
// before, and each set of them is kept.
func TestLoginScopes(t *testing.T) {
	at := newTerminal(t, octavo.RoleAdmin)
	allow := func(address string) { allowAccess(t, address) }
	for _, walk := range []func(string){allow, at.nobody} {
		for scopes, want := range map[string]octavo.Scopes{"admin": octavo.ScopeAdmin, "pages:read": octavo.ScopeRead, "pages:write": octavo.ScopeWrite} {
			if have := at.speaksFor(at.token(walk, "--scopes", scopes)).Scopes; have != want {
				t.Errorf("octavo login --scopes %s: the token has %s", scopes, have)
			}
		}
	}
}

// Several at once, as in a parallel build, use one refresh token after another.
func TestLoginsAtOnce(t *testing.T) {
	at := newTerminal(t, octavo.RoleReader)
	at.token(func(address string) { allowAccess(t, address) })
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			token, told, code := at.login(at.nobody, "--url", at.server.URL)
			if code != exitDone || token == "" {
				t.Errorf("ends with %d and prints %q\n%s", code, token, told)
			}
		})
	}
	group.Wait()
	at.token(at.nobody)
}

// A server that fails, or has too much to do, costs nobody the sign-in that was
// kept.
func TestLoginWithFailingServer(t *testing.T) {
	var fails atomic.Pointer[string]
	at := newTerminalAt(t, octavo.RoleReader, octavotest.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := fails.Load()
			if answer == nil || r.URL.Path != "/oauth/token" {
				next.ServeHTTP(w, r)
				return
			}
			status, text, _ := strings.Cut(*answer, " ")
			code, _ := strconv.Atoi(status)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			fmt.Fprint(w, text)
		})
	}})
	at.token(func(address string) { allowAccess(t, address) })
	for _, answer := range []string{
		`500 {"error": "server_error", "error_description": "The server failed."}`,
		`503 {"error": "temporarily_unavailable"}`,
		`429 {"error": "slow_down"}`,
		`502 <html>`,
	} {
		fails.Store(&answer)
		if token, told, code := at.login(at.nobody, "--url", at.server.URL); code != exitFailed || token != "" {
			t.Errorf("%s: ends with %d and prints %q\n%s", answer, code, token, told)
		}
	}
	fails.Store(nil)
	at.token(at.nobody)
}

// A server that sends people to sign in at another one gets no token for that.
func TestLoginForOneServer(t *testing.T) {
	at := newTerminal(t, octavo.RoleAdmin)
	evil := func(resource string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"resource": %q, "authorization_servers": [%q]}`, cmp.Or(resource, "http://"+r.Host), at.server.URL)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	token, told, code := at.login(at.nobody, "--url", evil(at.server.URL))
	if code != exitFailed || token != "" || !strings.Contains(told, at.server.URL) {
		t.Errorf("a server that says it is another: ends with %d, prints %q\n%s", code, token, told)
	}
	token, told, code = at.login(func(address string) {
		response, err := http.Get(address)
		if err != nil {
			t.Error(err)
			return
		}
		_ = response.Body.Close()
	}, "--url", evil(""))
	if code != exitFailed || token != "" || !strings.Contains(told, "invalid_target") {
		t.Errorf("a server that sends people elsewhere: ends with %d, prints %q\n%s", code, token, told)
	}
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// allowAccess does in a browser what a person does: sign in, then consent.
func allowAccess(t *testing.T, address string) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Error(err)
		return
	}
	browser := &http.Client{Jar: jar, Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := browser.Get(address)
	for _, step := range []url.Values{
		{"email": {"ann@example.com"}, "password": {"correct horse battery"}},
		{"decision": {"allow"}},
	} {
		if err != nil {
			t.Error(err)
			return
		}
		page, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		for _, field := range hidden.FindAllStringSubmatch(string(page), -1) {
			step.Set(field[1], strings.NewReplacer("&amp;", "&", "&#43;", "+").Replace(field[2]))
		}
		action := *response.Request.URL
		action.RawQuery = ""
		response, err = browser.PostForm(action.String(), step)
	}
	if err != nil {
		t.Error(err)
		return
	}
	page, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(page), "You are signed in.") {
		t.Errorf("the browser ends at %s with %s (%v)", response.Request.URL, page, err)
	}
	_ = response.Body.Close()
}
