// Package load sends requests to a server and measures how it answers. It owns
// the generator: connections, the two kinds of loop, the choice of keys and
// the counting. It does not know what is asked for, which the sources of a
// plan decide, nor which process answers.
//
// A group without a rate is a closed loop: each connection sends its next
// request when the last one is answered. That finds the throughput, but a
// server that stalls is then asked less, so its stall is counted once per
// connection. A group with a rate is an open loop: request k is due at
// start + k/rate whatever the server does, and its latency counts from that
// moment, the time in which it waited for a free connection included. That is
// what users see (coordinated omission is accounted for).
//
// The generator is to be lighter than what it measures: requests are bytes
// written with one call, of an answer only the status and the length are read,
// nothing is shared between connections while they run. There is no pipelining.
package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// grace is how long requests under way may take after the end of a run.
const grace = 10 * time.Second

// Source appends the next request of one connection to dst. It is called by
// that connection alone.
type Source func(dst []byte) []byte

// Group is connections that do the same.
type Group struct {
	Name        string
	Connections int
	Rate        float64               // requests per second over all connections; 0 is a closed loop
	Source      func(conn int) Source // makes the source of a connection, counted from 0
}

// Plan is one run.
type Plan struct {
	Dial     func(context.Context) (net.Conn, error)
	Groups   []Group       // run at the same time
	Warmup   time.Duration // before anything is counted
	Duration time.Duration // what is counted

	// Began and Ended, unless nil, are called when counting begins and ends.
	Began, Ended func()

	// Sleep, unless nil, replaces how an open loop waits until a request is due.
	Sleep func(time.Duration) error
}

// Run runs a plan and returns a result for each group, in their order. It
// fails when a connection cannot be made or ctx ends, not when the server
// answers with errors, which are counted.
func Run(ctx context.Context, p Plan) ([]Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{plan: p, start: time.Now()}
	r.counted = r.start.Add(p.Warmup)
	r.end = r.counted.Add(p.Duration)

	var wait sync.WaitGroup
	wait.Go(func() { r.mark(ctx) })
	parts := make([][]*recorder, len(p.Groups))
	for i, g := range p.Groups {
		if g.Connections < 1 {
			return nil, fmt.Errorf("group %s has %d connections", g.Name, g.Connections)
		}
		var due chan time.Time // nil in a closed loop
		if g.Rate > 0 {
			due = make(chan time.Time, r.planned(g))
			wait.Go(func() {
				if err := r.schedule(ctx, g, due); err != nil {
					cancel(fmt.Errorf("group %s: %w", g.Name, err))
				}
			})
		}
		for n := range g.Connections {
			rec := newRecorder()
			parts[i] = append(parts[i], rec)
			wait.Go(func() {
				if err := r.work(ctx, g.Source(n), rec, due); err != nil {
					cancel(fmt.Errorf("group %s: %w", g.Name, err))
				}
			})
		}
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	results := make([]Result, len(p.Groups))
	for i, g := range p.Groups {
		results[i] = merge(g, p.Duration, parts[i])
	}
	return results, nil
}

// run is a plan under way.
type run struct {
	plan                Plan
	start, counted, end time.Time
}

// mark calls the plan's functions when their time has come.
func (r *run) mark(ctx context.Context) {
	for _, m := range []struct {
		at   time.Time
		call func()
	}{{r.counted, r.plan.Began}, {r.end, r.plan.Ended}} {
		timer := time.NewTimer(time.Until(m.at))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		if m.call != nil {
			m.call()
		}
	}
}

// work is one connection: it sends until the run ends.
func (r *run) work(ctx context.Context, next Source, rec *recorder, due <-chan time.Time) error {
	w := &wire{dial: r.plan.Dial, deadline: r.end.Add(grace)}
	defer w.close()
	stop := context.AfterFunc(ctx, w.close)
	defer stop()
	if err := w.connect(ctx); err != nil {
		return err
	}
	var err error
	if due == nil {
		err = r.closed(ctx, w, next, rec)
	} else {
		err = r.open(ctx, w, next, rec, due)
	}
	if errors.Is(err, context.Canceled) {
		return nil // the canceller reports the cause
	}
	return err
}
