package changelog

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	// lookRest is the minimum time between two looks, so that many commits
	// do not cause as many looks.
	lookRest = 5 * time.Millisecond
	// listenRest is the delay before a lost notification connection is restored.
	listenRest = time.Second
)

// tail knows the end of the change log and wakes callers that wait for more.
// It looks after each commit of this process, on notifications of other
// processes and, while there are followers, every [sqldb.PollInterval].
type tail struct {
	src    source
	life   *sqldb.Life // of the tail's goroutines and all followers
	ctx    context.Context
	shared bool // whether other processes write too
	log    *slog.Logger
	wake   sqldb.Bell

	mu        sync.Mutex
	last      int64         // the newest position known
	more      chan struct{} // closed when last changes
	following map[*Follower]bool
	waiting   int // callers of [Log.Await]
	listening bool
}

func startTail(src source, db *sqldb.DB) *tail {
	t := &tail{
		src: src, life: db.Life(), ctx: db.Life().Context(), shared: db.Shared(), log: db.Logger(),
		wake: make(sqldb.Bell, 1), more: make(chan struct{}), following: map[*Follower]bool{},
	}
	_ = t.life.Go(t.watch) // refused if the database is closed
	return t
}

// attach counts a follower, or with nil a waiting caller, until detach is
// called. The returned context ends with the database too.
func (t *tail) attach(ctx context.Context, f *Follower) (_ context.Context, detach func(), err error) {
	release, err := t.life.Hold()
	if err != nil {
		return nil, nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if f != nil {
		t.following[f] = true
	} else {
		t.waiting++
	}
	if !t.listening {
		t.listening = t.life.Go(t.listen) == nil // otherwise the context has ended
	}
	ctx, cancel := context.WithCancelCause(ctx)
	unlink := context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })
	t.wake.Ring()
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
		release()
	}, nil
}

func (t *tail) watch() {
	failing := false
	for t.ctx.Err() == nil {
		var poll <-chan time.Time
		if t.followed() {
			poll = time.After(sqldb.PollInterval)
		}
		select {
		case <-t.wake:
		case <-poll:
		case <-t.ctx.Done():
			return
		}
		if !t.followed() && !t.shared {
			continue // nobody waits for it, here or elsewhere
		}
		ctx, cancel := context.WithTimeout(t.ctx, sqldb.LookTimeout)
		last, err := t.src.settle(ctx)
		cancel()
		if err == nil {
			t.saw(last)
		}
		if err != nil && !failing && t.ctx.Err() == nil {
			t.log.Warn("the end of the change log cannot be read; trying again", "error", err)
		}
		failing = err != nil
		sqldb.Pause(t.ctx, lookRest)
	}
}

// listen receives notifications of other processes while the database is open.
func (t *tail) listen() {
	for t.ctx.Err() == nil {
		err := t.src.listen(t.ctx, func(position int64) {
			if position == 0 || position > t.end() {
				t.wake.Ring()
			}
		})
		if t.ctx.Err() == nil {
			t.log.Warn("no notifications from other processes; polling for their changes instead", "error", err)
			sqldb.Pause(t.ctx, listenRest)
		}
	}
}

func (t *tail) followed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.following) > 0 || t.waiting > 0
}

func (t *tail) followers() []*Follower {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.following))
}

// saw wakes callers that wait for a position up to last. It may be less than
// before if a standby that lacks the newest changes has taken over.
func (t *tail) saw(last int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last != t.last {
		t.last = last
		close(t.more)
		t.more = make(chan struct{})
	}
}

func (t *tail) end() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// await waits until a position after after is known, and reports whether
// that came before ctx ended.
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
