package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type backupCommand struct {
	config.Storage
	File string `arg:"" help:"File to create."`
	JSON bool   `name:"json" help:"Print a JSON object that describes the contents of the backup."`
}

// backupRecord is the output of --json for a backup.
type backupRecord struct {
	Name          string  `json:"file"`
	CreatedAt     instant `json:"createdAt"`
	SchemaVersion int64   `json:"schemaVersion"`
	Files         int     `json:"files"`
	Size          int64   `json:"size"`
}

func (c *backupCommand) Run(p *program) error {
	if err := errors.Join(c.Check(), c.checkFile()); err != nil {
		return usageError{err}
	}
	if c.DatabaseURL != "" {
		return usageError{errors.New("octavo backup does not copy a PostgreSQL database: copy the files, run pg_dump, and copy the files again; see docs/operating/backup.md")}
	}
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) (err error) {
		blobs, err := s.ReadFiles(p.ctx, c.Storage)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, blobs.Close()) }()
		progress, finish := p.progressBar("copying files")
		made, err := backup.Make(p.ctx, backup.Source{
			Store: s.Store, Files: blobs, Now: s.Env.Now, Program: productVersion(),
			Opening: app.StoreOptions(s.Env, s.IDs, ""), Progress: progress,
		}, c.File)
		finish()
		if err != nil {
			return interrupted(p.ctx, err, "no backup was made")
		}
		err = p.answer(c.JSON, backupRecord{c.File, instant{made.CreatedAt}, made.Schema, made.Files, made.Size}, c.File)
		if len(made.Missing) > 0 {
			const told = 10
			err = errors.Join(err, fmt.Errorf("the backup was made, but the bytes of some files were missing or altered before (%d): %s; see octavo doctor",
				len(made.Missing), strings.Join(made.Missing[:min(told, len(made.Missing))], " ")))
		}
		return err
	})
}

// checkFile checks where the backup goes before it is made.
func (c *backupCommand) checkFile() error {
	switch c.File {
	case "":
		return errors.New("the name of the backup is empty")
	case "-":
		return errors.New("a backup cannot be written to standard output: name a file")
	}
	if err := checkNew(c.File); err != nil {
		return err
	}
	return c.refuseSwept()
}

// refuseSwept refuses a backup in a folder whose files a server removes by itself,
// also through symbolic links.
func (c *backupCommand) refuseSwept() error {
	at, err := filepath.Abs(filepath.Dir(c.File))
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return fmt.Errorf("find the folder of the backup: %w", err)
	}
	for _, name := range []string{storage.FilesFolder, app.SearchFolder} {
		kept := filepath.Join(c.Data, name)
		folder, err := os.Stat(kept)
		if err != nil {
			continue // nothing can lie in it
		}
		for above := at; ; above = filepath.Dir(above) {
			if info, err := os.Stat(above); err == nil && os.SameFile(info, folder) {
				return fmt.Errorf("%s would be in %s, where a server removes orphans: name a file outside the data folder, preferably on another disk", c.File, kept)
			}
			if above == filepath.Dir(above) {
				break
			}
		}
	}
	return nil
}

// interrupted is err, or an error that says what an interruption has left.
func interrupted(ctx context.Context, err error, left string) error {
	if ctx.Err() != nil {
		return errors.New("interrupted; " + left)
	}
	return err
}
