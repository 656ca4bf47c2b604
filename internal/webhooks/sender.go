package webhooks

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	// pollInterval is how often the sender looks for deliveries of other processes.
	pollInterval = time.Second
	// healInterval is how often it looks for deliveries with a due time that
	// is too late.
	healInterval = 10 * time.Second
	// maxTargets is how many targets one round handles.
	maxTargets = 1000
	// maxAsks and maxClaimed limit one transaction that claims deliveries:
	// other writers wait for it.
	maxAsks    = 64
	maxClaimed = 256
	// gatherTime is how long a result waits for others to be written with
	// it. Most deliveries of a publication end together, and writers of
	// pages wait for every commit.
	gatherTime = 5 * time.Millisecond
	// staleAfter is the maximum age of a claim when an attempt begins: the
	// result must be stored before the lease ends.
	staleAfter = hookstore.LeaseTime - DefaultTimeout - 15*time.Second
	// stopGrace is how long attempts in progress may continue when the server stops.
	stopGrace = 2 * time.Second
	// largeEvent is the size in bytes from which an event counts against largeMemory,
	// which all large events in progress share. Small ones do not wait for large ones.
	largeEvent  = 32 << 10
	largeMemory = 64 << 20
)

// claimed is a delivery that this process has leased.
type claimed struct {
	hookstore.Delivery
	at  time.Time // by the clock of the leases
	age int       // of its target, see inFlight
}

// sender claims due deliveries and sends them. One goroutine claims, one for
// each attempt sends, and one stores the results.
type sender struct {
	*Service
	inFlight *inFlight
	tries    sync.WaitGroup
	ended    chan hookstore.Outcome
	sending  context.Context // of all attempts
	large    *semaphore.Weighted
	starved  string                             // the targets after it found no free capacity the last time
	behind   atomic.Bool                        // results could not be stored
	claims   atomic.Pointer[context.CancelFunc] // cancels the claims in progress
}

// Run queues events and sends them until ctx ends. Attempts in progress then
// have stopGrace; those that do not end within it are left to the next
// start. It must not run twice at the same time.
func (s *Service) Run(ctx context.Context) {
	if s.Alone {
		if freed, err := s.Hooks.Free(ctx); err != nil {
			s.Log.ErrorContext(ctx, "leases of deliveries were not freed", "error", err)
		} else if freed > 0 {
			s.Log.InfoContext(ctx, "deliveries interrupted when a server ended are repeated", "deliveries", freed)
		}
	}
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	x := &sender{Service: s, ended: make(chan hookstore.Outcome, maxClaimed), sending: sending, inFlight: newInFlight(), large: semaphore.NewWeighted(largeMemory)}
	var group, records sync.WaitGroup
	group.Go(func() { s.follow(ctx) })
	group.Go(func() { x.claim(ctx) })
	group.Go(func() { x.heal(ctx) })
	records.Go(func() { x.record(ctx) })
	group.Wait()
	timer := time.AfterFunc(stopGrace, stop)
	defer timer.Stop()
	for _, c := range x.inFlight.drop() {
		x.ended <- release(c)
	}
	x.tries.Wait()
	close(x.ended)
	records.Wait()
}

// claim claims deliveries and starts sending them until ctx ends. Targets
// without free capacity the last time come first.
func (s *sender) claim(ctx context.Context) {
	after, first := "", ""
	for ctx.Err() == nil {
		for _, c := range s.inFlight.writeOffSilent(s.Now()) {
			s.ended <- release(c)
		}
		// A delivery whose result could not be stored may have lost its
		// lease, and would be sent again. So claims in progress are
		// cancelled too, which may be waiting for the database.
		claims, end := context.WithCancel(ctx)
		s.claims.Store(&end)
		next, wait, err := "", pollInterval, error(nil)
		if !s.behind.Load() {
			next, wait, err = s.round(claims, after)
		}
		end()
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "deliveries were not claimed; trying again", "error", err)
			next, first, wait = "", "", pollInterval
		}
		if after = next; after != "" {
			continue // there are more targets
		}
		if first != "" {
			first = ""
			continue // continue with earlier targets
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(wait):
		}
		after, first, s.starved = s.starved, s.starved, ""
	}
}

// heal makes deliveries due that wait longer than possible: their time came
// from a clock that was ahead and has been set back since.
func (s *sender) heal(ctx context.Context) {
	for ctx.Err() == nil {
		healed, err := s.Hooks.Heal(ctx, Waits())
		switch {
		case err != nil && ctx.Err() == nil:
			s.Log.WarnContext(ctx, "postponed deliveries were not checked; trying again", "error", err)
		case healed > 0:
			s.Log.WarnContext(ctx, "deliveries were scheduled by a clock that was ahead; they are due now", "deliveries", healed)
			s.poke()
		}
		sqldb.Pause(ctx, healInterval)
	}
}

// round looks at targets after the given one, claims what is due and fits
// the limits, and starts sending. It returns the target after which to
// continue, "" at the end, and how long there is nothing to do.
func (s *sender) round(ctx context.Context, after string) (next string, wait time.Duration, err error) {
	due, err := s.Hooks.DueTargets(ctx, after, maxTargets)
	if err != nil {
		return "", 0, err
	}
	next, wait = after, pollInterval
	now := s.Now()
	var asks []hookstore.Ask
	room := maxClaimed
	for _, d := range due {
		before := next
		next = d.Target
		if d.At.IsZero() {
			continue
		}
		if early := d.At.Sub(now); early > 0 {
			wait = min(wait, early)
			continue
		}
		n, none := s.inFlight.claimable(d.Target, now)
		if none {
			s.starved = cmp.Or(s.starved, before)
		}
		if n == 0 {
			continue // the end of an attempt wakes the sender
		}
		n = min(n, room)
		asks = append(asks, hookstore.Ask{Target: d.Target, Limit: n})
		if room -= n; room == 0 || len(asks) == maxAsks {
			if err := s.take(ctx, asks); err != nil {
				return "", 0, err
			}
			asks, room = nil, maxClaimed
		}
	}
	if len(asks) > 0 {
		if err := s.take(ctx, asks); err != nil {
			return "", 0, err
		}
	}
	if len(due) < maxTargets {
		next = ""
	}
	return next, wait, nil
}

// take claims deliveries and starts sending them.
func (s *sender) take(ctx context.Context, asks []hookstore.Ask) error {
	lease, err := sqldb.DrawLease(s.Random)
	if err != nil {
		return err
	}
	at := s.Now()
	list, err := s.Hooks.Claim(ctx, asks, lease)
	if err != nil {
		return err
	}
	for _, d := range list {
		s.inFlight.add(claimed{Delivery: d, at: at})
	}
	for _, ask := range asks {
		for {
			c, ok := s.inFlight.begin(ask.Target, at)
			if !ok {
				break
			}
			s.tries.Go(func() { s.work(c) })
		}
	}
	return nil
}

// work sends a delivery, and then others to its target that wait in memory.
func (s *sender) work(c claimed) {
	for {
		o, pace := s.try(s.sending, c)
		next, back, more := s.inFlight.end(c, pace, s.Now())
		s.ended <- o
		for _, d := range back {
			s.ended <- release(d)
		}
		if more {
			s.poke()
		}
		if len(next) == 0 {
			return
		}
		for _, d := range next[1:] {
			s.tries.Go(func() { s.work(d) })
		}
		c = next[0]
	}
}

// record stores results, as many at once as have ended, until there will be no more. It
// retries while the database is unavailable; further results wait.
func (s *sender) record(ctx context.Context) {
	for first := range s.ended {
		batch := s.gather(first)
		for {
			due, err := s.Hooks.Finish(context.WithoutCancel(ctx), batch, GiveUp)
			// These results are stored before anything else is claimed.
			s.behind.Store(err != nil || s.behind.Load() && len(s.ended) > 0)
			if end := s.claims.Load(); err != nil && end != nil {
				(*end)()
			}
			if err == nil {
				if due {
					s.poke()
				}
				break
			}
			s.Log.WarnContext(ctx, "the outcome of deliveries was not recorded", "deliveries", len(batch), "error", err)
			if ctx.Err() != nil {
				break // they are sent again when their leases end
			}
			sqldb.Pause(ctx, pollInterval)
		}
	}
}

// gather returns first and other results within gatherTime, up to the
// maximum of one transaction.
func (s *sender) gather(first hookstore.Outcome) []hookstore.Outcome {
	batch := []hookstore.Outcome{first}
	late := time.After(gatherTime)
	for len(batch) < maxClaimed {
		select {
		case o, open := <-s.ended:
			if !open {
				return batch
			}
			batch = append(batch, o)
		case <-late:
			return batch
		}
	}
	return batch
}
