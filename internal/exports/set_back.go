package exports

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
)

// clockFollower has what waits for a time moved with the clock when that has
// gone back, also while no server ran.
type clockFollower struct {
	*Service
	steps store.Steps
}

func (f *clockFollower) look(ctx context.Context) {
	if !f.steps.Due(f.Now(), f.Machine()) {
		return
	}
	moved, err := f.Store.SetBackExports(ctx, exportWaits(), messageWaits())
	switch {
	case err == nil:
		f.steps.Done(f.Machine())
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
