package auth

import (
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// cacheSize bounds the credentials that are remembered; an entry takes about
// 300 bytes.
const cacheSize = 8192

// verified is what is remembered of a credential.
type verified struct {
	principal octavo.Principal
	token     bool      // else a key
	expires   time.Time // when the credential does; zero is never
	checked   time.Time
	recheck   time.Duration // after which it is verified anew; zero is when it expires
	revoked   int64         // Keys.revoked before the key was read
}

// over reports whether v is to be trusted no longer: nor is it where the clock
// was set back since it was checked.
func (v *verified) over(now time.Time) bool {
	age := now.Sub(v.checked)
	return !v.expires.IsZero() && !now.Before(v.expires) || v.recheck > 0 && (age < 0 || age >= v.recheck)
}

// cache remembers verified credentials by the SHA-256 of their text. Only
// valid ones enter it, so that nobody can fill it with guesses.
type cache struct {
	mu      sync.RWMutex
	entries map[[32]byte]*verified
}

func newCache() *cache { return &cache{entries: map[[32]byte]*verified{}} }

func (c *cache) get(hash [32]byte) *verified {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.entries[hash]
}

// put adds an entry. When the cache is full, one that is out of date gives
// way where a few tries find one, else any other.
func (c *cache) put(hash [32]byte, v *verified, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.entries[hash]; !known && len(c.entries) >= cacheSize {
		var victim [32]byte
		tries := 0
		for candidate, e := range c.entries { // in random order
			victim = candidate
			if tries++; tries == 8 || e.over(now) {
				break
			}
		}
		delete(c.entries, victim)
	}
	c.entries[hash] = v
}

// drop removes an entry. That most credentials it is called for have none is
// worth a look before the lock that stops everybody.
func (c *cache) drop(hash [32]byte) {
	if c.get(hash) == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, hash)
}
