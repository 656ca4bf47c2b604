package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/config"
)

// OpenBlobs opens the folder or bucket of the files.
func OpenBlobs(ctx context.Context, o config.Storage) (blob.Store, error) {
	if o.BlobURL != "" {
		return blob.OpenS3(ctx, string(o.BlobURL))
	}
	return blob.OpenFolder(filepath.Join(o.Data, FilesFolder))
}

// Location returns the name of that folder or bucket in the database.
func Location(o config.Storage) (string, error) {
	switch {
	case o.BlobURL != "":
		return blob.S3Name(string(o.BlobURL)), nil
	case o.DatabaseURL == "":
		return assets.Beside, nil
	}
	path, err := filepath.Abs(filepath.Join(o.Data, FilesFolder))
	if err != nil {
		return "", fmt.Errorf("find the folder of files: %w", err)
	}
	return path, nil
}

// Files returns the files of the installation in an open folder or bucket.
func (s *Storage) Files(o config.Storage, root blob.Store) (assets.Files, error) {
	location, err := Location(o)
	folder, _ := os.Lstat(filepath.Join(o.Data, FilesFolder)) // nil if it is missing
	linked := folder != nil && folder.Mode()&fs.ModeSymlink != 0
	return assets.Files{Assets: s.Store.Assets, Root: root, Location: location, Shared: linked, Random: s.Env.Random, Now: s.Env.Now}, err
}

// KeepFiles opens the files for a process that uses them, otherwise those of any location.
// Nothing is removed while a backup is running.
func (s *Storage) KeepFiles(ctx context.Context, o config.Storage, used bool) (blob.Store, error) {
	root, err := OpenBlobs(ctx, o)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(o, root)
	if !used {
		files.Location = ""
	}
	var blobs blob.Store
	if err == nil {
		blobs, err = files.Keep(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("open the files %s: %w", assets.Where(files.Location), errors.Join(err, root.Close()))
	}
	return backup.Held(blobs, s.Store, s.Env.Now), nil
}

// ReadFiles opens the files for a process that changes nothing. It creates no folder.
func (s *Storage) ReadFiles(ctx context.Context, o config.Storage) (blobs blob.Store, err error) {
	var root blob.Store
	if o.BlobURL != "" {
		root, err = OpenBlobs(ctx, o)
	} else {
		root, err = blob.ReadFolder(filepath.Join(o.Data, FilesFolder))
	}
	if err != nil {
		return nil, err
	}
	files, err := s.Files(o, root)
	if err == nil {
		blobs, err = files.Read(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return blobs, nil
}

// RefuseNone refuses a data folder without a database.
func RefuseNone(data string) error {
	if _, err := os.Stat(filepath.Join(data, DatabaseFile)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s contains no data of octavo: name the folder with --data, or a database with --database-url", data)
	}
	return nil
}

// RefuseLost refuses a data folder whose database is missing but whose other files
// exist: a new database would not know the files, and SQLite would delete the writes in
// the WAL.
func RefuseLost(data string) error {
	path := filepath.Join(data, DatabaseFile)
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	left := ""
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		left = DatabaseFile + ", a link to a missing database"
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		left = DatabaseFile + "-wal"
	}
	files, _ := os.ReadDir(filepath.Join(data, FilesFolder)) // a missing folder has none
	for _, f := range files {
		if f.Name() != LostAndFound {
			left = FilesFolder
		}
	}
	if left == "" {
		return nil
	}
	return fmt.Errorf("%s contains %s, but the database %s is missing or empty: restore it from a backup, or mount its disk; for a new installation move the remaining files away", data, left, DatabaseFile)
}
