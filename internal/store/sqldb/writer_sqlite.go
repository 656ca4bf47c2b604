package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
)

// Limits of one shared transaction: the first write in it should not wait
// much longer than for the disk.
const (
	maxBatch     = 256
	maxBatchTime = 25 * time.Millisecond

	// carefulBatches is how many batches use savepoints after one that had
	// to be undone.
	carefulBatches = 16
)

// writer owns the only connection that writes. It runs all waiting writes in one
// transaction, commits once and then responds to all of them, so that they share the
// cost of a flush. A write that fails does not affect the others.
type writer struct {
	c       Conn
	changes *changes // made through c
	careful int      // batches that still use savepoints
	stmts   *prepared
	link    *sql.Conn
	queue   chan *write
	fatal   func(error) bool
	// foreign is called if another process has changed the database.
	foreign func()
	version int64 // of the database at the last check
	known   bool
	meter   *meter
	done    chan struct{} // closed when the goroutine has ended

	mu     sync.RWMutex // guards closed against sends to queue
	closed bool
}

// write is one caller's work in the writer.
type write struct {
	fn     func(context.Context, Conn) error
	state  atomic.Int32
	err    error // returned by fn, for the writer
	result chan error
}

// A write is either started by the writer or given up by its caller, never both.
const (
	waiting int32 = iota
	started
	abandoned
)

var (
	// errBroken marks a failure that ended the shared transaction.
	errBroken = errors.New("the shared transaction failed")
	// errSpoilt marks a failed write that has changed something.
	errSpoilt = errors.New("a write of the shared transaction has to be undone")
)

func startWriter(ctx context.Context, pool *sql.DB, translate func(error) error, m *meter, foreign func()) (*writer, error) {
	link, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	stmts := newPrepared(link.PrepareContext)
	counted := &changes{executor: stmts}
	w := &writer{
		c:       Conn{counted, translate, 0},
		changes: counted,
		stmts:   stmts,
		link:    link,
		queue:   make(chan *write, maxBatch),
		fatal:   (*sqliteDB)(nil).fatal,
		meter:   m,
		foreign: foreign,
		done:    make(chan struct{}),
	}
	go w.run()
	return w, nil
}

// do passes fn to the writer and waits until its effects are on disk or it
// has failed. If ctx ends before fn starts, fn never runs.
func (w *writer) do(ctx context.Context, fn func(context.Context, Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	item := &write{fn: fn, result: make(chan error, 1)}
	if err := w.send(ctx, item); err != nil {
		return err
	}
	select {
	case err := <-item.result:
		return err
	case <-ctx.Done():
		if item.state.CompareAndSwap(waiting, abandoned) {
			return ctx.Err()
		}
		return <-item.result
	}
}

func (w *writer) send(ctx context.Context, item *write) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The server is stopping."}
	}
	select {
	case w.queue <- item:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop finishes the waiting writes and ends the goroutine.
func (w *writer) stop() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.done
	return errors.Join(w.stmts.close(), w.link.Close())
}

func (w *writer) run() {
	defer close(w.done)
	look := time.NewTicker(PollInterval)
	defer look.Stop()
	w.settle()
	for {
		select {
		case first, open := <-w.queue:
			if !open {
				return
			}
			w.batch(first)
		case <-look.C:
			before, known := w.version, w.known
			if w.settle(); !w.known || !known || w.version != before {
				w.foreign()
			}
		}
	}
}

// settle accepts the present database version as made by this process. Only
// the writer's goroutine may call it.
func (w *writer) settle() { w.version, w.known = w.dataVersion() }

// dataVersion detects commits of other processes: it changes with commits of other
// connections. Only one process may change pages, but another tool might.
func (w *writer) dataVersion() (version int64, ok bool) {
	found, err := w.c.Row(context.Background(), []any{&version}, "PRAGMA data_version")
	return version, found && err == nil
}

// batch runs first and other waiting writes in one transaction. Even a
// refusal is returned only after the commit, because it may depend on a
// change that is not visible before.
//
// Undoing one write of many has a price: SQLite copies every page before a
// savepoint's first change of it. So the writes run without savepoints. If
// one fails that has changed something, all of them run again with
// savepoints. So do the next batches, since failures often come together.
func (w *writer) batch(first *write) {
	taken, err := w.attempt(w.take(first))
	if errors.Is(err, errSpoilt) {
		w.careful = carefulBatches
		_, err = w.attempt(slices.Values(taken)) // all callers get a result, however large the batch
	}
	for _, item := range taken {
		if err != nil {
			item.err = err
		}
		item.result <- item.err
	}
}

// take yields first and other waiting writes while the batch may grow.
func (w *writer) take(first *write) iter.Seq[*write] {
	return func(yield func(*write) bool) {
		end := time.NewTimer(maxBatchTime)
		defer end.Stop()
		taken := 0
		for item := first; item != nil; item = w.next(taken, end.C) {
			if !item.state.CompareAndSwap(waiting, started) {
				continue
			}
			taken++
			if !yield(item) {
				return
			}
		}
	}
}

// attempt runs writes in one transaction and returns them. On an error, none
// of their effects are stored.
func (w *writer) attempt(items iter.Seq[*write]) (taken []*write, err error) {
	ctx := context.Background()
	run := w.plain
	w.changes.careful = w.careful > 0
	if w.changes.careful {
		w.careful--
		run = w.item
	}
	begun := false
	for item := range items {
		taken = append(taken, item)
		if !begun {
			if _, err := w.c.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
				return taken, fmt.Errorf("begin: %w", err)
			}
			begun = true
		}
		item.err = run(ctx, item)
		if errors.Is(item.err, errBroken) || errors.Is(item.err, errSpoilt) {
			w.rollback(ctx)
			return taken, item.err
		}
	}
	if !begun {
		return nil, nil
	}
	err = w.meter.commit(len(taken), func() error {
		_, err := w.c.Exec(ctx, "COMMIT")
		return err
	})
	if err != nil {
		w.rollback(ctx)
		return taken, fmt.Errorf("commit: %w", err)
	}
	return taken, nil
}

// next returns a waiting write, or nil if the batch should end.
func (w *writer) next(size int, end <-chan time.Time) *write {
	if size >= maxBatch {
		return nil
	}
	select {
	case <-end:
		return nil
	default:
	}
	select {
	case item := <-w.queue: // nil when closed
		return item
	default:
		return nil
	}
}

// plain runs one write. If it fails with errSpoilt or errBroken, the
// transaction cannot be committed.
func (w *writer) plain(ctx context.Context, item *write) error {
	before := w.changes.n
	err := Guard(func() error { return item.fn(ctx, w.c) })
	switch {
	case err == nil:
		return nil
	case w.fatal(err):
		return fmt.Errorf("%w: %w", errBroken, err)
	case w.changes.n != before:
		return errSpoilt
	}
	return err
}

// changes counts statements that may have changed something.
type changes struct {
	executor
	n       int
	careful bool // whether parts of a transaction can be undone; see writer.batch
}

// ExecContext implements executor.
func (c *changes) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	result, err := c.executor.ExecContext(ctx, query, args...)
	if err != nil {
		c.n++
		return nil, err
	}
	if rows, err := result.RowsAffected(); err != nil || rows > 0 {
		c.n++
	}
	return result, nil
}

// QueryContext implements executor.
func (c *changes) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if !strings.HasPrefix(query, "SELECT ") {
		c.n++
	}
	return c.executor.QueryContext(ctx, query, args...)
}

// item runs one write within a savepoint. After an error other than
// errBroken, nothing of it remains in the transaction.
func (w *writer) item(ctx context.Context, item *write) error {
	if _, err := w.c.Exec(ctx, "SAVEPOINT item"); err != nil {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	err := Guard(func() error { return item.fn(ctx, w.c) })
	if err != nil && w.fatal(err) {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	if err != nil {
		if _, undo := w.c.Exec(ctx, "ROLLBACK TO item"); undo != nil {
			return fmt.Errorf("%w: %w", errBroken, errors.Join(err, undo))
		}
	}
	if _, release := w.c.Exec(ctx, "RELEASE item"); release != nil {
		return fmt.Errorf("%w: %w", errBroken, errors.Join(err, release))
	}
	return err
}

// rollback ends the transaction. It fails only if SQLite has already ended
// it after an unrecoverable error.
func (w *writer) rollback(ctx context.Context) { _, _ = w.c.Exec(ctx, "ROLLBACK") }

// Guard turns a panic of fn into an error with the stack.
func Guard(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}
