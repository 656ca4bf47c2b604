package exports

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPace shows that an export rests while many requests are answered, and
// only then: how long in a second of pieces of work.
func TestPace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		perSecond float64 // requests
		piece     time.Duration
		least     float64 // share of the time that is rest
		most      float64
	}{
		{"a quiet server", 0, time.Millisecond, 0, 0},
		{"few requests", 60, time.Millisecond, 0, 0},
		{"some requests", 200, time.Millisecond, .75, .85},
		{"many requests", 2000, time.Millisecond, .92, .95},
		{"many requests, tiny pieces", 2000, 10 * time.Microsecond, .92, .95},
		{"more requests than count", 50_000, time.Millisecond, .92, .95},
		{"large pieces", 2000, 100 * time.Millisecond, .7, .75}, // as the longest rest is not so many times as long
		{"a clock that stands", 2000, 0, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			s := &Service{Options: Options{Now: time.Now, Answered: func() uint64 { return 7 + uint64(c.perSecond*time.Since(begun).Seconds()) }}}
			p := s.newPace()
			rested := time.Duration(0)
			for range 100_000 {
				time.Sleep(c.piece)
				before := time.Now()
				p.step(t.Context())
				rest := time.Since(before)
				if rested += rest; rest > longestRest {
					t.Fatalf("%s: rests %v, want %v at most", c.name, rest, longestRest)
				}
				if time.Since(begun) > 10*time.Second {
					break
				}
			}
			share := 0.0
			if rested > 0 {
				share = rested.Seconds() / time.Since(begun).Seconds()
			}
			if share < c.least || share > c.most {
				t.Errorf("%s: rests %.2f of the time, want %.2f to %.2f", c.name, share, c.least, c.most)
			}
		})
	}
	alone := (&Service{Options: Options{Now: time.Now}}).newPace()
	if have := alone.rest(); have != 0 {
		t.Errorf("without a server: rests %v", have)
	}
}
