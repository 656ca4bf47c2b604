package server

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
)

// pipeListener hands out one end of a pipe after the other.
type pipeListener struct {
	net.Listener
	ends chan net.Conn
}

func (l pipeListener) Accept() (net.Conn, error) {
	c, ok := <-l.ends
	if !ok {
		return nil, errors.New("no more")
	}
	return c, nil
}

func (pipeListener) Close() error { return nil }

// Connections beyond the bound are accepted once others have gone, and a close
// ends the wait for that.
func TestBoundedListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := make(chan net.Conn, 10)
		for range 4 {
			c, other := net.Pipe()
			defer other.Close() //nolint:errcheck // a pipe
			ends <- c
		}
		l := &boundedListener{Listener: pipeListener{ends: ends}, taken: make(chan struct{}, 2), closed: make(chan struct{})}
		accepted, failed := 0, make(chan error, 1)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					failed <- err
					return
				}
				accepted++
				l.changed(c, http.StateNew)
				l.changed(c, http.StateActive)
			}
		}()
		synctest.Wait()
		if accepted != 2 {
			t.Errorf("have %d connections, want 2", accepted)
		}
		l.changed(nil, http.StateIdle)
		l.changed(nil, http.StateClosed)
		synctest.Wait()
		if accepted != 3 {
			t.Errorf("after one has gone: have %d connections, want 3", accepted)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-failed; !errors.Is(err, net.ErrClosed) {
			t.Errorf("have %v, want net.ErrClosed", err)
		}
	})
}

// A failure to accept keeps nobody out.
func TestBoundedListenerFails(t *testing.T) {
	t.Parallel()
	ends := make(chan net.Conn)
	close(ends)
	l := &boundedListener{Listener: pipeListener{ends: ends}, taken: make(chan struct{}, 1), closed: make(chan struct{})}
	for range 3 {
		if _, err := l.Accept(); err == nil {
			t.Fatal("have no error")
		}
	}
	if len(l.taken) != 0 {
		t.Errorf("%d places are taken, want none", len(l.taken))
	}
}
