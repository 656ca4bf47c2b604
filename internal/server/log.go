package server

import (
	"io"
	"log/slog"
	"sync"
	"time"
)

// logger returns the server's log, and what writes the last of its lines.
func (s *server) logger() (log *slog.Logger, flush func()) {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // its values were checked
	options := &slog.HandlerOptions{Level: level}
	lines := &lineBuffer{out: s.process.Stderr}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(lines, options)), lines.flush
	}
	return slog.New(slog.NewTextHandler(lines, options)), lines.flush
}

// Lines of the log are written together: a system call for each takes a tenth of
// the processor time of a request.
const (
	logDelay = 50 * time.Millisecond // after which a line is written
	logSize  = 32 << 10              // bytes that are written without delay
)

// lineBuffer writes lines to out, each after logDelay at most.
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

// flush writes what is pending.
func (b *lineBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

// write writes what is pending, and goes on where that fails: a full disk may
// have space again, and there is nowhere else to report it.
func (b *lineBuffer) write() {
	if len(b.pending) > 0 {
		b.timer.Stop()
		_, _ = b.out.Write(b.pending)
		b.pending = b.pending[:0]
	}
}
