package sqldb

import (
	"context"
	"sync"

	"github.com/octavo-docs/octavo"
)

// Life is the lifetime of an open database and its background work. Close
// ends it and waits for that work.
type Life struct {
	ctx   context.Context
	stop  context.CancelCauseFunc
	mu    sync.Mutex // guards starting work against the end
	group sync.WaitGroup
}

func newLife() *Life {
	l := &Life{}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	return l
}

// end cancels the context and waits for the background work.
func (l *Life) end() {
	l.mu.Lock() // Hold and Go are either done or will see it
	l.stop(&octavo.Error{Type: octavo.Unavailable, Detail: "The server is stopping."})
	l.mu.Unlock()
	l.group.Wait()
}

// Context ends with the database.
func (l *Life) Context() context.Context { return l.ctx }

// Hold delays the end until release is called.
func (l *Life) Hold() (release func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return nil, context.Cause(l.ctx)
	}
	l.group.Add(1)
	return l.group.Done, nil
}

// Go runs work in a goroutine that the end waits for.
func (l *Life) Go(work func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	l.group.Go(work)
	return nil
}

// Err returns err. If the database was closed, which may have caused err, it
// returns that instead.
func (l *Life) Err(err error) error {
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	return err
}
