package main

import (
	"errors"
	"log/slog"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
)

// env is the environment of a command that does not serve. It prints warnings and
// errors of the log.
func (p *program) env() app.Env {
	return app.Env{Now: p.now, Random: p.random, Log: slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
}

// withStorage runs work on the store of a command that does not serve. further has
// additional options for opening the store.
func (p *program) withStorage(o config.Storage, m storage.Missing, work func(*storage.Storage) error, further ...func(*store.Options)) (err error) {
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	st, err := storage.Open(p.ctx, o, m, p.env(), "", further...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return work(st)
}
