package quota

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var ann = Key{"credential", "ann"}

// clock is a clock that is moved by hand.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Unix(1000, 0)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// drain takes until it is refused and returns how often it was not.
func drain(l *Limiter, key Key, limit int) (taken int) {
	for {
		if _, ok := l.Take(context.Background(), key, limit); !ok {
			return taken
		}
		taken++
	}
}

func TestAlone(t *testing.T) {
	t.Parallel()
	c := newClock()
	l := New(Options{Now: c.now})
	bob := Key{"credential", "bob"}
	for i, step := range []struct {
		wait      time.Duration
		key       Key
		limit     int
		ok        bool
		remaining int
		reset     time.Duration
	}{
		{0, ann, 3, true, 2, DefaultWindow},
		{time.Second, ann, 3, true, 1, DefaultWindow - time.Second},
		{0, ann, 3, true, 0, DefaultWindow - time.Second},
		{0, ann, 3, false, 0, DefaultWindow - time.Second},
		{0, ann, 4, true, 0, DefaultWindow - time.Second}, // the limit was raised
		{0, ann, 2, false, 0, DefaultWindow - time.Second},
		{0, bob, 3, true, 2, DefaultWindow},
		{0, Key{"address", "bob"}, 3, true, 2, DefaultWindow},
		{DefaultWindow - 2*time.Second, ann, 4, false, 0, time.Second},
		{time.Second, ann, 3, true, 2, DefaultWindow},
	} {
		c.move(step.wait)
		q, ok := l.Take(t.Context(), step.key, step.limit)
		if want := (Quota{step.limit, step.remaining, step.reset}); q != want || ok != step.ok {
			t.Errorf("step %d: have %+v %v, want %+v %v", i+1, q, ok, want, step.ok)
		}
	}
	if have := l.Peek(ann, 3); have.Remaining != 2 {
		t.Errorf("a look: have %+v, want 2 left", have)
	}
	if have := l.Peek(Key{"address", "new"}, 3); have != (Quota{3, 3, DefaultWindow}) {
		t.Errorf("a look at a new key: have %+v, want all of it", have)
	}
	if have := l.Counts(); have.Refused != 3 {
		t.Errorf("have %+v, want 3 refused", have)
	}
	c.move(3 * DefaultWindow)
	l.Take(t.Context(), bob, 3)
	if have := l.Counts().Windows; have != 1 {
		t.Errorf("have %d windows in memory, want 1", have)
	}
}

// TestSingleProcessExact lets many take at once.
func TestSingleProcessExact(t *testing.T) {
	t.Parallel()
	l := New(Options{Now: newClock().now})
	var taken atomic.Int64
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() { taken.Add(int64(drain(l, ann, 1000))) })
	}
	group.Wait()
	if taken.Load() != 1000 {
		t.Errorf("have %d answered, want 1000", taken.Load())
	}
}

func TestWindowLimit(t *testing.T) {
	t.Parallel()
	l := New(Options{Now: newClock().now})
	for i := range maxWindows + 1000 {
		l.Take(t.Context(), Key{"address", fmt.Sprint(i)}, 10)
	}
	if have := l.Counts().Windows; have > maxWindows+1 {
		t.Errorf("have %d windows in memory, want at most %d", have, maxWindows+1)
	}
	if _, ok := l.Take(t.Context(), Key{"address", "late"}, 10); ok {
		t.Error("newcomers of a full limiter do not share one quota")
	}
}

func BenchmarkTake(b *testing.B) {
	for name, source := range map[string]Source{"alone": nil, "leased": &bank{now: time.Now, whole: true}} {
		b.Run(name, func(b *testing.B) {
			l := New(Options{Now: time.Now, Window: time.Hour, Source: source})
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				key := Key{"credential", "key_01h455vb4pex5vsknk084sn02q"}
				for pb.Next() {
					l.Take(context.Background(), key, 1<<50)
				}
			})
		})
	}
}

func BenchmarkRefused(b *testing.B) {
	l := New(Options{Now: time.Now, Window: time.Hour, Source: &bank{now: time.Now}})
	drain(l, ann, 10)
	b.ReportAllocs()
	for b.Loop() {
		l.Take(context.Background(), ann, 10)
	}
}
