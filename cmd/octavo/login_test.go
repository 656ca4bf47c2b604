package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestLogin signs in at the terminal as a person does: with a browser the
// first time, without one the second.
func TestLogin(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	s := octavotest.Start(t, octavotest.Options{})
	hash, err := authserver.HashPassword(rand.Reader, authserver.Cost{Memory: 64, Passes: 1}, "correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	ann := octavo.User{ID: "usr_ann", Email: "ann@example.com", Name: "Ann", Role: octavo.RoleReader}
	if err := s.Store.AddUser(t.Context(), store.Cause{}, store.User{User: ann, Password: hash}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	token := func() string {
		var out strings.Builder
		told, stderr := io.Pipe()
		walked := make(chan struct{})
		go func() {
			defer close(walked)
			for lines := bufio.NewScanner(told); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), "http") {
					allowAccess(t, lines.Text())
				}
			}
		}()
		if code := Run(ctx, []string{"login", "--url", s.URL}, strings.NewReader(""), &out, stderr); code != exitDone {
			t.Fatalf("octavo login ends with %d", code)
		}
		if err := stderr.Close(); err != nil {
			t.Fatal(err)
		}
		<-walked
		return strings.TrimSpace(out.String())
	}
	first := token()
	principal, err := s.Auth.Verify(t.Context(), auth.Credential{Kind: auth.Bearer, Secret: first})
	if err != nil || principal.ID != "usr_ann" || principal.Scopes != octavo.ScopeRead || principal.Client != "cli_octavo" {
		t.Errorf("the token speaks for %+v (%v), want Ann, who may read", principal, err)
	}
	kept := filepath.Join(config, "octavo", "logins.json")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: have %v, %v, want mode 0600", kept, info, err)
	}
	before, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if second := token(); second == first || second == "" {
		t.Errorf("a second octavo login prints %q, want another token", second)
	}
	after, err := os.ReadFile(kept)
	if err != nil || string(after) == string(before) {
		t.Errorf("the refresh token that is kept did not change (%v)", err)
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
