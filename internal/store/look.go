package store

import (
	"context"
	"sync"
)

// looks lets any number who ask at the same time share one look at the
// database. Each is told what was found by a look that began after it asked,
// so that nothing committed before is passed over.
type looks struct {
	look  func() (end int64, err error)
	spawn func(work func()) error // runs work in a goroutine that the store waits for

	mu      sync.Mutex
	running bool
	next    *oneLook // of those who have asked since the running one began; may be nil
}

// oneLook is a look and, once done is closed, what it found.
type oneLook struct {
	done chan struct{}
	end  int64
	err  error
}

// share returns where the change log ends, as a look that it shares has found.
func (l *looks) share(ctx context.Context) (end int64, err error) {
	mine, err := l.join()
	if err != nil {
		return 0, err
	}
	select {
	case <-mine.done:
		return mine.end, mine.err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// join returns the look that begins next.
func (l *looks) join() (*oneLook, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.running {
		if err := l.spawn(l.work); err != nil {
			return nil, err
		}
		l.running = true
	}
	if l.next == nil {
		l.next = &oneLook{done: make(chan struct{})}
	}
	return l.next, nil
}

// work looks for as long as anybody asks.
func (l *looks) work() {
	for {
		l.mu.Lock()
		mine := l.next
		l.next = nil
		l.running = mine != nil
		l.mu.Unlock()
		if mine == nil {
			return
		}
		mine.end, mine.err = l.look()
		close(mine.done)
	}
}
