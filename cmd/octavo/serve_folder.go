package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// folderInterval is how often a server looks whether its data folder is still
// the one that it works on.
const folderInterval = time.Second

// heldFile is a file of the data folder that a server has open.
type heldFile struct {
	path   string
	opened os.FileInfo
	mend   string // what its loss means, and what to do then
}

// lostError says that a file of the data folder was taken from a server.
type lostError struct {
	heldFile
	how string // removed or replaced
}

func (e *lostError) Error() string {
	return fmt.Sprintf("%s was %s while the server worked on it, which therefore ends at once: %s", e.path, e.how, e.mend)
}

// check returns a lostError when the file at the path is not the one that was
// opened, and another error when that cannot be told.
func (f heldFile) check() error {
	there, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &lostError{f, "removed"}
	case err != nil:
		return fmt.Errorf("look whether the data folder is still there: %w", err)
	case !os.SameFile(f.opened, there):
		return &lostError{f, "replaced"}
	}
	return nil
}

// folderWatch are the files that make a data folder the one of a server.
type folderWatch struct {
	files []heldFile
	log   *slog.Logger
}

// newFolderWatch returns the watch over a data folder whose database was opened.
func newFolderWatch(data string, lock *dataLock, log *slog.Logger) (*folderWatch, error) {
	database := heldFile{path: filepath.Join(data, databaseFile), mend: "what was written since then is in a file without a name and cannot be found again; " +
		"bring a backup back unless the right database is there now, then start the server; stop it before its folder is moved, removed or restored"}
	locked := heldFile{path: lock.path, mend: "another server could start on the same folder; " +
		"make sure that none has, then start it again; leave this file where it is"}
	var err error
	if database.opened, err = os.Stat(database.path); err != nil {
		return nil, fmt.Errorf("look at the database: %w", err)
	}
	if locked.opened, err = lock.file.Stat(); err != nil {
		return nil, fmt.Errorf("look at the lock of the data folder: %w", err)
	}
	return &folderWatch{[]heldFile{database, locked}, log}, nil
}

// run looks at the files until ctx ends, or until one of them is another than it
// was: then it returns a lostError. Where that cannot be told, as when the disk
// fails, it goes on. Without a folder it returns at once.
func (w *folderWatch) run(ctx context.Context) error {
	if w == nil {
		return nil
	}
	ticker := time.NewTicker(folderInterval)
	defer ticker.Stop()
	told := ""
	for {
		err := w.look()
		var lost *lostError
		if errors.As(err, &lost) {
			return lost
		}
		if err == nil {
			told = ""
		} else if err.Error() != told {
			told = err.Error()
			w.log.WarnContext(ctx, "the server cannot tell whether its data folder was removed or replaced", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// look checks all files once.
func (w *folderWatch) look() error {
	var errs []error
	for _, f := range w.files {
		errs = append(errs, f.check())
	}
	return errors.Join(errs...)
}
