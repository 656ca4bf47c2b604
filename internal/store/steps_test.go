package store_test

import (
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
)

// TestSteps: work is set back at the start and when the clock went back, until
// that was done, and for a minute after it.
func TestSteps(t *testing.T) {
	t.Parallel()
	var s store.Steps
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	machine := now
	for _, c := range []struct {
		name          string
		passed, moved time.Duration
		want, done    bool
	}{
		{"start", 0, 0, true, false},
		{"it failed", time.Second, 0, true, true},
		{"done", time.Second, 0, false, false},
		{"somebody may be late", 9 * time.Second, 0, true, true},
		{"forward", time.Minute, 5 * time.Hour, true, true},
		{"forward, done", time.Hour, 0, false, false},
		{"a little back", time.Second, -1500 * time.Millisecond, false, false},
		{"back", time.Second, -5 * time.Hour, true, true},
		{"soon after", 5 * time.Second, 0, false, false},
		{"later", 5 * time.Second, 0, true, true},
		{"once more back", 5 * time.Second, -time.Hour, true, true},
		{"after an hour", time.Hour, 0, true, true},
		{"for good", time.Hour, 0, false, false},
	} {
		now, machine = now.Add(c.passed+c.moved), machine.Add(c.passed)
		if have := s.Due(now, machine); have != c.want {
			t.Errorf("%s: have %v, want %v", c.name, have, c.want)
		}
		if c.done {
			s.Done(machine)
		}
	}
}
