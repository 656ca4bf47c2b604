package main

import (
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type migrateCommand struct {
	config.Storage
	Restored bool `help:"Mark a database that was restored from a copy, once, before it is served. Not needed after octavo restore, which does it itself."`
	Moved    bool `name:"files-moved" help:"Record that the files were moved to the folder or bucket that is now given."`
	Lost     bool `name:"files-lost" help:"With --files-moved or --restored: accept that missing files are lost."`
	JSON     bool `name:"json" help:"Print the schema version as a JSON object."`
}

// Run migrates the database, by opening the store.
func (c *migrateCommand) Run(p *program) error {
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	if c.Lost && !c.Moved && !c.Restored {
		return usageError{errors.New("--files-lost goes with --files-moved or --restored")}
	}
	what := storage.CreateMissing
	if c.Restored || c.Moved {
		what = storage.MigrateMissing
		release, err := c.lock()
		if err != nil {
			return err
		}
		defer release()
	}
	return p.withStorage(c.Storage, what, func(s *storage.Storage) error {
		if c.Restored || c.Moved {
			release, err := s.DB.Alone(p.ctx)
			if err != nil {
				return err
			}
			defer release()
		}
		if c.Restored {
			if err := s.Restored(p.ctx); err != nil {
				return err
			}
		}
		if err := c.moveFiles(p, s); err != nil {
			return err
		}
		have, _, err := s.DB.SchemaVersion(p.ctx)
		if err != nil {
			return err
		}
		return p.answer(c.JSON, map[string]int64{"schemaVersion": have}, fmt.Sprint(have))
	})
}

// lock locks the data folder, which must have a database, against servers.
func (c *migrateCommand) lock() (release func(), err error) {
	if c.DatabaseURL != "" {
		return func() {}, nil
	}
	if err := storage.RefuseNone(c.Data); err != nil { // before the lock makes the folder
		return nil, err
	}
	return storage.LockFolder(c.Data)
}

// moveFiles applies the flags about files, and moves files of earlier versions below
// the files identifier.
func (c *migrateCommand) moveFiles(p *program, s *storage.Storage) (err error) {
	have, err := s.Store.Assets.Files(p.ctx)
	if err != nil || have.Old == "" && !c.Restored && !c.Moved {
		return err
	}
	if !c.Restored && !c.Moved {
		release, err := c.lock()
		if err != nil {
			return err
		}
		defer release()
	}
	root, err := storage.OpenBlobs(p.ctx, c.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	files, err := s.Files(c.Storage, root)
	if err != nil {
		return err
	}
	if c.Restored {
		missing, stay, err := files.Restored(p.ctx, c.Lost)
		if err != nil {
			return fmt.Errorf("copy the files: %w", err)
		}
		if missing > 0 {
			fmt.Fprintf(p.stderr, "octavo: %d files that the database names are missing; see octavo doctor\n", missing)
		}
		for _, id := range stay {
			fmt.Fprintf(p.stderr, "octavo: the previous files remain under %s/; remove them once no other database uses them\n", id)
		}
	}
	if c.Moved {
		if err := files.Moved(p.ctx, c.Lost); err != nil {
			return err
		}
	} else if c.Restored {
		return nil
	}
	return octavo.Wrapf(files.Bring(p.ctx), "the schema is up to date, but the files were not moved")
}
