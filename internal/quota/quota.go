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
	// maxWindows bounds the memory of a limiter: about 200 bytes each. Past it
	// newcomers share one quota until others have ended.
	maxWindows = 200_000
	// leaseTimeout bounds how long a request waits for a lease, unless the
	// options say otherwise.
	leaseTimeout = time.Second
	// leaseRest is how long a source that failed is left alone.
	leaseRest = time.Second
)

// Key identifies the subject of a quota and its kind.
type Key struct{ Kind, ID string }

// others is the key of newcomers to a limiter that is full.
var others = Key{Kind: "others"}

// String is the key as sources know it.
func (k Key) String() string { return k.Kind + " " + k.ID }

// Quota is what is left of a limit. With a source, Remaining is what was left
// when this process leased last, less what it answered since; what others hold
// is not part of it, what they took since is not yet missing.
type Quota struct {
	Limit     int
	Remaining int
	Reset     time.Duration // until the window ends
}

// Options are what a limiter is built from. Now is needed.
type Options struct {
	Now    func() time.Time
	Window time.Duration // 0 means DefaultWindow
	Source Source        // nil where one process has all windows
	Wait   time.Duration // maximal wait for the source; 0 means a second
	Log    *slog.Logger  // of the source's failures; nil drops it
}

// Counts are totals since the limiter was made, and how many windows it has.
type Counts struct {
	Refused int64 // requests beyond their limit
	Leases  int64 // asked of the source
	Leased  int64 // requests that the source lent
	Credit  int64 // requests answered on credit
	Failed  int64 // leases that the source could not give
	Windows int
}

// Limiter counts requests. It is safe for concurrent use.
type Limiter struct {
	o Options

	mu     sync.Mutex
	young  map[Key]*window // begun since the last turn
	old    map[Key]*window // begun in the time before it; all end before the next
	turn   time.Time
	rest   time.Time // the source is left alone until then
	failed bool      // the source failed when it was last asked
	counts Counts
}

// New returns a limiter that has counted nothing.
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

// Take counts one request of the key and reports whether it is within the
// limit, which the caller chooses for each key. A window begins with the first
// request counted. Take waits for the source at most Options.Wait, and only when
// nothing is left of what was leased; a key whose window is spent is refused
// without asking until it ends. When ctx ends while it waits, the request is
// refused.
func (l *Limiter) Take(ctx context.Context, key Key, limit int) (Quota, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, q, ok := l.take(ctx, key, 1, limit)
	return q, ok
}

// TakeMany counts n at once, all or none, as Take counts one. What giveBack
// gives back was not used, and is not counted any more. What the source lent
// for a refusal stays with this process until the window ends.
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

// Counts returns what was counted so far.
func (l *Limiter) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.counts
	c.Windows = len(l.young) + len(l.old)
	return c
}
