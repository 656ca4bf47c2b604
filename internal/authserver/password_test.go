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

	"github.com/octavo-docs/octavo"
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
		k, err := parsePHC(c.stored)
		if have := err == nil && k.is(c.password); have != c.want || (err != nil) != c.fails {
			t.Errorf("%q is kept as %q: have %t, %v; want %t, error %t", c.password, c.stored, have, err, c.want, c.fails)
		}
	}
}

// Somebody unknown costs the server as much as somebody known does, whose
// password may have been stored when it was to cost less, or more.
func TestUnknownPeopleCostAsMuch(t *testing.T) {
	t.Parallel()
	p, err := newPasswords(testEnv(), Cost{Memory: 64, Passes: 3})
	if err != nil {
		t.Fatal(err)
	}
	stored := func(passes uint32) string {
		text, err := HashPassword(rand.Reader, Cost{Memory: 64, Passes: passes}, "right")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	older, current, costly := stored(1), stored(3), stored(5)
	for _, c := range []struct {
		stored, password string
		want             bool
		passes           int64
	}{
		{current, "right", true, 3},
		{current, "wrong", false, 3},
		{older, "right", true, 3},
		{older, "wrong", false, 3},
		{"", "", false, 3},
		{"", "right", false, 3},
		{costly, "wrong", false, 5}, // from now on it is the measure
		{"", "right", false, 5},
		{older, "wrong", false, 5},
	} {
		before := p.done.Load()
		have, err := p.check(t.Context(), c.stored, c.password)
		if have != c.want || err != nil {
			t.Errorf("check(%q, %q) = %t, %v; want %t", c.stored, c.password, have, err, c.want)
		}
		if n := p.done.Load() - before; n != c.passes {
			t.Errorf("check(%q, %q) took %d passes, want %d", c.stored, c.password, n, c.passes)
		}
	}
}

// The cost is what fits into the time on this machine, within its bounds, and
// goes by the quickest of the tries.
func TestCalibrate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target time.Duration
		tries  []time.Duration // what each takes; the last one stands for all behind it
		want   uint32
	}{
		{100 * time.Millisecond, []time.Duration{20 * time.Millisecond}, 10},
		{100 * time.Millisecond, []time.Duration{90 * time.Millisecond, 20 * time.Millisecond, time.Second}, 10},
		{time.Millisecond, []time.Duration{20 * time.Millisecond}, octavo.MinPasses},
		{time.Hour, []time.Duration{20 * time.Millisecond}, octavo.MaxPasses},
		{time.Second, []time.Duration{0}, octavo.MaxPasses},
	} {
		n := 0
		have, takes := calibrate(c.target, func() time.Duration {
			n++
			return c.tries[min(n, len(c.tries))-1]
		})
		if have != (Cost{Memory: DefaultCost().Memory, Passes: c.want}) || takes <= 0 {
			t.Errorf("calibrate(%s) with tries of %s = %+v, %s; want %d passes", c.target, c.tries, have, takes, c.want)
		}
	}
	if have, takes := Calibrate(time.Now, 0); have != DefaultCost() || takes <= 0 {
		t.Errorf("Calibrate(0) = %+v, %s; want no less than %+v", have, takes, DefaultCost())
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
		// A cancelled check leaves the queue.
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
