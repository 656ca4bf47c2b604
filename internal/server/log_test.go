package server

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo/internal/config"
)

// writes are what a log was written in; the first fails.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	if len(*w) == 1 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestLogWritesLinesTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var have writes
		s := &server{Options: &config.Options{}, process: Process{Stderr: &have}}
		s.LogLevel, s.LogFormat = "info", "json"
		log, flush := s.logger()
		for n := range 2 {
			log.Info("request")
			log.Info("request")
			if len(have) != n {
				t.Fatalf("have %d writes before the delay, want %d", len(have), n)
			}
			time.Sleep(logDelay)
			synctest.Wait()
			if len(have) != n+1 || strings.Count(have[n], "\n") != 2 {
				t.Fatalf("have %q, want 2 lines in one write more", have)
			}
		}
		log.Info("request")
		flush()
		if len(have) != 3 || strings.Count(have[2], "\n") != 1 {
			t.Fatalf("have %q, want a line that was flushed", have)
		}
		log.Info(strings.Repeat("x", logSize))
		if len(have) != 4 {
			t.Fatalf("have %d writes, want a full buffer to be written at once", len(have))
		}
		time.Sleep(time.Hour)
		flush()
		if len(have) != 4 {
			t.Fatalf("have %d writes, want no empty ones", len(have))
		}
	})
}
