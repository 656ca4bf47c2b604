package storage

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

// realDatabase returns where the database of a data folder is, wherever links
// lead, and SQLite keeps its log beside it. A link that leads nowhere is refused:
// a new database would be made through it.
func realDatabase(data string) (string, error) {
	path := filepath.Join(data, DatabaseFile)
	if _, err := os.Lstat(path); err != nil {
		return path, nil //nolint:nilerr // who opens it tells what is wrong
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		to, _ := os.Readlink(path) // only for the message
		return "", fmt.Errorf("%s is a link to %s, which leads to no file: is its disk mounted? Bring the database back there, or remove the link for a new installation", path, to)
	}
	if err != nil {
		return "", fmt.Errorf("look where the database is: %w", err)
	}
	return real, nil
}

// RefuseLost refuses a data folder whose database is gone, but not what belongs
// to it: SQLite would remove the writes that were not in it yet, and a new
// database knows none of the files, which its server would remove, and leaves
// where it is refused no empty place to bring a backup back into.
func RefuseLost(ctx context.Context, o config.Storage) error {
	database, err := realDatabase(o.Data)
	if err != nil {
		return err
	}
	if info, err := os.Stat(database); err == nil && info.Size() > 0 {
		return nil
	}
	if info, err := os.Stat(database + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("%[1]s-wal holds writes, but the database %[2]s that it belongs to is not there or empty: bring both back as they were; else move it and %[1]s-shm away before a backup, which they would damage, is put there, or for a new installation", database, DatabaseFile)
	}
	folder := filepath.Join(o.Data, FilesFolder)
	blobs, err := blob.ReadFolder(folder)
	if err != nil {
		return err
	}
	if err := refuseKept(ctx, blobs, folder, "move "+folder+" away"); err != nil || o.BlobURL == "" {
		return err
	}
	if blobs, err = OpenBlobs(ctx, o); err != nil {
		return err
	}
	return refuseKept(ctx, blobs, bucketName(o.BlobURL), "name another bucket, or a prefix of its own,")
}

// refuseKept refuses a place that holds files, or the mark of an installation,
// for a database that is not there, and closes it.
func refuseKept(ctx context.Context, blobs blob.Store, where, give string) (err error) {
	defer func() { err = errors.Join(err, blobs.Close()) }()
	for _, err := range blobs.All(ctx) {
		if err != nil {
			return err
		}
		return fmt.Errorf("%s holds files, but the database %s is not there or empty: bring it back from a backup, or %s for a new installation, which would remove them", where, DatabaseFile, give)
	}
	marks, err := blobs.Apart(assets.OwnerName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	for mark, err := range marks.All(ctx) {
		if err != nil {
			return err
		}
		return fmt.Errorf("%s is that of an installation, whose mark %s lies under %s/, but the database %s is not there or empty: bring it back from a backup, or %s for a new installation", where, mark.Key, assets.OwnerName, DatabaseFile, give)
	}
	return nil
}
