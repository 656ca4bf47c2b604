package load

import (
	"context"
	"time"
)

// closed sends the next request when the last one is answered.
func (r *run) closed(ctx context.Context, w *wire, next Source, rec *recorder) error {
	var request []byte
	for {
		sent := time.Now()
		if !sent.Before(r.end) || ctx.Err() != nil {
			return ctx.Err()
		}
		request = next(request[:0])
		if err := r.send(ctx, w, request, rec, sent); err != nil {
			return err
		}
	}
}

// open sends a request for each moment in due. What is still due when the run
// ends was never sent: it is counted with the time that it had waited so far,
// so that a server which falls behind does not look the better for it.
func (r *run) open(ctx context.Context, w *wire, next Source, rec *recorder, due <-chan time.Time) error {
	var request []byte
	for intended := range due {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if now := time.Now(); !now.Before(r.end) {
			if !intended.Before(r.counted) {
				rec.unsent(now.Sub(intended))
			}
			continue
		}
		request = next(request[:0])
		if err := r.send(ctx, w, request, rec, intended); err != nil {
			return err
		}
	}
	return nil
}

// send sends one request and counts its answer from the moment since, unless
// that lies in the warm-up. A connection that fails is made anew.
func (r *run) send(ctx context.Context, w *wire, request []byte, rec *recorder, since time.Time) error {
	status, size, err := w.do(request)
	took := time.Since(since)
	if !since.Before(r.counted) {
		rec.add(status, size, err, took)
	}
	if err == nil && !w.spent {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return w.connect(ctx)
}

// planned is how many requests an open loop sends.
func (r *run) planned(g Group) int {
	return int(r.end.Sub(r.start).Seconds()*g.Rate) + 1
}

// schedule tells when each request of an open loop is due. The channel holds
// them all, so the schedule never waits for the connections.
func (r *run) schedule(ctx context.Context, g Group, due chan<- time.Time) error {
	defer close(due)
	sleep := r.plan.Sleep
	if sleep == nil {
		exact, closeTimer, err := newTimer()
		if err != nil {
			return err
		}
		defer closeTimer() //nolint:errcheck // nothing is lost with a timer
		sleep = exact
	}
	interval := float64(time.Second) / g.Rate
	for k := range cap(due) {
		at := r.start.Add(time.Duration(float64(k) * interval))
		if !at.Before(r.end) || ctx.Err() != nil {
			return nil
		}
		if d := time.Until(at); d > 0 {
			if err := sleep(d); err != nil {
				return err
			}
		}
		due <- at
	}
	return nil
}
