package sqldb

import (
	"context"
	"sync"
	"time"
)

// Looks lets concurrent callers share one look at the database, each for its
// own key. Each caller gets the result of a look that began after its call,
// so that nothing committed before is missed.
type Looks[K comparable, V any] struct {
	look  func(keys []K) (V, error)
	spawn func(work func()) error // runs work in a goroutine that the store waits for
	most  int                     // maximum of concurrent looks
	wait  time.Duration           // how long a caller waits before an error; 0 for no limit

	mu      sync.Mutex
	running int
	next    *oneLook[K, V] // for callers since the last one began; may be nil
}

// SharedLooks is the number of concurrent looks for readers. With more, fewer readers
// share one. With only one, nobody gets a result while it hangs.
const SharedLooks = 2

// oneLook is a look and, once done is closed, its result.
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

// Share returns the result of a shared look for all its keys, including key.
// The result must not be changed.
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

// join adds the key to the look that begins next.
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

// work runs looks while there are callers.
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
