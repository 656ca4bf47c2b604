package changelog

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// A failed follower retries after a backoff that doubles between these.
const (
	retryFirst = 50 * time.Millisecond
	retryMost  = 5 * time.Second
)

// movedInterval is how often an idle follower checks whether its position was moved.
const movedInterval = time.Second

// passOver is the maximum number of positions to skip without saving the
// follower's position, while there are more.
const passOver = 4096

// defaultBatch is the maximum of changes that a follower gets at once.
const defaultBatch = 256

// FollowerOptions say what a follower does with changes, and where it begins.
type FollowerOptions struct {
	// Name is the key of the saved position, from which the follower
	// continues after a restart. "" saves nothing.
	Name string
	// After is where to begin if no position is saved.
	After int64
	// Batch is the maximum of changes in one call; 0 means 256.
	Batch int

	// Plan, if non-nil, sees changes before they are passed on. It returns
	// how many of them to continue with, at least one, and whether there is
	// work for them. Changes without work are skipped, without a write for
	// each batch. They may be seen again after a restart.
	Plan func(ctx context.Context, batch []Change) (n int, work bool, err error)
	// Passed, if non-nil, receives a position up to which there are no more
	// changes: those there were purged or skipped.
	Passed func(ctx context.Context, to int64) error
	// Done, if non-nil, is called after a batch was processed and its
	// position saved. It must not block.
	Done func()

	// One of these two functions receives the changes. If it fails or panics, it gets
	// the same changes again, perhaps with newer ones, until it succeeds.

	// Handle acts outside of the store. It sees every change in order, and
	// once, except after a crash between its return and saving the position.
	// If several processes follow under one name, each may get a batch.
	Handle func(ctx context.Context, batch []Change) error
	// Apply acts in the transaction that saves the position: its writes are
	// stored exactly once, however many processes follow under the name. The
	// rules for functions of [sqldb.DB.Write] apply. It needs a Name.
	Apply func(tx *sqldb.Tx, batch []Change) error
}

// Follower passes on the change log in the order of positions, without gaps
// or repetition. Its numbers may be read while it runs.
type Follower struct {
	s        *Log
	o        FollowerOptions
	loaded   bool
	saved    int64
	position atomic.Int64
}

// NewFollower returns a follower; [Follower.Run] starts it.
func (s *Log) NewFollower(o FollowerOptions) *Follower {
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	f := &Follower{s: s, o: o}
	f.position.Store(o.After)
	return f
}

// Position is the position up to which changes were processed.
func (f *Follower) Position() int64 { return f.position.Load() }

// Lag is the number of known positions that were not yet processed.
func (f *Follower) Lag() int64 { return max(0, f.s.tail.end()-f.Position()) }

// Run follows until ctx ends or the store is closed, which waits for it, and
// returns the reason. Failures of the database and of the options' function
// are logged and retried. Only a *[TruncatedError] ends it too. It must not
// run twice at the same time.
func (f *Follower) Run(ctx context.Context) error {
	ctx, detach, err := f.s.tail.attach(ctx, f)
	if err != nil {
		return err
	}
	defer detach()
	for retry := retryFirst; ; {
		err := f.step(ctx)
		var truncated *TruncatedError
		switch {
		case ctx.Err() != nil:
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = f.save(last, f.Position()) // otherwise the next start reads the skipped changes again
			return context.Cause(ctx)
		case errors.As(err, &truncated):
			return err
		case err == nil:
			retry = retryFirst
			continue
		}
		f.s.db.Logger().WarnContext(ctx, "a follower of the change log failed and tries again",
			"follower", f.o.Name, "position", f.Position(), "wait", retry, "error", err)
		sqldb.Pause(ctx, retry)
		retry = min(2*retry, retryMost)
	}
}

// step passes on one batch, or waits for more.
func (f *Follower) step(ctx context.Context) error {
	if err := f.load(ctx); err != nil {
		return err
	}
	after, end := f.Position(), f.s.tail.end()
	batch, err := f.read(ctx, after)
	if err != nil {
		return err
	}
	if len(batch) == 0 {
		if end > after {
			after = end
			if f.o.Passed != nil {
				if err := f.o.Passed(ctx, after); err != nil {
					return fmt.Errorf("pass over what lies before %d: %w", after, err)
				}
			}
			f.position.Store(after)
		}
		return f.idle(ctx, after)
	}
	if moved, err := f.moved(ctx); moved || err != nil {
		return err
	}
	work := true
	if f.o.Plan != nil {
		n := 0
		err = sqldb.Guard(func() error { n, work, err = f.o.Plan(ctx, batch); return err })
		if err != nil {
			return fmt.Errorf("plan the changes behind %d: %w", after, err)
		}
		batch = batch[:n]
	}
	to := batch[len(batch)-1].Position
	if !work && to-f.saved < passOver {
		f.position.Store(to)
		return nil
	}
	err = f.hand(ctx, batch, to)
	switch {
	case errors.Is(err, errMoved):
		f.loaded = false
		return nil
	case err != nil:
		return fmt.Errorf("hand over the changes behind %d: %w", after, err)
	}
	f.saved = to
	f.position.Store(to)
	if f.o.Done != nil {
		f.o.Done()
	}
	return nil
}

// idle waits for changes after after, or until the follower is moved.
func (f *Follower) idle(ctx context.Context, after int64) error {
	if f.o.Name == "" {
		f.s.tail.await(ctx, after)
		return nil
	}
	for ctx.Err() == nil && f.s.tail.end() <= after {
		wait, cancel := context.WithTimeout(ctx, movedInterval)
		f.s.tail.await(wait, after)
		cancel()
		if moved, err := f.moved(ctx); moved || err != nil {
			return err
		}
		if f.s.tail.end() > after {
			return nil
		}
		if err := f.save(ctx, after); err != nil {
			return err
		}
	}
	return nil
}

// save saves the position of a follower that has skipped changes, so that
// the next start does not read them again.
func (f *Follower) save(ctx context.Context, to int64) error {
	if f.o.Plan == nil || !f.loaded || f.saved >= to {
		return nil
	}
	err := f.s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return moveFollower(tx, f.o.Name, f.saved, to) })
	switch {
	case errors.Is(err, errMoved):
		f.loaded = false
		return nil
	case err != nil:
		return fmt.Errorf("save position %d of follower %s: %w", to, f.o.Name, err)
	}
	f.saved = to
	return nil
}

// moved checks whether another process saved a position for the follower,
// which then has to load it.
func (f *Follower) moved(ctx context.Context) (bool, error) {
	if f.o.Name == "" {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, sqldb.LookTimeout)
	defer cancel()
	var saved int64
	found, err := f.s.read.Row(ctx, []any{&saved}, `SELECT position FROM followers WHERE name = $1`, f.o.Name)
	if err != nil {
		return false, fmt.Errorf("look whether follower %s was moved: %w", f.o.Name, err)
	}
	f.loaded = found && saved == f.saved
	return !f.loaded, nil
}

func (f *Follower) read(ctx context.Context, after int64) ([]Change, error) {
	ctx, cancel := context.WithTimeout(ctx, sqldb.LookTimeout)
	defer cancel()
	return f.s.behind(ctx, after, f.o.Batch)
}

// hand passes the batch to the function of the options and saves the position.
func (f *Follower) hand(ctx context.Context, batch []Change, to int64) error {
	if f.o.Apply != nil {
		return f.s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
			if err := moveFollower(tx, f.o.Name, f.saved, to); err != nil {
				return err // another process was faster
			}
			return f.o.Apply(tx, batch)
		})
	}
	err := sqldb.Guard(func() error { return f.o.Handle(ctx, batch) })
	if err != nil || f.o.Name == "" {
		return err
	}
	// The result is saved even during shutdown.
	return f.s.db.Write(context.WithoutCancel(ctx), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		return moveFollower(tx, f.o.Name, f.saved, to)
	})
}

// load reads the saved position, or saves the first one.
func (f *Follower) load(ctx context.Context) error {
	if f.loaded {
		return nil
	}
	if f.o.Name == "" {
		f.loaded = true
		return nil
	}
	position := f.o.After
	err := f.s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`INSERT INTO followers (name, position) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			f.o.Name, f.o.After); err != nil {
			return err
		}
		_, err := tx.Row([]any{&position}, `SELECT position FROM followers WHERE name = $1`, f.o.Name)
		return err
	})
	if err != nil {
		return fmt.Errorf("load the position of follower %s: %w", f.o.Name, err)
	}
	f.loaded, f.saved = true, position
	f.position.Store(position)
	return nil
}

// errMoved is returned if a follower's saved position has changed.
var errMoved = errors.New("the follower was moved by another process")

// moveFollower saves a follower's position, unless it is no longer at from.
func moveFollower(tx *sqldb.Tx, name string, from, to int64) error {
	n, err := tx.Exec(`UPDATE followers SET position = $3 WHERE name = $1 AND position = $2`, name, from, to)
	if err != nil {
		return fmt.Errorf("save the position of follower %s: %w", name, err)
	}
	if n == 0 {
		return errMoved
	}
	return nil
}

// MoveFollower saves a position for the name, replacing any other. A running
// follower with that name, in any process, continues from there after its
// present batch. An idle one does so within a second.
func (s *Log) MoveFollower(ctx context.Context, name string, position int64) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`INSERT INTO followers (name, position) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET position = excluded.position`, name, position); err != nil {
			return fmt.Errorf("move follower %s: %w", name, err)
		}
		return nil
	})
}

// FollowerSince returns when the first change happened that the follower of
// that name has not processed, as far as it has saved its position. While
// changes follow one another without pause, that may lag by up to an hour
// and a quarter. If no follower ever had the name, it counts the changes
// that webhooks want. It is zero if there are none.
func (s *Log) FollowerSince(ctx context.Context, name string) (time.Time, error) {
	var at int64
	found, err := s.read.Row(ctx, []any{&at}, `SELECT c.time FROM changes c
		WHERE c.`+s.src.position()+` > COALESCE((SELECT f.position FROM followers f WHERE f.name = $1), (SELECT MIN(w.active_after) FROM webhooks w WHERE NOT w.disabled))
		ORDER BY c.`+s.src.position()+` LIMIT 1`, name)
	if err != nil {
		return time.Time{}, fmt.Errorf("look what follower %s has to do: %w", name, err)
	}
	if !found {
		return time.Time{}, nil
	}
	return sqldb.Moment(at), nil
}
