package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/config"
)

// openBlobs opens the folder or bucket in which files lie.
func openBlobs(ctx context.Context, o config.Storage) (blob.Store, error) {
	if o.BlobURL != "" {
		return blob.OpenS3(ctx, string(o.BlobURL))
	}
	return blob.OpenFolder(filepath.Join(o.Data, filesFolder))
}

// fileLocation names the folder or bucket in which files lie, as the database does.
func fileLocation(o config.Storage) (string, error) {
	switch {
	case o.BlobURL != "":
		return blob.S3Name(string(o.BlobURL)), nil
	case o.DatabaseURL == "":
		return assets.Beside, nil
	}
	path, err := filepath.Abs(filepath.Join(o.Data, filesFolder))
	if err != nil {
		return "", fmt.Errorf("find the folder of files: %w", err)
	}
	return path, nil
}

// files are those of the installation in an open folder or bucket.
func (s *storage) files(o config.Storage, root blob.Store) (assets.Files, error) {
	location, err := fileLocation(o)
	return assets.Files{Store: s.Store, Root: root, Location: location, Random: s.env.Random, Now: s.env.Now}, err
}

// keepFiles opens the files of a process that keeps some, or, where it uploads and
// removes none, that of any location.
func (s *storage) keepFiles(ctx context.Context, o config.Storage, uploads bool) (blob.Store, error) {
	root, err := openBlobs(ctx, o)
	if err != nil {
		return nil, err
	}
	files, err := s.files(o, root)
	if !uploads {
		files.Location = ""
	}
	var blobs blob.Store
	if err == nil {
		blobs, err = files.Keep(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("keep files at %s: %w", files.Location, errors.Join(err, root.Close()))
	}
	return blobs, nil
}

// readFiles opens the files of a process that changes nothing: it creates no folder.
func (s *storage) readFiles(ctx context.Context, o config.Storage) (blobs blob.Store, err error) {
	var root blob.Store
	if o.BlobURL != "" {
		root, err = openBlobs(ctx, o)
	} else {
		root, err = blob.ReadFolder(filepath.Join(o.Data, filesFolder))
	}
	if err != nil {
		return nil, err
	}
	files, err := s.files(o, root)
	if err == nil {
		blobs, err = files.Read(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return blobs, nil
}

// refuseNone refuses a data folder without a database.
func refuseNone(data string) error {
	if _, err := os.Stat(filepath.Join(data, databaseFile)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no data of octavo: name the folder with --data, or a database with --database-url", data)
	}
	return nil
}

// refuseLost refuses a data folder whose database is gone, but not what belongs to
// it: a new database would know none of the files, and SQLite would remove the
// writes that are not in the database yet.
func refuseLost(data string) error {
	path := filepath.Join(data, databaseFile)
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	left := ""
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		left = databaseFile + ", a link that leads to no database"
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		left = databaseFile + "-wal"
	}
	files, _ := os.ReadDir(filepath.Join(data, filesFolder)) // what is not there has none
	for _, f := range files {
		if f.Name() != lostAndFound {
			left = filesFolder
		}
	}
	if left == "" {
		return nil
	}
	return fmt.Errorf("%s holds %s, but the database %s is not there or empty: bring it back from a backup, or mount its disk; for a new installation move away what is left", data, left, databaseFile)
}
