package sqldb

import (
	"context"
	"sync"
	"time"
)

// Looks lets those who ask at the same time share one look at the database,
// each for what its key names. Each is told what was found by a look that began
// after it asked, so that nothing committed before is passed over.
type Looks[K comparable, V any] struct {
	look  func(keys []K) (V, error)
	spawn func(work func()) error // runs work in a goroutine that the store waits for
	most  int                     // looks that run at once
	wait  time.Duration           // after which who asks is told to come again; 0 for none

	mu      sync.Mutex
	running int
	next    *oneLook[K, V] // of those who have asked since the last one began; may be nil
}

// SharedLooks is how many looks for readers run at once. With more of them fewer
// readers share one; with a single one nobody is answered while it hangs.
const SharedLooks = 2

// oneLook is a look and, once done is closed, what it found.
type oneLook[K comparable, V any] struct {
	keys  []K // each once
	asked map[K]bool
	done  chan struct{}
	found V
	err   error
}

func (l *Looks[K, V]) Start(look func([]K) (V, error), spawn func(func()) error, most int, wait time.Duration) {
	l.look, l.spawn, l.most, l.wait = look, spawn, most, wait
}

// Share returns what a look that it shares has found for all of its keys, key
// among them. Nobody may change it.
func (l *Looks[K, V]) Share(ctx context.Context, key K) (found V, err error) {
	mine, err := l.join(key)
	if err != nil {
		return found, err
	}
	if l.wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.wait)
		defer cancel()
	}
	select {
	case <-mine.done:
		return mine.found, mine.err
	case <-ctx.Done():
		return found, late(ctx, context.Cause(ctx))
	}
}

// join returns the look that begins next, with the key.
func (l *Looks[K, V]) join(key K) (*oneLook[K, V], error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		if l.running < l.most {
			if err := l.spawn(l.work); err != nil {
				return nil, err
			}
			l.running++
		}
		l.next = &oneLook[K, V]{asked: map[K]bool{}, done: make(chan struct{})}
	}
	if !l.next.asked[key] {
		l.next.asked[key] = true
		l.next.keys = append(l.next.keys, key)
	}
	return l.next, nil
}

// work looks for as long as anybody asks.
func (l *Looks[K, V]) work() {
	for {
		l.mu.Lock()
		mine := l.next
		l.next = nil
		if mine == nil {
			l.running--
		}
		l.mu.Unlock()
		if mine == nil {
			return
		}
		mine.found, mine.err = l.look(mine.keys)
		close(mine.done)
	}
}
