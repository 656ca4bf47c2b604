package sqldb

import (
	"context"
	"errors"
	"time"

	"github.com/octavo-docs/octavo"
)

// ReadTimeout is how long a read may take, in which it waits for a connection
// too. A database that does not answer is found out by it.
const ReadTimeout = 5 * time.Second

// LookTimeout bounds what one look at the change log, or one reading of it, waits
// for a database that has gone quiet.
const LookTimeout = 10 * time.Second

// PollInterval is how often it is looked for what other processes have done, where
// nothing tells of it.
const PollInterval = 250 * time.Millisecond

// Pause waits for the time to pass, or ctx to end.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// late turns the error of a statement whose deadline has passed into one that
// asks to come again.
func late(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return &octavo.Error{
		Type: octavo.Unavailable, Detail: "The database took too long to answer.", RetryAfter: time.Second, Err: err,
	}
}

// List waits for a place among the lists that are read at once, so that slow ones
// leave connections to reads of single rows. It returns a context with the deadline
// of a read, and a function that ends both. Who is inside must not enter again.
func (db *DB) List(ctx context.Context) (context.Context, func(), error) { return db.lists.enter(ctx) }

// gate lets a bounded number of reads run at once, each up to readTimeout.
// Lists go through one, so that slow ones leave connections to reads of single
// pages.
type gate chan struct{}

// enter waits for a place and returns a context with the deadline, and a
// function that ends both. Who is inside must not enter again.
func (g gate) enter(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, ReadTimeout)
	select {
	case g <- struct{}{}:
		return ctx, func() { cancel(); <-g }, nil
	case <-ctx.Done():
		defer cancel()
		return nil, nil, late(ctx, ctx.Err())
	}
}
