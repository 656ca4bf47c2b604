package site

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"
)

// Cache keeps rendered pages, compressed, for further sites. It is safe for concurrent use.
//
// Keys are hashes of all input, and an entry is only used if each of its links and images still resolves
// to the same address. So it is never stale, and a site without a page finds nothing of that
// page. The output does not depend on the cache.
type Cache struct {
	limit int
	life  time.Duration
	now   func() time.Time

	mu    sync.Mutex
	kept  map[cacheKey]*list.Element
	order list.List // of *keptValue, most recently used first
	size  int
}

type cacheKey struct {
	page bool // a page, else a piece by its text
	sum  [sha256.Size]byte
}

type keptValue struct {
	key   cacheKey
	value any // a piece or a *made
	size  int
	used  time.Time
}

const (
	// keptOverhead is the estimated overhead of an entry in bytes.
	keptOverhead = 300
	// settled is the age at which an entry may be evicted. Otherwise sites larger than the limit would evict
	// exactly what they need next.
	settled = 10 * time.Minute
)

// NewCache returns a cache of at most limit bytes. Entries expire if unused for life.
func NewCache(limit int, life time.Duration, now func() time.Time) *Cache {
	return &Cache{limit: limit, life: life, now: now, kept: map[cacheKey]*list.Element{}}
}

// Tidy removes expired entries.
func (c *Cache) Tidy() {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.now().Add(-c.life)
	for last := c.order.Back(); last != nil && last.Value.(*keptValue).used.Before(before); last = c.order.Back() {
		c.drop(last)
	}
}

// Size returns the bytes in use.
func (c *Cache) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

// get returns the value of a key, or nil. A nil cache is empty.
func (c *Cache) get(key cacheKey) any {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.kept[key]
	if e == nil {
		return nil
	}
	v := e.Value.(*keptValue)
	v.used = c.now()
	c.order.MoveToFront(e)
	return v.value
}

// put adds a value of a size in bytes, if it fits.
func (c *Cache) put(key cacheKey, value any, size int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.kept[key]; old != nil {
		c.drop(old)
	}
	now := c.now()
	size += keptOverhead
	for c.size+size > c.limit {
		last := c.order.Back()
		if last == nil || now.Sub(last.Value.(*keptValue).used) < settled {
			return
		}
		c.drop(last)
	}
	c.kept[key] = c.order.PushFront(&keptValue{key, value, size, now})
	c.size += size
}

func (c *Cache) drop(e *list.Element) {
	v := c.order.Remove(e).(*keptValue)
	delete(c.kept, v.key)
	c.size -= v.size
}
