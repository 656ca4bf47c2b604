package main

import (
	"context"
	"log/slog"
)

// logger returns the server's log, and what writes the rest of it at the end.
// What is a warning or worse is written at once, with all that led to it.
func (c *serveCommand) logger(p *program) (log *slog.Logger, end func()) {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // its values were checked
	options := &slog.HandlerOptions{Level: level}
	lines := newLineBuffer(p.stderr)
	var h slog.Handler = slog.NewTextHandler(lines, options)
	if c.LogFormat == "json" {
		h = slog.NewJSONHandler(lines, options)
	}
	lines.note = slog.New(h)
	return slog.New(promptHandler{h, lines}), lines.end
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
		h.lines.prompt()
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
