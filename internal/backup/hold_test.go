package backup

import (
	"testing"
	"time"
)

// A hold is made anew each minute, and soon after the clock was set.
func TestDue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left time.Duration
		want bool
	}{
		{holdFor, false},
		{holdFor - holdEvery + 1, false},
		{holdFor - holdEvery, true},
		{holdFor - 5*time.Hour, true},
		{holdFor + 5*time.Hour, true},
	} {
		if have := due(c.left); have != c.want {
			t.Errorf("due(%s): have %t, want %t", c.left, have, c.want)
		}
	}
}
