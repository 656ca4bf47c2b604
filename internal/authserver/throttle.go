package authserver

import (
	"net/netip"
	"sync"
	"time"
)

// Failed sign-ins that are permitted: a number at once, then one in each
// interval. An account has room for a person who forgot, an address for an
// office behind one router.
const (
	accountBurst, accountInterval = 10, time.Minute
	addressBurst, addressInterval = 50, 10 * time.Second
	maxThrottled                  = 100_000 // accounts and addresses that are remembered
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

// take counts a sign-in before its outcome is known, so that many at once are
// counted as well, and returns how long to wait where it is one too many.
func (t *throttle) take(account, address string) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	if len(t.full) >= maxThrottled {
		t.forget(now)
	}
	account, address = "account "+account, "address "+network(address)
	next := t.after(account, now, accountInterval)
	if wait = next.Sub(now) - accountBurst*accountInterval; wait > 0 {
		return wait
	}
	other := t.after(address, now, addressInterval)
	if wait = other.Sub(now) - addressBurst*addressInterval; wait > 0 {
		return wait
	}
	t.full[account], t.full[address] = next, other
	return 0
}

func (t *throttle) after(key string, now time.Time, interval time.Duration) time.Time {
	full := t.full[key]
	if full.Before(now) {
		full = now
	}
	return full.Add(interval)
}

// succeeded takes back what take counted.
func (t *throttle) succeeded(account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.full, "account "+account)
	address = "address " + network(address)
	t.full[address] = t.full[address].Add(-addressInterval)
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

// forget drops those for whom nothing is left to remember, and everything when
// that is not enough.
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
