package app

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// Intervals of waiting for the schedule of pages.
const (
	// scheduleLook is how often the clock is read, which may be set while nothing is due.
	scheduleLook = time.Second
	// scheduleRest is the minimum time between two queries, so that many writers do not cause
	// many queries.
	scheduleRest = 250 * time.Millisecond
	// scheduleTimeout limits a query if the database does not respond.
	scheduleTimeout = 10 * time.Second
)

// scheduleActor is the actor of scheduled publications.
func scheduleActor() octavo.Actor { return octavo.Actor{ID: "schedule", Name: "Schedule"} }

// RunSchedule publishes and unpublishes pages at their time, until ctx ends. It starts
// with those that became due while no process ran. Any number of processes may run it on
// one database.
func RunSchedule(ctx context.Context, e Env, st *store.Store) {
	for ctx.Err() == nil {
		known, err := lastPosition(ctx, st) // before the query, so that no change is missed
		next, changed := time.Time{}, 0
		if err == nil {
			next, changed, err = st.Pages.RunSchedule(ctx, scheduleActor())
		}
		if changed > 0 {
			e.Log.InfoContext(ctx, "pages changed as scheduled", "pages", changed)
		}
		if err != nil && ctx.Err() == nil {
			e.Log.ErrorContext(ctx, "the schedule of pages was not run in full", "error", err)
			rest(ctx, scheduleLook)
			continue
		}
		awaitDue(ctx, e, st, next, known)
	}
}

func lastPosition(ctx context.Context, st *store.Store) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, scheduleTimeout)
	defer cancel()
	return st.Log.Last(ctx)
}

// awaitDue waits for the time next, unless it is zero, or for any change after the
// position known, which may have another time.
func awaitDue(ctx context.Context, e Env, st *store.Store, next time.Time, known int64) {
	rested := time.After(scheduleRest)
	for ctx.Err() == nil && (next.IsZero() || e.Now().Before(next)) {
		wait := scheduleLook
		if !next.IsZero() {
			wait = min(wait, next.Sub(e.Now()))
		}
		look, cancel := context.WithTimeout(ctx, wait)
		err := st.Log.Await(look, known)
		ended := err == nil || look.Err() == nil // a change, or the store is closed
		cancel()
		if ended {
			break
		}
	}
	select {
	case <-rested:
	case <-ctx.Done():
	}
}

// rest waits for a duration of the monotonic clock, or until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
