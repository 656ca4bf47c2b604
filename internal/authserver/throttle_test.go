package authserver

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
)

// tries counts how many of n sign-ins are let through.
func (t *throttle) tries(n int, names func(i int) (account, address string)) (let int) {
	for i := range n {
		if t.take(names(i)) == 0 {
			let++
		}
	}
	return let
}

func TestThrottle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	th := newThrottle(func() time.Time { return now })
	ann := func(int) (string, string) { return "ann", "192.0.2.1" }
	if let := th.tries(1000, ann); let != guessBurst {
		t.Errorf("one address tries %d passwords of one account at once, want %d", let, guessBurst)
	}
	if wait := th.take("ann", "192.0.2.1"); wait != guessInterval {
		t.Errorf("one try too many has to wait %s, want %s", wait, guessInterval)
	}
	if wait := th.take("bob", "192.0.2.1"); wait != 0 {
		t.Errorf("another account has to wait %s", wait)
	}
	now = now.Add(guessInterval)
	if let := th.tries(5, ann); let != 1 {
		t.Errorf("after the wait %d tries are let through, want one", let)
	}
	// Guessing from one address never locks the owner out at another.
	for range 24 * 60 {
		now = now.Add(guessInterval)
		th.tries(10, ann)
	}
	if wait := th.take("ann", "198.51.100.7"); wait != 0 {
		t.Errorf("after a day of guesses from elsewhere the owner has to wait %s", wait)
	}
	// The right password makes a fresh start where it was given.
	th.tries(20, ann)
	th.succeeded("ann", "192.0.2.1")
	if let := th.tries(20, ann); let != guessBurst {
		t.Errorf("after a success %d tries are let through, want %d", let, guessBurst)
	}
	// Many addresses together have what the account has.
	let := th.tries(1000, func(i int) (string, string) { return "eve", fmt.Sprint("host ", i) })
	if let != accountBurst {
		t.Errorf("many addresses try %d passwords of one account at once, want %d", let, accountBurst)
	}
	// One address, many accounts: as many as an office has, and no more. A
	// network of IPv6 is one address.
	for name, address := range map[string]func(i int) string{
		"one address": func(int) string { return "203.0.113.5" },
		"one network": func(i int) string { return fmt.Sprintf("2001:db8::%x", i) },
	} {
		let := th.tries(1000, func(i int) (string, string) { return fmt.Sprint("account ", i), address(i) })
		if let != addressBurst {
			t.Errorf("%s tries %d accounts at once, want %d", name, let, addressBurst)
		}
	}
}

// What strangers can have remembered is bounded, in number and in bytes.
func TestThrottleMemory(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	th := newThrottle(func() time.Time { return now })
	th.tries(maxThrottled, func(i int) (string, string) { return fmt.Sprint("a", i), fmt.Sprint("b", i) })
	if n := len(th.full); n > maxThrottled+3 {
		t.Errorf("%d are remembered, want at most %d", n, maxThrottled)
	}
	th.take(strings.Repeat("x", 64<<10), "192.0.2.1")
	for key := range th.full {
		if len(key) > 512 {
			t.Errorf("a key of %d bytes is remembered", len(key))
		}
	}
}

// An attempt that is refused because of load does not count, and undoing it leaves the
// earlier failures of the account counted.
func TestBusyKeepsFailures(t *testing.T) {
	t.Parallel()
	env := testEnv()
	passwords, err := newPasswords(env, Cost{Memory: 64, Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{
		Options:  Options{Env: env, Address: func(*http.Request) string { return "192.0.2.1" }, Refusals: auth.NewRefusals(env, nil, nil)},
		throttle: newThrottle(func() time.Time { return time.Unix(1e9, 0) }), passwords: passwords,
	}
	for range guessBurst - 1 {
		s.throttle.take("ann@example.com", "192.0.2.1")
	}
	for range cap(passwords.queue) {
		passwords.queue <- struct{}{}
	}
	for range 50 {
		v := &visit{Request: httptest.NewRequest(http.MethodPost, "/login", nil), w: httptest.NewRecorder()}
		_, err := s.checkPassword(v, "ann@example.com", func() (accounts.User, error) { return accounts.User{}, nil }, rand.Text())
		var refused *pageError
		if !errors.As(err, &refused) || !strings.Contains(refused.text, "Many people are signing in") {
			t.Fatalf("with a full queue: have %v, want that it is busy", err)
		}
	}
	let := s.throttle.tries(50, func(int) (string, string) { return octavo.NormalEmail("Ann@example.com"), "192.0.2.1" })
	if let != 1 {
		t.Errorf("after %d failures and 50 sign-ins that were turned away, %d more tries are let through, want 1", guessBurst-1, let)
	}
}
