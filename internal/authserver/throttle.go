package authserver

import (
	"net/netip"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// Limits of failed sign-ins: a burst, then one per interval. One address gets a few
// attempts per account. An account has more in total, so that a single attacker does not
// lock its owner out; an address has enough for an office behind one router.
const (
	guessBurst, guessInterval     = 10, time.Minute // at one account from one address
	accountBurst, accountInterval = 100, 10 * time.Second
	addressBurst, addressInterval = 50, 10 * time.Second
	maxThrottled                  = 100_000 // budgets that are remembered
)

// throttle bounds how fast passwords are guessed, by account and by address.
// It counts within one process, and an account that does not exist just as one
// that does.
type throttle struct {
	now func() time.Time

	mu   sync.Mutex
	full map[string]time.Time // when the whole number is permitted again
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, full: map[string]time.Time{}}
}

// budget is what one key has.
type budget struct {
	key      string
	burst    time.Duration // times interval
	interval time.Duration
}

// budgets are what a sign-in counts against; the first is for this account from
// this address alone. A name that is too long for any account is cut: what is
// remembered of strangers has a bound.
func budgets(account, address string) [3]budget {
	account, address = account[:min(len(account), octavo.MaxEmail)], network(address)
	return [3]budget{
		{"guess " + address + " " + account, guessBurst, guessInterval},
		{"account " + account, accountBurst, accountInterval},
		{"address " + address, addressBurst, addressInterval},
	}
}

// take counts a sign-in before its outcome is known, so that many at once are
// counted as well, and returns how long to wait where it is one too many.
func (t *throttle) take(account, address string) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if len(t.full) >= maxThrottled {
		t.forget(now)
	}
	list := budgets(account, address)
	for _, b := range list {
		if wait = t.after(b, now).Sub(now) - b.burst*b.interval; wait > 0 {
			return wait
		}
	}
	for _, b := range list {
		t.full[b.key] = t.after(b, now)
	}
	return 0
}

// after is when the whole of a budget is there again after one more try.
func (t *throttle) after(b budget, now time.Time) time.Time {
	full := t.full[b.key]
	if ahead := full.Sub(now); ahead < 0 || ahead > b.burst*b.interval { // the latter when the clock went back
		full = now
	}
	return full.Add(b.interval)
}

// succeeded takes back what take counted, and makes a fresh start for the
// account from this address. What was tried elsewhere stays counted.
func (t *throttle) succeeded(account, address string) {
	t.untried(account, address)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.full, budgets(account, address)[0].key)
}

// untried takes back what take counted, where nothing was tried after all.
func (t *throttle) untried(account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range budgets(account, address) {
		if full, counted := t.full[b.key]; counted {
			t.full[b.key] = full.Add(-b.interval)
		}
	}
}

// network is what an address counts as. One household or host has a whole /64
// of IPv6.
func network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil || !addr.Is6() {
		return address
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}

// forget drops full entries, and all entries if that is not enough.
func (t *throttle) forget(now time.Time) {
	for key, full := range t.full {
		if !now.Before(full) {
			delete(t.full, key)
		}
	}
	if len(t.full) >= maxThrottled {
		clear(t.full)
	}
}
