package webhooks

import (
	"net/http"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	for _, c := range []struct {
		attempt int
		chance  float64
		want    time.Duration
		again   bool
	}{
		{0, 0, 0, false},
		{1, 0, 5 * time.Second, true},
		{1, 0.5, 5250 * time.Millisecond, true},
		{2, 0, 5 * time.Minute, true},
		{9, 0, 24 * time.Hour, true},
		{9, 1, 26*time.Hour + 24*time.Minute, true},
		{10, 0, 0, false},
	} {
		if have, again := pause(c.attempt, c.chance); have != c.want || again != c.again {
			t.Errorf("pause(%d, %v): have %s %v, want %s %v", c.attempt, c.chance, have, again, c.want, c.again)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "-7": 0, "soon": 0, "1e3": 0,
		"999999999":                     maxRetryAfter,
		"99999999999999999999":          0,
		"Sun, 01 Mar 2026 12:00:30 GMT": 30 * time.Second,
		"Sun, 01 Mar 2026 11:00:00 GMT": 0,
		"Mon, 01 Mar 2027 12:00:00 GMT": maxRetryAfter,
	} {
		if have := retryAfter(http.Header{"Retry-After": {text}}, now); have != want {
			t.Errorf("retryAfter(%q): have %s, want %s", text, have, want)
		}
	}
}
