package sqldb

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo"
)

// Calls during a look share the next one, since the running one may have begun too early
// for them.
func TestSharedLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var group sync.WaitGroup
		begun, release := 0, make(chan struct{})
		l := Looks[struct{}, int64]{
			most: 1,
			look: func([]struct{}) (int64, error) {
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
					if have, err := l.Share(context.Background(), struct{}{}); have != want || (err != nil) != (want == 0) {
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
		if _, err := l.Share(gone, struct{}{}); !errors.Is(err, context.Canceled) {
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

// A look is for all that was asked for since the one before it, each once; a
// second one may run beside it.
func TestLooksByKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var group sync.WaitGroup
		var mu sync.Mutex
		var asked [][]int
		release := make(chan struct{})
		var l Looks[int, map[int]int]
		l.Start(func(keys []int) (map[int]int, error) {
			mu.Lock()
			asked = append(asked, keys)
			mu.Unlock()
			<-release
			found := map[int]int{}
			for _, k := range keys {
				found[k] = k * k
			}
			return found, nil
		}, func(work func()) error { group.Go(work); return nil }, 2, time.Second)
		ask := func(key int) {
			group.Go(func() {
				if have, err := l.Share(t.Context(), key); err != nil || have[key] != key*key {
					t.Errorf("key %d: have %v, %v", key, have, err)
				}
			})
			synctest.Wait()
		}
		ask(1)
		ask(2)
		for _, key := range []int{3, 4, 3, 5, 4} {
			ask(key)
		}
		if want := [][]int{{1}, {2}}; !reflect.DeepEqual(asked, want) {
			t.Errorf("at once: have %v, want %v", asked, want)
		}
		close(release)
		group.Wait()
		if want := [][]int{{1}, {2}, {3, 4, 5}}; !reflect.DeepEqual(asked, want) {
			t.Errorf("in all: have %v, want %v", asked, want)
		}
	})
}

// A call that waits for a hanging look fails with a retryable error.
func TestHangingLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var group sync.WaitGroup
		release := make(chan struct{})
		var l Looks[int, int]
		l.Start(func([]int) (int, error) { <-release; return 0, nil },
			func(work func()) error { group.Go(work); return nil }, 1, time.Second)
		_, err := l.Share(t.Context(), 1)
		var problem *octavo.Error
		if !errors.As(err, &problem) || problem.Type != octavo.Unavailable || problem.RetryAfter == 0 {
			t.Errorf("have %v, want one that is Unavailable", err)
		}
		close(release)
		group.Wait()
	})
}

// A store that is closed answers with that.
func TestLooksEndWithTheStore(t *testing.T) {
	closed := errors.New("closed")
	l := Looks[struct{}, int64]{most: 1, spawn: func(func()) error { return closed }}
	if _, err := l.Share(t.Context(), struct{}{}); !errors.Is(err, closed) {
		t.Errorf("have %v, want %v", err, closed)
	}
}
