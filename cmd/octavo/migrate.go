package main

import (
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
)

// migrateCommand brings the schema up to date.
type migrateCommand struct {
	config.Storage
	Restored bool `help:"Say once, before anything is served, that the database was brought back from a copy, but not by octavo restore, which does so itself."`
	JSON     bool `name:"json" help:"Print the schema version as a JSON object."`
}

// Help says what the command does and does not do.
func (migrateCommand) Help() string {
	return "Prints the schema version that the database has afterwards. A store that does not exist is created. " +
		"Commands that create what is missing, such as serve, do this too; those that only look or mend, such as doctor, refuse an older schema. " +
		"There is no way back to an older schema: make a backup first. A newer schema is left as it is, and accepted as long as this program can work on it. " +
		"With --restored, events and entity tags go on behind those that were given out after the copy was made, so that nobody takes what is new for what was lost; no server may run on the data then, and data that do not exist are refused."
}

// Run migrates. Opening the store does it.
func (c *migrateCommand) Run(p *program) error {
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	what := storage.CreateMissing
	if c.Restored {
		what = storage.MigrateMissing
	}
	if c.Restored && c.DatabaseURL == "" {
		if err := storage.RefuseNone(c.Data); err != nil { // before the lock makes the folder
			return err
		}
		lock, err := storage.LockFolder(c.Data)
		if err != nil {
			return err
		}
		defer lock.Release()
	}
	return p.withStorage(c.Storage, what, func(s *storage.Storage) error {
		if c.Restored {
			err := s.Restored(p.ctx)
			if errors.Is(err, store.ErrFilesKept) {
				err = errors.New("a server works on the database: stop all of its servers first")
			}
			if err != nil {
				return err
			}
		}
		have, _, err := s.SchemaVersion(p.ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(p.stdout, struct {
				SchemaVersion int64 `json:"schemaVersion"`
			}{have})
		}
		return printLine(p.stdout, fmt.Sprint(have))
	})
}
