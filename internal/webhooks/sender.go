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
	// pollInterval is how often the sender looks for what other processes put
	// in line, or left there.
	pollInterval = time.Second
	// healInterval is how often it looks for deliveries that were put off.
	healInterval = 10 * time.Second
	// maxTargets is how many targets one look takes on.
	maxTargets = 1000
	// maxAsks and maxClaimed bound one transaction that claims deliveries:
	// others who write wait for it.
	maxAsks    = 64
	maxClaimed = 256
	// gatherTime is how long what became of a delivery waits for more to be
	// written with it: of each publication's deliveries most end together, and
	// who writes pages waits for every commit.
	gatherTime = 5 * time.Millisecond
	// staleAfter is how old a claim may be for a try to begin: it must end, and
	// be recorded, before the lease does.
	staleAfter = hookstore.LeaseTime - DefaultTimeout - 15*time.Second
	// stopGrace is how long tries that are under way may go on when the server
	// stops.
	stopGrace = 2 * time.Second
	// largeEvent is from how many bytes on an event takes of largeMemory, which
	// those that are being sent share. Small ones do not wait for large ones.
	largeEvent  = 32 << 10
	largeMemory = 64 << 20
)

// claimed is a delivery that is this process's for a while.
type claimed struct {
	hookstore.Delivery
	at  time.Time // by the clock that leases go by
	age int       // of its target, see inFlight
}

// sender claims what is due and sends it. One goroutine claims, one for each
// try sends, and one records what became of them.
type sender struct {
	*Service
	inFlight *inFlight
	tries    sync.WaitGroup
	ended    chan hookstore.Outcome
	sending  context.Context // of all tries
	large    *semaphore.Weighted
	starved  string                             // the targets behind it found no room first
	behind   atomic.Bool                        // what became of deliveries could not be recorded
	claims   atomic.Pointer[context.CancelFunc] // ends the claims that are under way
}

// Run puts events in line and sends them until ctx ends. Tries that are under
// way then are given stopGrace; those that do not end within it are left to the
// next start. It may run once at a time.
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

// claim claims deliveries for as long as ctx lasts, and has them sent. Those
// who found no room the last time come first.
func (s *sender) claim(ctx context.Context) {
	after, first := "", ""
	for ctx.Err() == nil {
		for _, c := range s.inFlight.writeOffSilent(s.Now()) {
			s.ended <- release(c)
		}
		// What could not be recorded may have lost its lease, and would be sent
		// once more: also by claims that have begun, and wait for the database, where
		// those are ended that it has not begun.
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
			continue // there are those before
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(wait):
		}
		after, first, s.starved = s.starved, s.starved, ""
	}
}

// heal makes what waits longer than it may due: a clock that was ahead put it
// off, and has been set back since.
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

// round looks at targets behind the one called after, claims what is due of
// them as far as there is room, and begins to send it. It returns the target to
// continue behind, "" when it saw the last, and how long there is nothing to do.
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
			continue // who makes room tells
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

// take claims deliveries and begins to send them.
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

// record writes down what became of deliveries, as many at once as have ended,
// until there will be no more. While the database cannot be reached it keeps
// trying: what ends meanwhile waits.
func (s *sender) record(ctx context.Context) {
	for first := range s.ended {
		batch := s.gather(first)
		for {
			due, err := s.Hooks.Finish(context.WithoutCancel(ctx), batch, GiveUp)
			// What ended meanwhile is recorded before anything is claimed.
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
				break // they are made again when their leases end
			}
			sqldb.Pause(ctx, pollInterval)
		}
	}
}

// gather returns first and what else has ended within gatherTime, or until there
// are as many as one transaction may end.
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
