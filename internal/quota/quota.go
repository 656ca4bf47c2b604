// Package quota counts requests against limits in fixed windows, by key. It decides
// when a request is refused and what is left. The caller decides what a key stands for
// and how to respond.
//
// Without a [Source] one process has all windows, in memory, and is exact. With one,
// several processes share them: each leases parts of a window. The source lends no more
// than the limit in a window, so together they never allow more. But a request may be
// refused while other processes hold unused leases. None of them holds more than an
// eighth of the limit, rounded up. None holds more than it allowed in this window
// either, except for cancelled requests, and for concurrent ones that did not all come.
// So with n processes, at most n-1 eighths of the limit are refused too early.
//
// While the source fails, each process allows up to an eighth of the limit in a window
// on credit, and repays it from its next leases.
package quota

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// DefaultWindow is how long a quota lasts (decision 42).
const DefaultWindow = 60 * time.Second

const (
	// maxWindows limits the memory of a limiter: about 200 bytes each. Beyond it, new keys
	// share one window until others have ended.
	maxWindows = 200_000
	// leaseTimeout is the default limit of waiting for a lease.
	leaseTimeout = time.Second
	// leaseRest is how long a failed source is not asked again.
	leaseRest = time.Second
)

// Key identifies the subject of a quota and its kind.
type Key struct{ Kind, ID string }

// others is the shared key when a limiter is full.
var others = Key{Kind: "others"}

// String returns the key as sources know it.
func (k Key) String() string { return k.Kind + " " + k.ID }

// Quota is the rest of a limit. With a source, Remaining is the rest at the last lease of
// this process, less its own requests since. It neither includes unused leases of other
// processes, nor reflects their later leases.
type Quota struct {
	Limit     int
	Remaining int
	Reset     time.Duration // until the window ends
}

// Options configure a limiter. Now is required.
type Options struct {
	Now    func() time.Time
	Window time.Duration // 0 means DefaultWindow
	Source Source        // nil if one process has all windows
	Wait   time.Duration // maximal wait for the source; 0 means a second
	Log    *slog.Logger  // of failures of the source; nil logs nothing
}

// Counts are totals since the limiter was created, and its number of windows.
type Counts struct {
	Refused int64 // requests beyond their limit
	Leases  int64 // requests to the source
	Leased  int64 // requests leased by the source
	Credit  int64 // requests allowed on credit
	Failed  int64 // failed requests to the source
	Windows int
}

// Limiter counts requests. It is safe for concurrent use.
type Limiter struct {
	o Options

	mu     sync.Mutex
	young  map[Key]*window // begun since the last rotation
	old    map[Key]*window // begun in the period before; all end before the next rotation
	turn   time.Time
	rest   time.Time // the source is not asked until then
	failed bool      // the source failed when it was last asked
	counts Counts
}

func New(o Options) *Limiter {
	if o.Window <= 0 {
		o.Window = DefaultWindow
	}
	if o.Wait <= 0 {
		o.Wait = leaseTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Limiter{o: o, young: map[Key]*window{}}
}

// Take counts one request of the key and reports whether it is within limit. The first
// request starts a window. Take only waits for the source if nothing is left of the lease,
// at most Options.Wait. An exhausted key is refused without asking until its window ends.
// If ctx ends while Take waits, the request is refused.
func (l *Limiter) Take(ctx context.Context, key Key, limit int) (Quota, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, q, ok := l.take(ctx, key, 1, limit)
	return q, ok
}

// TakeMany counts n requests, all or none. giveBack returns unused ones. If it refuses,
// the lease stays with this process until the window ends.
func (l *Limiter) TakeMany(ctx context.Context, key Key, n, limit int) (q Quota, giveBack func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, q, ok := l.take(ctx, key, n, limit)
	if !ok {
		return q, nil, false
	}
	renewed := w.renewed
	return q, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if w.renewed == renewed {
			w.used = max(0, w.used-n)
		}
	}, true
}

// take counts n. The lock is held on call and return, but released while waiting for a
// lease.
func (l *Limiter) take(ctx context.Context, key Key, n, limit int) (*window, Quota, bool) {
	for {
		now := l.o.Now()
		w := l.begin(key, now)
		switch {
		case l.have(w, limit) >= n:
			w.used += n
			return w, l.quota(w, limit, now), true
		case l.o.Source == nil || limit <= w.spent || ctx.Err() != nil:
			l.counts.Refused += int64(n)
			return w, l.quota(w, limit, now), false
		case now.Before(l.rest):
			ok := w.used+n <= w.leased+share(limit)
			if ok {
				w.used += n
				l.counts.Credit += int64(n)
			} else {
				l.counts.Refused += int64(n)
			}
			return w, l.quota(w, limit, now), ok
		}
		l.refill(ctx, w, n, limit)
	}
}

// Peek returns the remaining quota without counting.
func (l *Limiter) Peek(key Key, limit int) Quota {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.o.Now()
	if w := l.find(key, now); w != nil {
		return l.quota(w, limit, now)
	}
	return Quota{Limit: limit, Remaining: limit, Reset: l.o.Window}
}

func (l *Limiter) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counts
	c.Windows = len(l.young) + len(l.old)
	return c
}
