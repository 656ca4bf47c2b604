package server

import (
	"io"
	"log/slog"
	"sync"
	"time"
)

// logger returns the server's log, and a function that writes buffered lines.
func (s *server) logger() (log *slog.Logger, flush func()) {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // already validated
	options := &slog.HandlerOptions{Level: level}
	lines := &lineBuffer{out: s.process.Stderr}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(lines, options)), lines.flush
	}
	return slog.New(slog.NewTextHandler(lines, options)), lines.flush
}

// Log lines are buffered: a system call for each takes a tenth of the processor time of a
// request.
const (
	logDelay = 50 * time.Millisecond // maximum delay of a line
	logSize  = 32 << 10              // bytes that are written at once
)

// lineBuffer writes lines to out within logDelay.
type lineBuffer struct {
	out io.Writer

	mu      sync.Mutex
	pending []byte
	timer   *time.Timer
}

func (b *lineBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case len(b.pending) > 0:
	case b.timer == nil:
		b.timer = time.AfterFunc(logDelay, b.flush)
	default:
		b.timer.Reset(logDelay)
	}
	b.pending = append(b.pending, line...)
	if len(b.pending) >= logSize {
		b.write()
	}
	return len(line), nil
}

func (b *lineBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

// write writes the buffered lines. It ignores errors: a full disk may have space again,
// and there is nowhere else to report them.
func (b *lineBuffer) write() {
	if len(b.pending) > 0 {
		b.timer.Stop()
		_, _ = b.out.Write(b.pending)
		b.pending = b.pending[:0]
	}
}
