package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
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
)

// writer owns the one connection that writes. It takes all writes that wait
// into one transaction, a savepoint each, commits once and then answers them
// all, so that the cost of reaching the disk is shared.
type writer struct {
	c     conn
	stmts *prepared
	link  *sql.Conn
	queue chan *write
	fatal func(error) bool
	// foreign is called when another process has changed the database.
	foreign func()
	meter   *meter
	done    chan struct{} // closed when the goroutine has ended

	mu     sync.RWMutex // guards closed against sends to queue
	closed bool
}

// write is one caller's work on its way through the writer.
type write struct {
	fn     func(context.Context, conn) error
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

// errBroken marks a failure that took the shared transaction with it.
var errBroken = errors.New("the shared transaction failed")

func startWriter(ctx context.Context, pool *sql.DB, translate func(error) error, m *meter, foreign func()) (*writer, error) {
	link, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	stmts := newPrepared(link.PrepareContext)
	w := &writer{
		c:       conn{stmts, translate, 0},
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
func (w *writer) do(ctx context.Context, fn func(context.Context, conn) error) error {
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
	look := time.NewTicker(pollInterval)
	defer look.Stop()
	version, known := w.dataVersion()
	for {
		select {
		case first, open := <-w.queue:
			if !open {
				return
			}
			w.batch(first)
		case <-look.C:
			now, ok := w.dataVersion()
			if !ok || !known || now != version {
				w.foreign()
			}
			version, known = now, ok
		}
	}
}

// dataVersion tells commits of other processes: it changes with those that
// were not this connection's. Others keep to the rule that only one process
// changes pages, but somebody with a tool of his own may not.
func (w *writer) dataVersion() (version int64, ok bool) {
	found, err := w.c.row(context.Background(), []any{&version}, "PRAGMA data_version")
	return version, found && err == nil
}

// batch runs first and what else waits in one transaction. A refusal is told
// after the commit too: it may rest on a change that nobody can see before.
func (w *writer) batch(first *write) {
	ctx := context.Background()
	if _, err := w.c.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		first.result <- fmt.Errorf("begin: %w", err)
		return
	}
	var taken []*write
	fail := func(err error) {
		w.rollback(ctx)
		for _, item := range taken {
			item.result <- err
		}
	}
	end := time.NewTimer(maxBatchTime)
	defer end.Stop()
	for item := first; item != nil; item = w.next(len(taken), end.C) {
		if !item.state.CompareAndSwap(waiting, started) {
			continue
		}
		taken = append(taken, item)
		if item.err = w.item(ctx, item); errors.Is(item.err, errBroken) {
			fail(item.err)
			return
		}
	}
	err := w.meter.commit(len(taken), func() error {
		_, err := w.c.exec(ctx, "COMMIT")
		return err
	})
	if err != nil {
		fail(fmt.Errorf("commit: %w", err))
		return
	}
	for _, item := range taken {
		item.result <- item.err
	}
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

// item runs one write within a savepoint. An error that is not errBroken has
// left no trace in the transaction.
func (w *writer) item(ctx context.Context, item *write) error {
	if _, err := w.c.exec(ctx, "SAVEPOINT item"); err != nil {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	err := guard(func() error { return item.fn(ctx, w.c) })
	if err != nil && w.fatal(err) {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	if err != nil {
		if _, undo := w.c.exec(ctx, "ROLLBACK TO item"); undo != nil {
			return fmt.Errorf("%w: %w", errBroken, errors.Join(err, undo))
		}
	}
	if _, release := w.c.exec(ctx, "RELEASE item"); release != nil {
		return fmt.Errorf("%w: %w", errBroken, errors.Join(err, release))
	}
	return err
}

// rollback ends the transaction. It fails only when SQLite has already ended
// it, after an error that it could not recover from.
func (w *writer) rollback(ctx context.Context) { _, _ = w.c.exec(ctx, "ROLLBACK") }

// guard turns a panic of fn into an error that carries the stack.
func guard(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}
