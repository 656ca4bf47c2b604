package exports

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
)

// clockStep is how far the clock has to go back to be taken for set anew.
const clockStep = time.Second

// clockFollower has what waits for a time moved with the clock when that has
// gone back, also while no server ran.
type clockFollower struct {
	*Service
	last time.Time // when it looked at the clock last
}

func (f *clockFollower) look(ctx context.Context) {
	now := f.Now()
	if !f.last.IsZero() && f.last.Sub(now) < clockStep {
		f.last = now
		return
	}
	moved, err := f.Store.SetBackExports(ctx, exportWaits(), messageWaits())
	switch {
	case err == nil:
		f.last = now
	case ctx.Err() == nil:
		f.Log.WarnContext(ctx, "exports were not set back; trying again", "error", err)
	}
	if moved > 0 {
		f.Log.WarnContext(ctx, "exports were to wait for the time of a clock that was ahead; they wait no longer for that", "exports", moved)
	}
}

// exportWaits are how long an export waits at most.
func exportWaits() store.Waits {
	w := store.Waits{Lease: store.ExportLease, Retry: []time.Duration{0}}
	for n := 1; n < maxAttempts; n++ {
		w.Retry = append(w.Retry, retryAfter(n))
	}
	return w
}

// messageWaits are how long a message waits at most.
func messageWaits() store.Waits {
	w := store.Waits{Lease: messageLease, Retry: []time.Duration{0}}
	for n := 1; ; n++ {
		after, again := mailPause(n)
		if !again {
			return w
		}
		w.Retry = append(w.Retry, after)
	}
}
