package sqldb

import (
	"context"
	"errors"
	"time"

	"github.com/octavo-docs/octavo"
)

// ReadTimeout limits a read, including the wait for a connection. It detects
// a database that does not respond.
const ReadTimeout = 5 * time.Second

// LookTimeout limits one check or one read of the change log when the
// database does not respond.
const LookTimeout = 10 * time.Second

// PollInterval is how often a process looks for changes of other processes
// if there are no notifications.
const PollInterval = 250 * time.Millisecond

// Pause waits for d, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Bell wakes a worker. Make it with room for one.
type Bell chan struct{}

// Ring wakes the waiting worker, or the next call of Wait. It never blocks.
func (b Bell) Ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}

// Wait waits for Ring, for d, or until ctx ends.
func (b Bell) Wait(ctx context.Context, d time.Duration) {
	select {
	case <-b:
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// late converts the error of a statement after its deadline into a retryable one.
func late(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return &octavo.Error{
		Type: octavo.Unavailable, Detail: "The database took too long to answer.", RetryAfter: time.Second, Err: err,
	}
}

// List waits for one of the limited number of concurrent lists, so that slow lists
// leave connections to reads of single rows. It returns a context with the deadline of
// a read, and a function that releases both. Do not call it again before that.
func (db *DB) List(ctx context.Context) (context.Context, func(), error) { return db.lists.enter(ctx) }

// gate limits concurrent reads, each to readTimeout.
type gate chan struct{}

// enter waits until the gate is free. It returns a context with the deadline, and a
// function that releases both. Do not enter again before that.
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
