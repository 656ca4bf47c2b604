package quota

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bank is a source in memory.
type bank struct {
	now   func() time.Time
	whole bool // lend all at once

	mu    sync.Mutex
	err   error
	asked int
	used  map[string]int
	ends  map[string]time.Time
}

// LeaseQuota implements Source.
func (b *bank) LeaseQuota(_ context.Context, key string, limit, want int, window time.Duration) (Lease, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	if b.err != nil {
		return Lease{}, b.err
	}
	if b.used == nil {
		b.used, b.ends = map[string]int{}, map[string]time.Time{}
	}
	now := b.now()
	if !now.Before(b.ends[key]) {
		b.used[key], b.ends[key] = 0, now.Add(window)
	}
	left := max(0, limit-b.used[key])
	granted := min(want, share(left))
	if b.whole {
		granted = left
	}
	b.used[key] += granted
	return Lease{Window: b.ends[key].UnixNano(), Granted: granted, Left: left - granted, Ends: b.ends[key].Sub(now)}, nil
}

func (b *bank) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}

func (b *bank) calls() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked
}

// TestOneProcessOfASource: one process has the whole limit, knows what is
// left, and asks far less often than it answers.
func TestOneProcessOfASource(t *testing.T) {
	t.Parallel()
	c := newClock()
	b := &bank{now: c.now}
	l := New(Options{Now: c.now, Source: b})
	for want := 599; want >= 0; want-- {
		if q, ok := l.Take(t.Context(), ann, 600); !ok || q.Remaining != want {
			t.Fatalf("have %+v %v, want %d left", q, ok, want)
		}
	}
	if b.calls() > 60 {
		t.Errorf("have %d leases for 600 requests, want at most 60", b.calls())
	}
	if _, ok := l.Take(t.Context(), ann, 600); ok {
		t.Error("the limit was passed")
	}
	// What is refused stays so without asking, until the window ends.
	asked := b.calls()
	c.move(DefaultWindow - time.Millisecond)
	if n := drain(l, ann, 600); n != 0 || b.calls() != asked {
		t.Errorf("have %d answered and %d leases after a refusal, want none", n, b.calls()-asked)
	}
	c.move(time.Millisecond)
	if n := drain(l, ann, 600); n != 600 {
		t.Errorf("have %d answered in the next window, want 600", n)
	}
}

// TestProcessesShareALimit: together they never pass it, and the last one is
// refused too early by no more than the others hold.
func TestProcessesShareALimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2, 7, 8, 9, 100, 600} {
		for _, n := range []int{2, 4, 9} {
			c := newClock()
			b := &bank{now: c.now}
			taken := 0
			for i := range n {
				l := New(Options{Now: c.now, Source: b})
				if i == n-1 {
					taken += drain(l, ann, limit)
					break
				}
				for range 1 + i*limit/(4*n) {
					if _, ok := l.Take(t.Context(), ann, limit); ok {
						taken++
					}
				}
			}
			if least := limit - (n-1)*share(limit); taken > limit || taken < least {
				t.Errorf("limit %d, %d processes: have %d answered, want %d to %d", limit, n, taken, least, limit)
			}
		}
	}
}

// TestAWindowThatEndsWhileAsking: what was left of the one before is no part
// of the next.
func TestWindowEndsElsewhere(t *testing.T) {
	t.Parallel()
	c := newClock()
	b := &bank{now: c.now}
	first, late := New(Options{Now: c.now, Source: b}), New(Options{Now: c.now, Source: b})
	first.Take(t.Context(), ann, 100)
	c.move(50 * time.Second)
	if q, ok := late.Take(t.Context(), ann, 100); !ok || q.Reset != 10*time.Second {
		t.Errorf("who comes late: have %+v %v, want the window that ends in 10s", q, ok)
	}
	c.move(10 * time.Second)
	if n := drain(late, ann, 100) + drain(first, ann, 100); n != 100 {
		t.Errorf("have %d answered in the next window, want 100", n)
	}
}

func TestFailingSource(t *testing.T) {
	t.Parallel()
	c := newClock()
	b := &bank{now: c.now}
	var log bytes.Buffer
	l := New(Options{Now: c.now, Source: b, Log: slog.New(slog.NewTextHandler(&log, nil))})
	b.fail(errors.New("gone"))
	if n := drain(l, ann, 80); n != 10 || b.calls() != 1 {
		t.Errorf("have %d answered on credit and %d leases, want 10 and 1", n, b.calls())
	}
	c.move(leaseRest)
	if n := drain(l, ann, 80); n != 0 || b.calls() != 2 {
		t.Errorf("after a rest: have %d answered and %d leases, want none and 2", n, b.calls())
	}
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("have %d lines in the log, want 1: %s", n, log.String())
	}
	b.fail(nil)
	c.move(leaseRest)
	if n := drain(l, ann, 80); n != 70 { // what was answered on credit is paid back
		t.Errorf("have %d answered with the source back, want 70", n)
	}
	if !strings.Contains(log.String(), "shared again") {
		t.Errorf("the log does not tell that the source is back: %s", log.String())
	}
	if have := l.Counts(); have.Credit != 10 || have.Failed != 2 || have.Leased != 80 {
		t.Errorf("have %+v, want 10 on credit, 2 failed, 80 leased", have)
	}
}

// slow is a source that answers after a time.
type slow struct {
	*bank
	time.Duration
	running, most atomic.Int64
}

// LeaseQuota implements Source.
func (s *slow) LeaseQuota(ctx context.Context, key string, limit, want int, window time.Duration) (Lease, error) {
	s.most.Store(max(s.most.Load(), s.running.Add(1)))
	defer s.running.Add(-1)
	select {
	case <-time.After(s.Duration):
		return s.bank.LeaseQuota(ctx, key, limit, want, window)
	case <-ctx.Done():
		return Lease{}, ctx.Err()
	}
}

// A key has one lease request at a time, for all waiting requests.
func TestManyWaitForOneLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{bank: &bank{now: time.Now}, Duration: 10 * time.Millisecond}
		l := New(Options{Now: time.Now, Source: s})
		var taken atomic.Int64
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() {
				if _, ok := l.Take(t.Context(), ann, 600); ok {
					taken.Add(1)
				}
			})
		}
		group.Wait()
		if taken.Load() != 64 || s.most.Load() != 1 || s.calls() > 3 {
			t.Errorf("have %d answered, %d leases, %d at once; want 64, at most 3, 1", taken.Load(), s.calls(), s.most.Load())
		}
	})
}

// No request waits for longer than a second, and a cancelled one is refused at once.
func TestHangingSource(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(Options{Now: time.Now, Source: &slow{bank: &bank{now: time.Now}, Duration: time.Hour}})
		gone, leave := context.WithCancel(t.Context())
		var group sync.WaitGroup
		began := time.Now()
		group.Go(func() {
			if _, ok := l.Take(t.Context(), ann, 80); !ok || time.Since(began) != leaseTimeout {
				t.Errorf("have %v after %v, want it on credit after %v", ok, time.Since(began), leaseTimeout)
			}
		})
		synctest.Wait()
		group.Go(func() {
			if _, ok := l.Take(gone, ann, 80); ok || time.Since(began) != 0 {
				t.Errorf("who gave up: have %v after %v, want a refusal at once", ok, time.Since(began))
			}
		})
		synctest.Wait()
		leave()
		group.Wait()
	})
}

// TestManyAtOnce: what is asked for at once is counted as a whole or not at
// all, by one process and by several, and what is given back can be had again.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	c := newClock()
	for name, source := range map[string]Source{"alone": nil, "shared": &bank{now: c.now}} {
		l := New(Options{Now: c.now, Source: source})
		var giveBack func()
		for range 4 {
			var ok bool
			if _, giveBack, ok = l.TakeMany(t.Context(), ann, 20, 100); !ok {
				t.Errorf("%s: 20 of 100 were refused", name)
				return
			}
		}
		if source != nil { // another process has next to all
			if n := drain(New(Options{Now: c.now, Source: source}), ann, 94); n > 14 {
				t.Errorf("%s: have %d for another process, want at most 14", name, n)
			}
		}
		if q, _, ok := l.TakeMany(t.Context(), ann, 21, 100); ok || q.Remaining == 0 || q.Remaining > 20 {
			t.Errorf("%s: 21 at once: have %+v, %v, want a refusal and something left", name, q, ok)
		}
		if _, _, ok := l.TakeMany(t.Context(), ann, 5, 100); !ok {
			t.Errorf("%s: 5 after a refusal of 21: have a refusal, though it counts nothing", name)
		}
		giveBack()
		if _, _, ok := l.TakeMany(t.Context(), ann, 20, 100); !ok {
			t.Errorf("%s: the 20 that were given back are refused", name)
		}
		c.move(DefaultWindow)
		l.Take(t.Context(), ann, 100)
		giveBack() // of a window that is over
		if q, ok := l.Take(t.Context(), ann, 100); !ok || q.Remaining != 98 {
			t.Errorf("%s: in the next window: have %+v, %v, want 98 left", name, q, ok)
		}
	}
}

// TestGivenBackToTheNextWindow: what is given back after the source began a new
// window was not counted in that.
func TestGivenBackToTheNextWindow(t *testing.T) {
	t.Parallel()
	s := &windows{number: 1}
	l := New(Options{Now: newClock().now, Source: s})
	_, giveBack, ok := l.TakeMany(t.Context(), ann, 20, 100)
	if !ok {
		t.Fatal("20 of 100 were refused")
	}
	s.number = 2
	q, ok := l.Take(t.Context(), ann, 100)
	if giveBack(); !ok || l.Peek(ann, 100) != q {
		t.Errorf("have %+v after giving back to a window that is over, want %+v", l.Peek(ann, 100), q)
	}
}

// windows is a source that leases everything requested, in a given window.
type windows struct{ number int64 }

func (s *windows) LeaseQuota(_ context.Context, _ string, limit, want int, length time.Duration) (Lease, error) {
	return Lease{Window: s.number, Granted: want, Left: limit - want, Ends: length}, nil
}
