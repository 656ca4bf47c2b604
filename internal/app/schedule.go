package app

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// How the schedule of pages is waited for.
const (
	// scheduleLook is how often the clock is read, which may be set anew while
	// nothing is due.
	scheduleLook = time.Second
	// scheduleRest is the least time between two looks at the database, so that many
	// writers do not cause many looks.
	scheduleRest = 250 * time.Millisecond
	// scheduleTimeout bounds what one look waits for a database that has gone
	// quiet.
	scheduleTimeout = 10 * time.Second
)

// scheduleActor is the actor of scheduled publications.
func scheduleActor() octavo.Actor { return octavo.Actor{ID: "schedule", Name: "Schedule"} }

// RunSchedule changes pages when their time comes, until ctx ends. What was due
// while no process ran is made up for at once. Any number of processes may do
// this to one database.
func RunSchedule(ctx context.Context, e Env, st *store.Store) {
	for ctx.Err() == nil {
		known, err := lastPosition(ctx, st) // before the look, so that it misses no change
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

// awaitDue waits for the time, unless that is zero, or for a change of any page
// behind the position, which may have brought another time.
func awaitDue(ctx context.Context, e Env, st *store.Store, next time.Time, known int64) {
	rested := time.After(scheduleRest)
	for ctx.Err() == nil && (next.IsZero() || e.Now().Before(next)) {
		wait := scheduleLook
		if !next.IsZero() {
			wait = min(wait, next.Sub(e.Now()))
		}
		look, cancel := context.WithTimeout(ctx, wait)
		err := st.Log.Await(look, known)
		ended := err == nil || look.Err() == nil // there is a change, or the store is closed
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

// rest waits for the time to pass, by no clock that is set, or ctx to end.
func rest(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
