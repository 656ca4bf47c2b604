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
	maxThrottled                  = 100_000 // maximum number of budgets in memory
)

// throttle limits the rate of guessing passwords, by account and by address. It counts in
// one process, and counts unknown accounts like known ones.
type throttle struct {
	now func() time.Time

	mu   sync.Mutex
	full map[string]time.Time // when the whole budget is available again
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, full: map[string]time.Time{}}
}

// budget is the limit of one key.
type budget struct {
	key      string
	burst    time.Duration // times interval
	interval time.Duration
}

// budgets returns the limits of a sign-in; the first is for this account from this
// address. It truncates overlong account names, to limit memory.
func budgets(account, address string) [3]budget {
	account, address = account[:min(len(account), octavo.MaxEmail)], network(address)
	return [3]budget{
		{"guess " + address + " " + account, guessBurst, guessInterval},
		{"account " + account, accountBurst, accountInterval},
		{"address " + address, addressBurst, addressInterval},
	}
}

// take counts a sign-in before its outcome is known, so that concurrent ones count too. It
// returns how long to wait if the limit is exceeded.
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

// after returns when the whole budget is available again after one more attempt.
func (t *throttle) after(b budget, now time.Time) time.Time {
	full := t.full[b.key]
	if ahead := full.Sub(now); ahead < 0 || ahead > b.burst*b.interval { // more after the clock was set back
		full = now
	}
	return full.Add(b.interval)
}

// succeeded undoes take, and resets the budget of the account from this address. Attempts
// from elsewhere still count.
func (t *throttle) succeeded(account, address string) {
	t.untried(account, address)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.full, budgets(account, address)[0].key)
}

// untried undoes take if no password was checked.
func (t *throttle) untried(account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range budgets(account, address) {
		if full, counted := t.full[b.key]; counted {
			t.full[b.key] = full.Add(-b.interval)
		}
	}
}

// network returns the key of an address. A household or host has a whole IPv6 /64.
func network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil || !addr.Is6() {
		return address
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}

// forget removes full budgets, and all if that is not enough.
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
