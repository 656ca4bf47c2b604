package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type restoreCommand struct {
	config.Storage
	File string `arg:"" type:"existingfile" help:"Backup made by octavo backup."`
	JSON bool   `name:"json" help:"Print a JSON object that describes what was restored."`
}

// restoreRecord is the output of --json for a restore.
type restoreRecord struct {
	Data      string  `json:"data"`
	CreatedAt instant `json:"createdAt"`
	Files     int     `json:"files"`
}

func (c *restoreCommand) Run(p *program) (err error) {
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	if c.DatabaseURL != "" {
		return usageError{errors.New("octavo restore needs a data folder: for a PostgreSQL database use its own tools, such as pg_restore; see docs/operating/backup.md")}
	}
	release, err := storage.LockFolder(c.Data)
	if err != nil {
		return err
	}
	defer release()
	location, err := storage.Location(c.Storage)
	if err != nil {
		return err
	}
	var bucket blob.Store
	if c.BlobURL != "" {
		if bucket, err = storage.OpenBlobs(p.ctx, c.Storage); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, bucket.Close()) }()
	}
	in, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("open the backup: %w", err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	env := p.env()
	r, err := backup.Restore(p.ctx, in, backup.Target{
		Folder: c.Data, Ignore: []string{storage.LockFile, storage.LostAndFound}, Opening: app.StoreOptions(env, env.IDs(), ""),
		Bucket: bucket, Location: location, Random: p.random,
	})
	if err != nil {
		return interrupted(p.ctx, err, "nothing was restored; run octavo restore again")
	}
	return p.answer(c.JSON, restoreRecord{c.Data, instant{r.CreatedAt}, r.Files}, c.Data)
}
