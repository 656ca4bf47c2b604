package store

import (
	"context"
	"errors"
	"time"

	"github.com/octavo-docs/octavo"
)

// readTimeout is how long a read may take, in which it waits for a connection
// too. A database that does not answer is found out by it.
const readTimeout = 5 * time.Second

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

// gate lets a bounded number of reads run at once, each up to readTimeout.
// Lists go through one, so that slow ones leave connections to reads of single
// pages.
type gate chan struct{}

// enter waits for a place and returns a context with the deadline, and a
// function that ends both. Who is inside must not enter again.
func (g gate) enter(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	select {
	case g <- struct{}{}:
		return ctx, func() { cancel(); <-g }, nil
	case <-ctx.Done():
		defer cancel()
		return nil, nil, late(ctx, ctx.Err())
	}
}
