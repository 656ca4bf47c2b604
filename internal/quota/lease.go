package quota

import (
	"context"
	"time"
)

// Source leases parts of windows that several processes share.
type Source interface {
	// LeaseQuota leases requests of the key's window: at most want, and at most an eighth of
	// what is left, rounded up. Without a current window the call starts one. All leases of a
	// window together never exceed limit.
	LeaseQuota(ctx context.Context, key string, limit, want int, window time.Duration) (Lease, error)
}

type Lease struct {
	Window  int64         // identifies the window of the key; not 0
	Granted int           // 0 if nothing is left in the window
	Left    int           // remaining after this lease
	Ends    time.Duration // time from the call to the end of the window, at most
}

// refill leases at least n more for the window from the source, or waits for a request
// that is already doing so. The lock is held on call and return, but released while
// waiting.
func (l *Limiter) refill(ctx context.Context, w *window, n, limit int) {
	w.waiting += n
	defer func() { w.waiting -= n }()
	if w.leasing != nil {
		leasing := w.leasing
		l.mu.Unlock()
		defer l.mu.Lock()
		select {
		case <-leasing:
		case <-ctx.Done():
		}
		return
	}
	// Requests answered on credit, waiting ones, and as much again as was used so far: busy
	// servers lease much, idle ones leave it to others.
	want := max(0, w.used-w.leased) + w.waiting + w.used
	done := make(chan struct{})
	w.leasing = done
	asked := l.o.Now()
	l.mu.Unlock()
	lease, err := l.ask(ctx, w.key, limit, want)
	l.mu.Lock()
	w.leasing = nil
	close(done)
	l.counts.Leases++
	if err != nil {
		l.sourceFailed(ctx, err)
		return
	}
	if l.failed {
		l.failed = false
		l.o.Log.InfoContext(ctx, "quotas are shared again")
	}
	l.counts.Leased += int64(lease.Granted)
	if w.source != 0 && w.source != lease.Window {
		w.used, w.leased, w.ends = 0, 0, asked // the window ended during the request
		w.renewed++
	}
	// The first lease determines the end of the window. A later one may have been shorter
	// underway and more exact.
	ends := asked.Add(lease.Ends)
	if w.source != lease.Window || ends.After(w.ends) {
		w.ends = ends
	}
	w.source = lease.Window
	w.leased += lease.Granted
	w.left = lease.Left
	w.spent = 0
	if lease.Granted == 0 {
		w.spent = limit
	}
}

// ask completes the lease even if its request is cancelled, since others may wait for it.
func (l *Limiter) ask(ctx context.Context, key Key, limit, want int) (Lease, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.o.Wait)
	defer cancel()
	return l.o.Source.LeaseQuota(ctx, key.String(), limit, want, l.o.Window)
}

// sourceFailed disables the source for a while, and logs that once.
func (l *Limiter) sourceFailed(ctx context.Context, err error) {
	l.counts.Failed++
	l.rest = l.o.Now().Add(leaseRest)
	if !l.failed {
		l.failed = true
		l.o.Log.WarnContext(ctx, "rate limits cannot be leased; a share of each is served on credit", "error", err)
	}
}
