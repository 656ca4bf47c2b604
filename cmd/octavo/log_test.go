package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sharedText is a log that can be read while it is written.
type sharedText struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (s *sharedText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// String returns what was written.
func (s *sharedText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// TestLogIsWrittenInTime holds when a line of the log is written: a warning at
// once and after what came before it, other lines soon, and all at the end.
func TestLogIsWrittenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out sharedText
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

// TestLogWaitsForNobody: whoever writes a line goes on at once though nobody
// reads the log; lines beyond its room are dropped, and told of later; and the
// end does not wait for long.
func TestLogWaitsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const lines = 3000
		in, out := io.Pipe()
		c := &serveCommand{}
		c.LogLevel, c.LogFormat = "info", "text"
		log, end := c.logger(&program{stderr: out})
		start := time.Now()
		write := func() {
			for range lines {
				log.Warn(strings.Repeat("x", 1<<10))
			}
		}
		write()
		if took := time.Since(start); took != 0 {
			t.Errorf("writing took %s while nobody read", took)
		}
		read, dropped := 0, 0
		for text := bufio.NewScanner(in); dropped == 0 && text.Scan(); {
			if _, count, ok := strings.Cut(text.Text(), " lines="); ok {
				if _, err := fmt.Sscan(count, &dropped); err != nil {
					t.Fatal(err)
				}
				continue
			}
			read++
		}
		if read+dropped != lines || dropped == 0 || read*(1<<10) > 2*logMost {
			t.Errorf("have %d lines and %d dropped, want %d together", read, dropped, lines)
		}
		write()
		start = time.Now()
		end()
		if took := time.Since(start); took != logEnd {
			t.Errorf("the end took %s, want %s", took, logEnd)
		}
		_ = in.Close() // ends the writing
	})
}
