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

// Bounds of one shared transaction: who waits longest should not wait much
// longer than for the disk.
const (
	maxBatch     = 256
	maxBatchTime = 25 * time.Millisecond

	// carefulBatches is how many batches run with savepoints after one that had
	// to be undone.
	carefulBatches = 16
)

// writer owns the one connection that writes. It takes all writes that wait
// into one transaction, commits once and then answers them all, so that the
// cost of reaching the disk is shared. A write that fails takes nothing with
// it.
type writer struct {
	c       Conn
	changes *changes // made through c
	careful int      // batches that are still to run with savepoints
	stmts   *prepared
	link    *sql.Conn
	queue   chan *write
	fatal   func(error) bool
	// foreign is called when another process has changed the database.
	foreign func()
	version int64 // of the database when it was last looked at
	known   bool
	meter   *meter
	done    chan struct{} // closed when the goroutine has ended

	mu     sync.RWMutex // guards closed against sends to queue
	closed bool
}

// write is one caller's work on its way through the writer.
type write struct {
	fn     func(context.Context, Conn) error
	state  atomic.Int32
	err    error // what fn returned, for the writer
	result chan error
}

// A write is started by the writer or given up by its caller, never both.
const (
	waiting int32 = iota
	started
	abandoned
)

var (
	// errBroken marks a failure that took the shared transaction with it.
	errBroken = errors.New("the shared transaction failed")
	// errSpoilt marks a write that failed and left something behind.
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

// do hands fn to the writer and waits until it is on disk or has failed. When
// ctx ends before fn was started it never is.
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

// stop lets the waiting writes finish and ends the goroutine.
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

// settle takes the database as it is now for what this process made of it. Only
// the goroutine that writes may call it.
func (w *writer) settle() { w.version, w.known = w.dataVersion() }

// dataVersion tells commits of other processes: it changes with those that
// were not this connection's. Others keep to the rule that only one process
// changes pages, but somebody with a tool of his own may not.
func (w *writer) dataVersion() (version int64, ok bool) {
	found, err := w.c.Row(context.Background(), []any{&version}, "PRAGMA data_version")
	return version, found && err == nil
}

// batch runs first and what else waits in one transaction. A refusal is told
// after the commit too: it may rest on a change that nobody can see before.
//
// Being able to undo one write of many has its price: SQLite copies every page
// before a savepoint's first change of it. So the writes run without, and when
// one fails that has changed something all of them run again, with savepoints;
// so do the next batches, since failures come in rows.
func (w *writer) batch(first *write) {
	taken, err := w.attempt(w.take(first))
	if errors.Is(err, errSpoilt) {
		w.careful = carefulBatches
		_, err = w.attempt(slices.Values(taken)) // all are answered, however many of them it came to
	}
	for _, item := range taken {
		if err != nil {
			item.err = err
		}
		item.result <- item.err
	}
}

// take gives first and what else waits, as long as the batch may grow.
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

// attempt runs writes in one transaction. They are returned; an error tells
// that nothing of them was kept.
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

// next returns a write that waits, or nil when the batch should end.
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

// plain runs one write. When it fails with errSpoilt or errBroken the
// transaction cannot be kept.
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

// changes counts the statements that may have changed something.
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

// item runs one write within a savepoint. An error that is not errBroken has
// left no trace in the transaction.
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

// rollback ends the transaction. It fails only when SQLite has already ended
// it, after an error that it could not recover from.
func (w *writer) rollback(ctx context.Context) { _, _ = w.c.Exec(ctx, "ROLLBACK") }

// Guard turns a panic of fn into an error that carries the stack.
func Guard(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}
