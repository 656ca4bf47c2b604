package store

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

const (
	// pollInterval is how often the end of the change log is looked for when
	// nothing tells that it moved: how late a lost wake can make a follower.
	pollInterval = 250 * time.Millisecond
	// lookRest is the least time between two looks, so that a flood of commits
	// is not followed by one of looks.
	lookRest = 5 * time.Millisecond
	// lookTimeout bounds what one look, or one reading of changes, waits for a
	// database that has gone quiet.
	lookTimeout = 10 * time.Second
	// listenRest is the wait before a lost connection to hear other processes
	// is made again.
	listenRest = time.Second
)

// tail knows where the change log ends and wakes who waits for more of it. It
// looks after each commit of this process, when another process tells of one
// and, while somebody follows, every pollInterval.
type tail struct {
	db    database
	log   *slog.Logger
	ctx   context.Context // ends with the store
	stop  context.CancelCauseFunc
	group sync.WaitGroup // what the tail runs, and all who follow
	wake  chan struct{}

	mu        sync.Mutex
	last      int64         // the newest position known
	more      chan struct{} // closed when last changes
	following map[*Follower]bool
	waiting   int // those who wait by [Store.AwaitChange]
	listening bool
}

func startTail(db database, log *slog.Logger) *tail {
	t := &tail{db: db, log: log, wake: make(chan struct{}, 1), more: make(chan struct{}), following: map[*Follower]bool{}}
	t.ctx, t.stop = context.WithCancelCause(context.Background())
	t.group.Go(t.watch)
	return t
}

// close ends all who follow and waits for them.
func (t *tail) close() {
	t.mu.Lock() // attach is either done or will see it
	t.stop(&octavo.Error{Type: octavo.Unavailable, Detail: "The server is stopping."})
	t.mu.Unlock()
	t.group.Wait()
}

// attach counts one who follows, or with nil one who waits, until detach is
// called. The context it returns ends with the store too.
func (t *tail) attach(ctx context.Context, f *Follower) (_ context.Context, detach func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return nil, nil, context.Cause(t.ctx)
	}
	if f != nil {
		t.following[f] = true
	} else {
		t.waiting++
	}
	t.group.Add(1)
	if !t.listening {
		t.listening = true
		t.group.Go(t.listen)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	unlink := context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })
	t.poke()
	return ctx, func() {
		unlink()
		cancel(nil)
		t.mu.Lock()
		if f != nil {
			delete(t.following, f)
		} else {
			t.waiting--
		}
		t.mu.Unlock()
		t.group.Done()
	}, nil
}

// spawn runs work in a goroutine that close waits for.
func (t *tail) spawn(work func()) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	t.group.Go(work)
	return nil
}

// unlessClosed is err, or that the store was closed, of which err may come.
func (t *tail) unlessClosed(err error) error {
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	return err
}

// poke has the tail look soon. It never waits.
func (t *tail) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

func (t *tail) watch() {
	failing := false
	for t.ctx.Err() == nil {
		var poll <-chan time.Time
		if t.followed() {
			poll = time.After(pollInterval)
		}
		select {
		case <-t.wake:
		case <-poll:
		case <-t.ctx.Done():
			return
		}
		if !t.followed() && !t.db.shared() {
			continue // nobody, here or elsewhere, waits for it
		}
		ctx, cancel := context.WithTimeout(t.ctx, lookTimeout)
		last, err := t.db.settle(ctx)
		cancel()
		if err == nil {
			t.saw(last)
		}
		if err != nil && !failing && t.ctx.Err() == nil {
			t.log.Warn("the end of the change log cannot be read; trying on", "error", err)
		}
		failing = err != nil
		pause(t.ctx, lookRest)
	}
}

// listen hears what other processes tell, for as long as the store is open.
func (t *tail) listen() {
	for t.ctx.Err() == nil {
		err := t.db.listen(t.ctx, func(position int64) {
			if position == 0 || position > t.end() {
				t.poke()
			}
		})
		if t.ctx.Err() == nil {
			t.log.Warn("other processes are not heard for a while; looking for their changes instead", "error", err)
			pause(t.ctx, listenRest)
		}
	}
}

func (t *tail) followed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.following) > 0 || t.waiting > 0
}

// followers returns those who follow.
func (t *tail) followers() []*Follower {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.following))
}

// saw wakes who waits for less than last. It is less than before where another
// server has taken over that lacks the newest changes.
func (t *tail) saw(last int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last != t.last {
		t.last = last
		close(t.more)
		t.more = make(chan struct{})
	}
}

// end returns the newest position known.
func (t *tail) end() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// await waits until a position behind after is known, and reports whether it
// came to that before ctx ended.
func (t *tail) await(ctx context.Context, after int64) bool {
	for ctx.Err() == nil {
		t.mu.Lock()
		last, more := t.last, t.more
		t.mu.Unlock()
		if last > after {
			return true
		}
		select {
		case <-more:
		case <-ctx.Done():
		}
	}
	return false
}

// pause waits for the time to pass, or ctx to end.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
