package auth

import (
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// cacheSize is the number of cached credentials. An entry takes about 300 bytes.
const cacheSize = 8192

// verified is a cached credential.
type verified struct {
	principal octavo.Principal
	token     bool      // false for a key
	expires   time.Time // of the credential; zero means never
	checked   time.Time
	recheck   time.Duration // age at which it is verified again; zero means when it expires
	revoked   int64         // value of Keys.revoked before the key was read
}

// over reports whether v must be verified again. It must be after the clock was set back.
func (v *verified) over(now time.Time) bool {
	age := now.Sub(v.checked)
	return !v.expires.IsZero() && !now.Before(v.expires) || v.recheck > 0 && (age < 0 || age >= v.recheck)
}

// cache caches credentials by the SHA-256 of their text. It only contains valid ones, so
// guesses cannot fill it.
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

// put adds an entry. A full cache evicts an outdated entry if it finds one in a few tries,
// otherwise any.
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

// drop removes an entry. Most credentials have none, so it first checks that under the
// shared read lock.
func (c *cache) drop(hash [32]byte) {
	if c.get(hash) == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, hash)
}
