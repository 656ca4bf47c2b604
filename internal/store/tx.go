package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Tx is one transaction with everything that a mutation needs to know. It may
// be used by one goroutine, and only until the function it was given to returns.
type Tx struct {
	s       *Store
	c       conn
	ctx     context.Context
	cause   Cause
	now     time.Time // one reading for the whole transaction, in milliseconds
	told    bool      // whether it recorded a change
	fatal   error     // what ended the transaction, whatever fn makes of it
	pages   touched
	created octavo.ID // the newest page of the transaction
}

// Write runs fn in one transaction. It may share the commit with other writes,
// but either all that fn did is kept or, when fn or the commit fails, nothing.
//
// fn may run more than once and must therefore set its results afresh each
// time. It must not call Write or wait for anything else: on SQLite all other
// writers wait for it. Cancelling ctx keeps fn from being started but does not
// interrupt it.
func (s *Store) Write(ctx context.Context, cause Cause, fn func(tx *Tx) error) error {
	cause.Actor = octavo.Actor{ID: plain(cause.Actor.ID), Name: plain(cause.Actor.Name)}
	cause.TraceID, cause.Traceparent, cause.Address = plain(cause.TraceID), plain(cause.Traceparent), plain(cause.Address)
	end, err := s.claims.begin(cause.Claim)
	if err != nil {
		return err
	}
	defer end()
	return s.write(ctx, cause, func(tx *Tx) error {
		if err := tx.begin(cause.Claim); err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		return tx.answer(cause.Claim)
	})
}

// write is Write without an Idempotency-Key.
func (s *Store) write(ctx context.Context, cause Cause, fn func(tx *Tx) error) error {
	ctx, span := s.opts.Trace.Child(ctx, "store.write", tracing.Internal)
	defer span.End()
	var told bool
	var begun []touched // of every run of fn
	defer func() {
		for _, t := range begun {
			s.stamps.end(t)
		}
	}()
	err := s.db.write(ctx, func(ctx context.Context, c conn) error {
		tx := &Tx{s: s, c: c, ctx: ctx, cause: cause, now: s.now()}
		err := fn(tx)
		told = tx.told
		if s.stamps != nil && tx.pages.any {
			s.stamps.begin(tx.pages)
			begun = append(begun, tx.pages)
		}
		if tx.fatal != nil {
			return tx.fatal
		}
		return err
	})
	if err == nil && told {
		s.tail.poke()
	}
	span.FailIf(err)
	return err
}

// now reads the clock as it is stored.
func (s *Store) now() time.Time { return moment(s.opts.Now().UnixMilli()) }

// Each runs fn so that, when it fails, its own effects are undone and the
// transaction goes on. The error is returned. On PostgreSQL transactions that
// use it run one after another: they hold many locks in any order, and would
// wait for each other in circles.
func (tx *Tx) Each(fn func(tx *Tx) error) error {
	if err := tx.lockTree(); err != nil {
		return err
	}
	if tx.undone() {
		return tx.spoil(fn)
	}
	if _, err := tx.exec("SAVEPOINT each"); err != nil {
		return err
	}
	err := fn(tx)
	if err != nil && tx.s.db.fatal(err) {
		tx.fatal = err
	}
	if tx.fatal != nil {
		return tx.fatal
	}
	if err != nil {
		if _, undo := tx.exec("ROLLBACK TO SAVEPOINT each"); undo != nil {
			tx.fatal = fmt.Errorf("undo after %w: %w", err, undo)
			return tx.fatal
		}
	}
	if _, release := tx.exec("RELEASE SAVEPOINT each"); release != nil {
		tx.fatal = release
		return release
	}
	return err
}

// undone reports whether a transaction that needs to undo a part of it is run
// again from the start, with savepoints, and so goes without at first.
func (tx *Tx) undone() bool {
	c, ok := tx.c.db.(*changes)
	return ok && !c.careful
}

// spoil is Each without a savepoint: what fails and has changed something ends
// the transaction, which runs again.
func (tx *Tx) spoil(fn func(tx *Tx) error) error {
	changes := tx.c.db.(*changes)
	before := changes.n
	err := fn(tx)
	switch {
	case err == nil || tx.fatal != nil:
	case tx.s.db.fatal(err):
		tx.fatal = err
	case changes.n != before:
		tx.fatal = errSpoilt
	}
	if tx.fatal != nil {
		return tx.fatal
	}
	return err
}

// stepsAtOnce is how many steps are tried under one savepoint. A savepoint for
// each costs a good deal more, and is needed only where one is refused.
const stepsAtOnce = 100

// Steps runs step for 0 to n-1, some of them twice, so that one that is refused,
// with an *octavo.Error, leaves the others alone. It returns what each of them
// was refused for, nil for those that were not. Any other error ends it.
func (tx *Tx) Steps(n int, step func(i int) error) (refusals []error, err error) {
	refusals = make([]error, n)
	atOnce := stepsAtOnce
	if tx.undone() {
		atOnce = 1
	}
	for from := 0; from < n; from += atOnce {
		if err := tx.steps(from, min(from+atOnce, n), step, refusals); err != nil {
			return nil, err
		}
	}
	return refusals, nil
}

// steps runs the steps [from, to): all together, and when one of them is
// refused, each by itself.
func (tx *Tx) steps(from, to int, step func(i int) error, refusals []error) error {
	err := tx.Each(func(*Tx) error {
		for i := from; i < to; i++ {
			if err := step(i); err != nil {
				return err
			}
		}
		return nil
	})
	var refused *octavo.Error
	if err == nil || !errors.As(err, &refused) {
		return err
	}
	if to-from == 1 {
		refusals[from] = err
		return nil
	}
	for i := from; i < to; i++ {
		if err := tx.steps(i, i+1, step, refusals); err != nil {
			return err
		}
	}
	return nil
}

// Now is the time of the transaction.
func (tx *Tx) Now() time.Time { return tx.now }

func (tx *Tx) exec(query string, args ...any) (int64, error) {
	return tx.c.exec(tx.ctx, query, args...)
}

func (tx *Tx) row(dest []any, query string, args ...any) (bool, error) {
	return tx.c.row(tx.ctx, dest, query, args...)
}
