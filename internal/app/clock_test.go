package app_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
)

// TestClock: the time is that of the database, whatever the machine's clock, and continues
// while the database is unavailable or slow.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		const wrong = 26 * time.Hour
		clock := app.NewClock(func() time.Time { return time.Now().Add(wrong) }, slog.New(slog.NewTextHandler(&log, nil)))
		ahead := func() time.Duration { return time.Until(clock.Now()).Round(time.Millisecond) }
		if have := ahead(); have != wrong {
			t.Errorf("before it is set: %s ahead, want %s", have, wrong)
		}
		var moved, slow time.Duration // of the database
		var away error
		ask := func(context.Context) (time.Time, error) {
			time.Sleep(slow / 2)
			at := time.Now().Add(moved)
			time.Sleep(slow / 2)
			return at, away
		}
		for _, tt := range []struct {
			name        string
			moved, slow time.Duration
			away        error
			want        time.Duration
			told        bool
		}{
			{"first", 0, 2 * time.Second, nil, 0, true},
			{"right", 0, 0, nil, 0, false},
			{"a little off", 90 * time.Millisecond, 0, nil, 0, false},
			{"off", -3 * time.Second, 0, nil, -3 * time.Second, false},
			{"an hour ahead", time.Hour, 20 * time.Millisecond, nil, time.Hour, true},
			{"slow", 0, 2 * time.Second, nil, time.Hour, false},
			{"away", 0, 0, errors.New("away"), time.Hour, false},
			{"back", 0, 0, nil, 0, true},
		} {
			log.Reset()
			moved, slow, away = tt.moved, tt.slow, tt.away
			err := clock.Set(t.Context(), ask)
			if have := ahead(); have != tt.want || !errors.Is(err, tt.away) || tt.told != (log.Len() > 0) {
				t.Errorf("%s: %s ahead, %v, %q; want %s, %v", tt.name, have, err, &log, tt.want, tt.away)
			}
		}

		moved = time.Minute
		ctx, stop := context.WithCancel(t.Context())
		go clock.Run(ctx, ask)
		time.Sleep(1500 * time.Millisecond)
		stop()
		synctest.Wait()
		if have := ahead(); have != time.Minute {
			t.Errorf("while it runs: %s ahead, want a minute", have)
		}
	})
}
