package authserver

import (
	"fmt"
	"testing"
	"time"
)

func TestThrottle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	th := newThrottle(func() time.Time { return now })
	for i := range accountBurst {
		if wait := th.take("ann", fmt.Sprint(i)); wait != 0 {
			t.Fatalf("try %d has to wait %s", i+1, wait)
		}
	}
	if wait := th.take("ann", "another address"); wait != accountInterval {
		t.Errorf("one try too many has to wait %s, want %s", wait, accountInterval)
	}
	if wait := th.take("bob", "another address"); wait != 0 {
		t.Errorf("another account has to wait %s", wait)
	}
	now = now.Add(accountInterval)
	if wait := th.take("ann", "x"); wait != 0 {
		t.Errorf("after the wait there is another of %s", wait)
	}
	if th.take("ann", "x") == 0 {
		t.Error("and then a second try is permitted at once")
	}
	// The right password makes a fresh start.
	th.succeeded("ann", "x")
	for i := range accountBurst {
		if wait := th.take("ann", "x"); wait != 0 {
			t.Errorf("try %d after a success has to wait %s", i+1, wait)
		}
	}
	// One address, many accounts: as many as an office has, and no more.
	tried := 0
	for i := range 1000 {
		if th.take(fmt.Sprint("account ", i), "one address") == 0 {
			tried++
		}
	}
	if tried != addressBurst {
		t.Errorf("one address tries %d accounts at once, want %d", tried, addressBurst)
	}
	// A network of IPv6 is one address.
	for i := range 1000 {
		if th.take(fmt.Sprint("other ", i), fmt.Sprintf("2001:db8::%x", i)) == 0 {
			tried++
		}
	}
	if tried != 2*addressBurst {
		t.Errorf("one network tries %d accounts at once, want %d", tried-addressBurst, addressBurst)
	}
	// What is remembered is bounded.
	for i := range maxThrottled {
		th.take(fmt.Sprint("a", i), fmt.Sprint("b", i))
	}
	if n := len(th.full); n > maxThrottled+2 {
		t.Errorf("%d are remembered, want at most %d", n, maxThrottled)
	}
}
