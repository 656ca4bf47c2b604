package server

import "log/slog"

// logger returns the server's log.
func (s *server) logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // its values were checked
	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(s.process.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(s.process.Stderr, options))
}
