package sqldb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Cause says who requested a mutation; it is recorded with it.
type Cause struct {
	Actor   octavo.Actor
	TraceID string
	// Traceparent is that of the request, for the calls that it causes; ""
	// if it had none.
	Traceparent string
	Address     string // network address of the request; only for the audit log
	Claim       *Claim // how to respond to a repeated request; nil without Idempotency-Key
	Merge       *Merge // the change of a proposal that is merged; nil for any other
	Review      Review
}

// Merge is a proposed change of a page that the actor merges.
type Merge struct {
	Author octavo.Actor // of the change, and therefore of the revision
}

// Tx is one transaction and its context. It is for one goroutine, and only
// until its function returns.
type Tx struct {
	db      *DB
	c       Conn
	ctx     context.Context
	cause   Cause
	now     time.Time // the same for the whole transaction, in milliseconds
	changed bool      // whether a change was recorded
	fatal   error     // what ended the transaction, even if fn ignores it
	pages   touched
	created octavo.ID // the newest page of the transaction

	review *octavo.SiteReview // nil until it is read
}

// Write runs fn in one transaction. It may share the commit with other writes, but
// either everything that fn did is stored or, if fn or the commit fails, nothing.
//
// fn may run more than once and must therefore reset its results each time. It must not
// call Write or wait for anything else: on SQLite all other writers wait for it.
// Cancelling ctx prevents fn from starting, but does not interrupt it.
func (db *DB) Write(ctx context.Context, cause Cause, fn func(tx *Tx) error) error {
	cause.Actor = octavo.Actor{ID: Plain(cause.Actor.ID), Name: Plain(cause.Actor.Name)}
	cause.TraceID, cause.Traceparent, cause.Address = Plain(cause.TraceID), Plain(cause.Traceparent), Plain(cause.Address)
	if cause.Claim == nil {
		return db.write(ctx, cause, fn)
	}
	end, err := db.claims.begin(cause.Claim)
	if err != nil {
		return err
	}
	defer end()
	return db.write(ctx, cause, func(tx *Tx) error {
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
func (db *DB) write(ctx context.Context, cause Cause, fn func(tx *Tx) error) error {
	ctx, span := db.opts.Trace.Child(ctx, "store.write", tracing.Internal)
	defer span.End()
	var changed bool
	var begun []touched // for every run of fn
	defer func() {
		for _, t := range begun {
			db.stamps.end(t)
		}
	}()
	err := db.driver.write(ctx, func(ctx context.Context, c Conn) error {
		tx := &Tx{db: db, c: c, ctx: ctx, cause: cause, now: db.Now()}
		err := fn(tx)
		changed = tx.changed
		if db.stamps.counted && tx.pages.any {
			db.stamps.begin(tx.pages)
			begun = append(begun, tx.pages)
		}
		if tx.fatal != nil {
			return tx.fatal
		}
		return err
	})
	if err == nil && changed && db.onChange != nil {
		db.onChange()
	}
	span.FailIf(err)
	return err
}

// Each runs fn. If fn fails, its own effects are undone, the transaction continues, and
// the error is returned. On PostgreSQL, transactions that use Each run one after
// another: they hold many locks in any order, and would deadlock.
func (tx *Tx) Each(fn func(tx *Tx) error) error {
	if err := tx.Lock(TreeLock); err != nil {
		return fmt.Errorf("lock the page tree: %w", err)
	}
	if tx.undone() {
		return tx.spoil(fn)
	}
	if _, err := tx.Exec("SAVEPOINT each"); err != nil {
		return err
	}
	err := fn(tx)
	if err != nil && tx.db.driver.fatal(err) {
		tx.fatal = err
	}
	if tx.fatal != nil {
		return tx.fatal
	}
	if err != nil {
		if _, undo := tx.Exec("ROLLBACK TO SAVEPOINT each"); undo != nil {
			tx.fatal = fmt.Errorf("undo after %w: %w", err, undo)
			return tx.fatal
		}
	}
	if _, release := tx.Exec("RELEASE SAVEPOINT each"); release != nil {
		tx.fatal = release
		return release
	}
	return err
}

// undone reports whether a transaction that has to undo a part runs again from the
// start with savepoints. It therefore runs without savepoints at first.
func (tx *Tx) undone() bool {
	c, ok := tx.c.db.(*changes)
	return ok && !c.careful
}

// spoil is Each without a savepoint. A failed part that has changed
// something ends the transaction, which runs again.
func (tx *Tx) spoil(fn func(tx *Tx) error) error {
	changes := tx.c.db.(*changes)
	before := changes.n
	err := fn(tx)
	switch {
	case err == nil || tx.fatal != nil:
	case tx.db.driver.fatal(err):
		tx.fatal = err
	case changes.n != before:
		tx.fatal = errSpoilt
	}
	if tx.fatal != nil {
		return tx.fatal
	}
	return err
}

// stepsAtOnce is how many steps are tried under one savepoint. A savepoint
// for each step costs much more, and is needed only if one is refused.
const stepsAtOnce = 100

// Steps runs step for 0 to n-1, some of them twice. A step that is refused
// with an *octavo.Error does not affect the others. It returns the refusal
// of each step, or nil. Any other error ends it.
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

// steps runs the steps [from, to) together. If one of them is refused, it
// runs each separately.
func (tx *Tx) steps(from, to int, step func(i int) error, refusals []error) error {
	err := tx.Each(func(*Tx) error {
		for i := from; i < to; i++ {
			if err := step(i); err != nil {
				return err
			}
		}
		return nil
	})
	if _, refused := errors.AsType[*octavo.Error](err); !refused {
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

// After returns the time of a change: that of the transaction, but at least
// a millisecond after the last change. So the time never goes back, and no
// two states of a page have the same time. Comparing times finds every
// change, even after the clock was behind.
func (tx *Tx) After(last time.Time) time.Time {
	if next := last.Add(time.Millisecond); tx.now.Before(next) {
		return next
	}
	return tx.now
}

// NewID returns a new identifier.
func (tx *Tx) NewID(prefix octavo.Prefix) (octavo.ID, error) { return tx.db.opts.IDs.New(prefix) }

// Cause says who requested the transaction.
func (tx *Tx) Cause() *Cause { return &tx.cause }

// Changed marks that the transaction recorded a change, see [DB.OnChange].
func (tx *Tx) Changed() { tx.changed = true }

// Conn runs statements of the transaction, with its Context.
func (tx *Tx) Conn() Conn { return tx.c }

// Context is the context of the transaction.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Exec runs a statement and returns the number of rows that it changed.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	return tx.c.Exec(tx.ctx, query, args...)
}

// Row reads the first row into dest and reports whether there is one.
func (tx *Tx) Row(dest []any, query string, args ...any) (bool, error) {
	return tx.c.Row(tx.ctx, dest, query, args...)
}

// Query calls scan for every row. scan must not run statements.
func (tx *Tx) Query(scan func(Scanner) error, query string, args ...any) error {
	return tx.c.Query(tx.ctx, scan, query, args...)
}
