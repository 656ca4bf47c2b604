package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLogIsWrittenInTime holds when a line of the log is written: a warning at
// once and after what came before it, other lines soon, and all at the end.
func TestLogIsWrittenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		c := &serveCommand{}
		c.LogLevel, c.LogFormat = "info", "json"
		log, end := c.logger(&program{stderr: &out})
		check := func(when string, want int) {
			t.Helper()
			synctest.Wait()
			if have := strings.Count(out.String(), "\n"); have != want {
				t.Errorf("%s: have %d lines, want %d:\n%s", when, have, want, out.String())
			}
		}
		log.Debug("no")
		log.With("a", 1).Info("one")
		check("before the delay", 0)
		time.Sleep(logDelay)
		check("after the delay", 1)
		log.Info("two")
		log.WithGroup("g").Warn("three")
		check("a warning", 3)
		log.Info(strings.Repeat("x", logBuffer))
		check("a full buffer", 4)
		log.Info("five")
		end()
		check("the end", 5)
		time.Sleep(logDelay)
		check("later", 5)
	})
}
