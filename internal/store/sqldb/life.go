package sqldb

import (
	"context"
	"sync"

	"github.com/octavo-docs/octavo"
)

// Life is how long a database is open, and what runs on it meanwhile: Close ends
// it and waits for what runs.
type Life struct {
	ctx   context.Context
	stop  context.CancelCauseFunc
	mu    sync.Mutex // guards the start of what runs against the end
	group sync.WaitGroup
}

func newLife() *Life {
	l := &Life{}
	l.ctx, l.stop = context.WithCancelCause(context.Background())
	return l
}

// end ends the context and waits for what runs.
func (l *Life) end() {
	l.mu.Lock() // Hold and Go are either done or will see it
	l.stop(&octavo.Error{Type: octavo.Unavailable, Detail: "The server is stopping."})
	l.mu.Unlock()
	l.group.Wait()
}

// Context ends with the database.
func (l *Life) Context() context.Context { return l.ctx }

// Hold has the end wait until release is called.
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

// Err is err, or that the database was closed, of which err may come.
func (l *Life) Err(err error) error {
	if l.ctx.Err() != nil {
		return context.Cause(l.ctx)
	}
	return err
}
