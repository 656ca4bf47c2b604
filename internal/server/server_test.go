package server

import (
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo/internal/config"
)

// TestALossEndsTheProcess, whatever holds it up, as a stop does.
func TestALossEndsTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		code := -1
		o := &config.Options{}
		o.Drain, o.Shutdown = time.Hour, time.Minute
		s := &server{o, Process{Exit: func(c int) { code = c }}, make(chan struct{})}
		defer close(s.ended)
		s.lose(slog.New(slog.NewTextHandler(io.Discard, nil)), errors.New("lost"))
		time.Sleep(o.Shutdown)
		synctest.Wait()
		if code != -1 {
			t.Errorf("have ended with %d before the time for it was over", code)
		}
		time.Sleep(endGrace)
		synctest.Wait()
		if code != 1 {
			t.Errorf("have %d, want an end with %d", code, 1)
		}
	})
}
