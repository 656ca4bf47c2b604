package exports

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPace shows that an export rests while many requests are answered, and
// only then.
func TestPace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		requests uint64 // while a page is made
		worked   time.Duration
		want     time.Duration
	}{
		{"a quiet server", 0, 10 * time.Millisecond, 0},
		{"few requests", 1, 10 * time.Millisecond, 0},
		{"many requests", 20, 10 * time.Millisecond, 40 * time.Millisecond},
		{"a large page", 20_000, 10 * time.Second, longestRest},
		{"a clock that stands", 20, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			answered := uint64(7)
			s := &Service{Options: Options{Now: time.Now, Answered: func() uint64 { return answered }}}
			p := s.newPace()
			for range 3 {
				time.Sleep(c.worked)
				answered += c.requests
				begun := time.Now()
				p.step(t.Context())
				if have := time.Since(begun); have != c.want {
					t.Errorf("%s: rests %v, want %v", c.name, have, c.want)
				}
			}
		})
	}
	alone := (&Service{Options: Options{Now: time.Now}}).newPace()
	if have := alone.rest(); have != 0 {
		t.Errorf("without a server: rests %v", have)
	}
}
