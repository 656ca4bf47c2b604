package main

import (
	"context"
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
)

// logger returns the server's log, and what writes the rest of it at the end.
// What is a warning or worse is written at once, with all that led to it.
func (c *serveCommand) logger(p *program) (log *slog.Logger, end func()) {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // its values were checked
	options := &slog.HandlerOptions{Level: level}
	lines := &lineBuffer{out: p.stderr}
	var h slog.Handler = slog.NewTextHandler(lines, options)
	if c.LogFormat == "json" {
		h = slog.NewJSONHandler(lines, options)
	}
	return slog.New(promptHandler{h, lines}), lines.flush
}

// lineBuffer gathers what is written to it for a while.
type lineBuffer struct {
	mu      sync.Mutex
	out     io.Writer
	pending []byte
}

// Write implements io.Writer. It never fails: nobody could be told.
func (b *lineBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == 0 {
		time.AfterFunc(logDelay, b.flush)
	}
	b.pending = append(b.pending, line...)
	if len(b.pending) >= logBuffer {
		b.write()
	}
	return len(line), nil
}

func (b *lineBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

func (b *lineBuffer) write() {
	if len(b.pending) == 0 {
		return
	}
	_, _ = b.out.Write(b.pending) // nobody could be told of an error
	b.pending = b.pending[:0]
}

// promptHandler does not let warnings wait.
type promptHandler struct {
	slog.Handler
	lines *lineBuffer
}

// Handle implements slog.Handler.
func (h promptHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		h.lines.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (h promptHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptHandler{h.Handler.WithAttrs(attrs), h.lines}
}

// WithGroup implements slog.Handler.
func (h promptHandler) WithGroup(name string) slog.Handler {
	return promptHandler{h.Handler.WithGroup(name), h.lines}
}
