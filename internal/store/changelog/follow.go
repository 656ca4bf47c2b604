package changelog

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// A follower that fails tries again after a time that doubles between these.
const (
	retryFirst = 50 * time.Millisecond
	retryMost  = 5 * time.Second
)

// movedInterval is how often a follower that has nothing to do looks whether
// it was moved.
const movedInterval = time.Second

// passOver is how many positions are passed over at most without saving where
// the follower is, while there are more.
const passOver = 4096

// defaultBatch is the most changes that a follower is handed at once.
const defaultBatch = 256

// FollowerOptions say what a follower does with the changes, and where it
// begins.
type FollowerOptions struct {
	// Name is what the position is saved under, so that the follower goes on
	// from there after a restart. "" saves nothing.
	Name string
	// After is the position to begin behind when none is saved.
	After int64
	// Batch is the most changes to be handed over at once; 0 stands for 256.
	Batch int

	// Plan, unless nil, looks at changes before they are handed over. It says
	// how many of them to go on with, at least one, and whether there is
	// anything to do with those; what there is not is passed over, without a
	// write for each batch, and may be seen again after a restart.
	Plan func(ctx context.Context, batch []Change) (n int, work bool, err error)
	// Passed, unless nil, is told of a position up to which there are no more
	// changes: what lay there was removed with its page, or passed over.
	Passed func(ctx context.Context, to int64) error
	// Done, unless nil, is called when a batch was handed over and its position
	// is saved. It must not wait.
	Done func()

	// One of the two takes the changes. When it fails or panics it is handed
	// the same changes again, and maybe younger ones, until it succeeds.

	// Handle acts outside of the store. It sees every change in order and, but
	// for a crash between its return and the saving of the position, once.
	// Where several processes follow under one name, each may be handed a batch.
	Handle func(ctx context.Context, batch []Change) error
	// Apply acts in the transaction that saves the position: what it writes is
	// kept exactly once, however many processes follow under the name. What is
	// said of the function in [sqldb.DB.Write] holds for it. It needs a Name.
	Apply func(tx *sqldb.Tx, batch []Change) error
}

// Follower hands the change log on, in the order of positions, without gap or
// repetition. Its numbers may be read while it runs.
type Follower struct {
	s        *Log
	o        FollowerOptions
	loaded   bool
	saved    int64
	position atomic.Int64
}

// NewFollower makes a follower, which does nothing until it is run.
func (s *Log) NewFollower(o FollowerOptions) *Follower {
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	f := &Follower{s: s, o: o}
	f.position.Store(o.After)
	return f
}

// Position is up to where changes were handled.
func (f *Follower) Position() int64 { return f.position.Load() }

// Lag is how many positions are known that were not yet handled.
func (f *Follower) Lag() int64 { return max(0, f.s.tail.end()-f.Position()) }

// Run follows until ctx ends or the store is closed, which waits for it, and
// returns why. Failures of the database and of the options' function are
// logged and tried again; only a *[TruncatedError] ends it as well. It may run
// once at a time.
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
			_ = f.save(last, f.Position()) // else the next start reads again what was passed over
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

// step hands one batch over, or waits for more.
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

// idle waits for changes behind after, or until the follower is moved.
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

// save saves where a follower is that has passed over changes, so that the
// next start does not read them again.
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

// moved finds out whether somebody else saved a position for the follower,
// which then has to be loaded.
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

// hand gives the batch to the function of the options and saves the position.
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
	// What was handled is saved even while everything stops.
	return f.s.db.Write(context.WithoutCancel(ctx), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		return moveFollower(tx, f.o.Name, f.saved, to)
	})
}

// load goes to the saved position, saving the first.
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

// errMoved says that a follower's saved position is not what it was.
var errMoved = errors.New("the follower was moved by another process")

// moveFollower saves where a follower is, unless it is no longer at from.
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

// MoveFollower saves a position for the name, whatever was saved before. A
// follower that runs under it, in any process, goes on from there after the
// batch that it is handling; one that has nothing to do, within a second.
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
// that name has not handled, as far as it has saved that: up to an hour and a
// quarter after it did where changes follow each other without a rest. Where no
// follower ever had the name, what webhooks are to be told counts. It is zero
// when there is none.
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
