package sqldb

import (
	"context"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// Of jobs in the background, exports and imports alike.
const (
	// JobLease is how long a claimed job is left to who claimed it, and again with each
	// beat. When it has not ended by then it is due again.
	JobLease = 30 * time.Second
	// MaxAttempts is how often a job is begun: one that takes its process down must not
	// do so for ever.
	MaxAttempts = 5

	beatInterval  = 2 * time.Second
	awaitInterval = 200 * time.Millisecond
)

// RetryAfter is when a failed try of a job is followed by the next: after 5, 20, 80 and
// 320 seconds.
func RetryAfter(attempt int) time.Duration {
	return 5 * time.Second << (2 * min(max(attempt-1, 0), MaxAttempts))
}

// Retries are how long a job waits, by how often it was begun.
func Retries() []time.Duration {
	list := []time.Duration{0}
	for n := 1; n < MaxAttempts; n++ {
		list = append(list, RetryAfter(n))
	}
	return list
}

// Passing reports whether an error of a job may be gone later.
func Passing(err error) bool {
	return octavo.IsType(err, octavo.Unavailable) || octavo.IsType(err, octavo.StorageFull)
}

// KeepLease calls beat now and then, which leases a job anew, until stop is called. The
// work on the job ends with the reason that beat gives, or with lost where the lease
// cannot be kept.
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

// Await looks now and then whether a job has ended. It returns why when ctx ends before.
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
