package site

import (
	"container/list"
	"crypto/sha256"
	"sync"
	"time"
)

// Cache keeps what pages became, compressed, for the next site that has them.
// It is safe for use by many sites at a time.
//
// What it keeps is found by a hash of everything that it was made of, and used
// only where each link and image that was asked for still leads to the same
// place. So it is never wrong, whatever changed since, and a site that lacks a
// page finds nothing of it. It decides about speed alone: with it and without,
// a book gives the same bytes.
type Cache struct {
	limit int
	life  time.Duration
	now   func() time.Time

	mu    sync.Mutex
	kept  map[cacheKey]*list.Element
	order list.List // of *keptValue, what was used last in front
	size  int
}

// cacheKey names what is kept.
type cacheKey struct {
	page bool // else a piece by its text
	sum  [sha256.Size]byte
}

// keptValue is one thing that is kept.
type keptValue struct {
	key   cacheKey
	value any // a piece or a *made
	size  int
	used  time.Time
}

const (
	// keptOverhead is what keeping something takes beside its own bytes.
	keptOverhead = 300
	// settled is how long ago something was used that gives way to what is new.
	// Else sites that are larger than the limit would, one after the other, throw
	// out just what they need next.
	settled = 10 * time.Minute
)

// NewCache returns a cache of so many bytes at most, for what is used again
// within a lifetime.
func NewCache(limit int, life time.Duration, now func() time.Time) *Cache {
	return &Cache{limit: limit, life: life, now: now, kept: map[cacheKey]*list.Element{}}
}

// Tidy forgets what was not used for the lifetime.
func (c *Cache) Tidy() {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.now().Add(-c.life)
	for last := c.order.Back(); last != nil && last.Value.(*keptValue).used.Before(before); last = c.order.Back() {
		c.drop(last)
	}
}

// Size returns how many bytes are taken.
func (c *Cache) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}

// get returns what is kept under a key, nil for nothing. A nil cache keeps
// nothing.
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

// put keeps something that takes so many bytes, if there is room.
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
