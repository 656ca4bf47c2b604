package sqldb

import (
	"context"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// Limits of background jobs: exports and imports.
const (
	// JobLease is how long a claim of a job lasts. Each heartbeat renews it. After it has
	// expired the job is due again.
	JobLease = 30 * time.Second
	// MaxAttempts is the number of attempts, since a job may crash its process each time.
	MaxAttempts = 5

	beatInterval  = 2 * time.Second
	awaitInterval = 200 * time.Millisecond
)

// RetryAfter returns the pause after a failed attempt: 5, 20, 80 and 320 seconds.
func RetryAfter(attempt int) time.Duration {
	return 5 * time.Second << (2 * min(max(attempt-1, 0), MaxAttempts))
}

// Retries returns the pauses by number of attempts.
func Retries() []time.Duration {
	list := []time.Duration{0}
	for n := 1; n < MaxAttempts; n++ {
		list = append(list, RetryAfter(n))
	}
	return list
}

// Passing reports whether an error of a job may be temporary.
func Passing(err error) bool {
	return octavo.IsType(err, octavo.Unavailable) || octavo.IsType(err, octavo.StorageFull)
}

// KeepLease calls beat periodically to renew the lease of a job, until stop is called. It
// cancels the work with the error of beat, or with lost if the lease has expired.
func KeepLease(ctx context.Context, now func() time.Time, end context.CancelCauseFunc, lost error, beat func(context.Context) (why, err error)) (stop func()) {
	over, cancel := context.WithCancel(ctx)
	var beats sync.WaitGroup
	beats.Go(func() {
		held := now()
		ticker := time.NewTicker(beatInterval)
		defer ticker.Stop()
		for {
			select {
			case <-over.Done():
				return
			case <-ticker.C:
			}
			at := now()
			look, done := context.WithTimeout(ctx, beatInterval)
			why, err := beat(look)
			done()
			if err != nil && now().Sub(held).Abs() > JobLease*3/4 {
				why = lost
			}
			if why != nil {
				end(why)
				return
			}
			if err == nil {
				held = at
			}
		}
	})
	return func() { cancel(); beats.Wait() }
}

// Await polls until a job has ended. If ctx ends first, it returns the error of ctx.
func Await(ctx context.Context, ended func() (bool, error)) error {
	ticker := time.NewTicker(awaitInterval)
	defer ticker.Stop()
	for {
		if over, err := ended(); err != nil || over {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
