package store

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

// Those who ask while a look runs share the one after it, since that one may
// have begun too early for them.
func TestLooksAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var group sync.WaitGroup
		begun, release := 0, make(chan struct{})
		l := looks{
			look: func() (int64, error) {
				begun++
				mine := begun
				<-release
				if mine == 3 {
					return 0, errors.New("lost")
				}
				return int64(mine), nil
			},
			spawn: func(work func()) error { group.Go(work); return nil },
		}
		ask := func(n int, want int64) {
			for range n {
				group.Go(func() {
					if have, err := l.share(context.Background()); have != want || (err != nil) != (want == 0) {
						t.Errorf("have %d, %v; want look %d", have, err, want)
					}
				})
			}
			synctest.Wait()
		}
		ask(1, 1)
		ask(100, 2)
		release <- struct{}{}
		synctest.Wait()
		ask(50, 0) // the third fails
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := l.share(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("who does not wait: have %v, want context.Canceled", err)
		}
		close(release)
		group.Wait()
		if begun != 3 {
			t.Errorf("have %d looks, want 3", begun)
		}
		ask(1, 4)
	})
}

// A store that is closed answers with that.
func TestLooksEndWithTheStore(t *testing.T) {
	closed := errors.New("closed")
	l := looks{spawn: func(func()) error { return closed }}
	if _, err := l.share(t.Context()); !errors.Is(err, closed) {
		t.Errorf("have %v, want %v", err, closed)
	}
}
