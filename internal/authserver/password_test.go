package authserver

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo/internal/auth"
)

func testEnv() auth.Env { return auth.Env{Now: time.Now, Random: rand.Reader} }

func TestPasswords(t *testing.T) {
	t.Parallel()
	cost := Cost{Memory: 64, Passes: 1}
	stored, err := HashPassword(rand.Reader, cost, "right")
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Fatalf("HashPassword = %q, %v", stored, err)
	}
	for _, c := range []struct {
		stored, password string
		want, fails      bool
	}{
		{stored, "right", true, false},
		{stored, "wrong", false, false},
		{stored, "", false, false},
		// As the reference implementation writes them, by another hand.
		{"$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password", true, false},
		{"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$", "", false, true},
		{"$argon2id$v=16$m=64,t=1,p=1$c29tZXNhbHQ$AAAA", "", false, true},
		{"$argon2id$v=19$m=64,t=0,p=1$c29tZXNhbHQ$AAAA", "", false, true},
		{"$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA", "", false, true},
		{"plain", "plain", false, true},
	} {
		if have, err := matches(c.stored, c.password); have != c.want || (err != nil) != c.fails {
			t.Errorf("matches(%q, %q) = %t, %v; want %t, error %t", c.stored, c.password, have, err, c.want, c.fails)
		}
	}
}

// Somebody unknown costs the server just one hash, as somebody known does.
func TestUnknownPeopleCostAsMuch(t *testing.T) {
	t.Parallel()
	cost := Cost{Memory: 64, Passes: 1}
	p, err := newPasswords(testEnv(), cost)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := HashPassword(rand.Reader, cost, "right")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		stored, password string
		want             bool
	}{{stored, "right", true}, {stored, "wrong", false}, {"", "", false}, {"", "right", false}} {
		have, err := p.check(t.Context(), c.stored, c.password)
		if have != c.want || err != nil {
			t.Errorf("check(%q, %q) = %t, %v; want %t", c.stored, c.password, have, err, c.want)
		}
		if n := p.hashed.Load(); n != int64(i+1) {
			t.Errorf("after %d checks %d hashes were made", i+1, n)
		}
	}
}

// One password is checked at a time, with a rest of the same length after it;
// few wait, and the others are turned away at once.
func TestPasswordsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, err := newPasswords(testEnv(), Cost{Memory: 64, Passes: 1})
		if err != nil {
			t.Fatal(err)
		}
		const long = 100 * time.Millisecond
		var mu sync.Mutex
		var starts []time.Duration
		busy := 0
		begin := time.Now()
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				err := p.turn(t.Context(), func() error {
					mu.Lock()
					starts = append(starts, time.Since(begin))
					mu.Unlock()
					time.Sleep(long)
					return nil
				})
				mu.Lock()
				defer mu.Unlock()
				if errors.Is(err, errBusy) {
					busy++
				}
			})
		}
		group.Wait()
		if busy != 20-1-maxQueue || len(starts) != 1+maxQueue {
			t.Errorf("%d were turned away and %d checked, want %d and %d", busy, len(starts), 20-1-maxQueue, 1+maxQueue)
		}
		for i, at := range starts {
			if want := time.Duration(i) * 2 * long; at != want {
				t.Errorf("check %d began after %s, want %s", i, at, want)
			}
		}
		// Who gives up while waiting leaves the queue.
		group.Go(func() {
			_ = p.turn(t.Context(), func() error { time.Sleep(long); return nil })
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), long/2)
		defer cancel()
		if err := p.turn(ctx, func() error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who gives up gets %v", err)
		}
		group.Wait()
		time.Sleep(2 * long)
		if len(p.queue) != 0 || len(p.slot) != 0 {
			t.Errorf("in the end %d wait and %d are checked", len(p.queue), len(p.slot))
		}
	})
}

func BenchmarkPassword(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := HashPassword(rand.Reader, DefaultCost(), "correct horse battery"); err != nil {
			b.Fatal(err)
		}
	}
}
