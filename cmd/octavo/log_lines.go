package main

import (
	"io"
	"log/slog"
	"sync"
	"time"
)

// Lines of the log are written together: a write for each would be a
// twentieth of what answering a request costs.
const (
	logDelay  = 100 * time.Millisecond // a line is written at the latest
	logBuffer = 32 << 10               // bytes after which they are
	logMost   = 1 << 20                // bytes that wait for whoever reads the log
	logEnd    = time.Second            // for the rest of it, when the server ends
)

// lineBuffer gathers what is written to it for a while, and hands it to a
// goroutine of its own: who writes a line never waits for whoever reads the
// log. Lines that find no room are dropped and counted.
type lineBuffer struct {
	out  io.Writer
	note *slog.Logger // tells of lines that were dropped; it writes here

	wake chan struct{} // has room for one: write what is pending
	stop chan struct{} // closed at the end
	done chan struct{} // closed when all is written

	mu      sync.Mutex
	pending []byte
	dropped int
	timer   *time.Timer
}

func newLineBuffer(out io.Writer) *lineBuffer {
	b := &lineBuffer{out: out, wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go b.run()
	return b
}

// Write implements io.Writer. It never fails: nobody could be told.
func (b *lineBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending)+len(line) > logMost {
		b.dropped++
		return len(line), nil
	}
	if len(b.pending) == 0 {
		b.timer = time.AfterFunc(logDelay, b.prompt)
	}
	b.pending = append(b.pending, line...)
	if len(b.pending) >= logBuffer {
		b.prompt()
	}
	return len(line), nil
}

// prompt has what is pending written now. It does not wait for that.
func (b *lineBuffer) prompt() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run writes until the end.
func (b *lineBuffer) run() {
	defer close(b.done)
	var space []byte
	for ending := false; !ending; {
		select {
		case <-b.wake:
		case <-b.stop:
			ending = true
		}
		for {
			text := b.take(space)
			if text == nil {
				break
			}
			_, _ = b.out.Write(text) // nobody could be told of an error
			space = text[:0]
			b.tellDropped()
		}
	}
}

// take returns what is pending, nil for nothing, and keeps space for what
// comes then.
func (b *lineBuffer) take(space []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == 0 {
		return nil
	}
	b.timer.Stop()
	text := b.pending
	b.pending = space
	return text
}

// tellDropped writes a line about those that found no room.
func (b *lineBuffer) tellDropped() {
	b.mu.Lock()
	n := b.dropped
	b.dropped = 0
	b.mu.Unlock()
	if n > 0 {
		b.note.Warn("lines of the log were dropped, since they were not read in time", "lines", n)
	}
}

// end writes the rest, unless nobody reads it in time, and ends the goroutine;
// one that is held up by a reader of the log ends with the process.
func (b *lineBuffer) end() {
	close(b.stop)
	timer := time.NewTimer(logEnd)
	defer timer.Stop()
	select {
	case <-b.done:
	case <-timer.C:
	}
}
