package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/octavo-docs/octavo/internal/storage"
)

// folderInterval is how often a server looks whether what it works on in its data
// folder is still there.
const folderInterval = time.Second

// heldFile is a file or folder that a server has open.
type heldFile struct {
	path   string
	opened os.FileInfo // as it is where the path leads
	link   os.FileInfo // as the path itself is; nil where a link to the same will do
	mend   string      // what its loss means, and what to do then
}

// hold returns what is at a path. Where links are fixed another link to the same
// is another file.
func hold(path, mend string, links linkRule) (f heldFile, err error) {
	f = heldFile{path: path, mend: mend}
	if f.opened, err = os.Stat(path); err == nil && links == fixedLink {
		f.link, err = os.Lstat(path)
	}
	if err != nil {
		return f, fmt.Errorf("look at what the server works on: %w", err)
	}
	return f, nil
}

// linkRule says whether a file may become a link to itself.
type linkRule bool

const (
	anyLink   linkRule = false
	fixedLink linkRule = true
)

// lostError says that a file or folder was taken from a server.
type lostError struct {
	heldFile
	how string // removed or replaced
}

func (e *lostError) Error() string {
	return fmt.Sprintf("%s was %s while the server worked on it, which therefore ends at once: %s", e.path, e.how, e.mend)
}

// check returns a lostError when what is at the path is not what was opened, and
// another error when that cannot be told.
func (f heldFile) check() error {
	there, err := os.Stat(f.path)
	same := err == nil && os.SameFile(f.opened, there)
	if same && f.link != nil {
		there, err = os.Lstat(f.path)
		same = err == nil && os.SameFile(f.link, there)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return &lostError{f, "removed"}
	case err != nil:
		return fmt.Errorf("look whether the data folder is still there: %w", err)
	case !same:
		return &lostError{f, "replaced"}
	}
	return nil
}

// What the loss of a file or folder means, and what to do then.
const (
	mendDatabase = "what was written since then is in the file that it opened, and cannot be found again unless that has another name; " +
		"bring a backup back unless the right database is there now, then start the server; stop it before its folder is moved, removed or restored"
	mendBesideDatabase = "what was written is brought into the database where that can still be done; " +
		"run octavo doctor, start the server again, and leave this file where it is"
	mendLock = "another server could start on the same folder; " +
		"make sure that none has, then start it again; leave this file where it is"
	mendFiles = "what was uploaded since then cannot be found again; " +
		"put back what was there, or bring it back from a backup, then start the server; stop it before its files are moved or removed"
)

// folderWatch are the files and folders that a server works on.
type folderWatch struct {
	files    []heldFile
	database *heldDatabase // nil without one in the folder
	moved    <-chan error  // see store.FilesMoved
	log      *slog.Logger
}

// heldDatabase is a database that a server works on, and what SQLite keeps
// beside it, which belongs to that file alone.
type heldDatabase struct {
	file   heldFile // where the links lead
	beside []heldFile
	lock   *storage.Lock
	now    func() time.Time
}

// setAside renames what belongs to the file that was opened when another one is
// in its place, into which SQLite would bring what they hold. It returns what
// became of them, or what is to be done with them; "" where there is nothing.
func (d *heldDatabase) setAside() (left string, renamed bool) {
	there, err := os.Stat(d.file.path)
	if err == nil && os.SameFile(d.file.opened, there) {
		return "", false
	}
	var moved, stay []string
	for _, f := range d.beside {
		if f.check() != nil {
			continue // gone, or somebody else's
		}
		aside := f.path + ".lost-" + d.now().UTC().Format("20060102T150405Z")
		if err == nil && d.lock.IsThere() && os.Rename(f.path, aside) == nil {
			moved = append(moved, aside)
		} else {
			stay = append(stay, f.path)
		}
	}
	const and = " and "
	var says []string
	if len(moved) > 0 {
		says = append(says, fmt.Sprintf("what belongs to the file that was there and holds its latest writes is named %s now", strings.Join(moved, and)))
	}
	if len(stay) > 0 {
		says = append(says, fmt.Sprintf("%s belong to the file that was there and hold its latest writes: move them away before another %s is put there, which they would damage", strings.Join(stay, and), storage.DatabaseFile))
	}
	return strings.Join(says, "; "), len(moved) > 0
}

// newFolderWatch returns the watch over a data folder whose database and files
// were opened: over the database and its lock when lock is not nil, and over the
// folder of files when the server has one.
func newFolderWatch(now func() time.Time, data string, lock *storage.Lock, files bool, moved <-chan error, log *slog.Logger) (*folderWatch, error) {
	w := &folderWatch{moved: moved, log: log}
	add := func(path, mend string, links linkRule) error {
		f, err := hold(path, mend, links)
		w.files = append(w.files, f)
		return err
	}
	if lock != nil {
		// SQLite keeps its log beside the file that a link leads to, so the link
		// has to stay as well.
		database := filepath.Join(data, storage.DatabaseFile)
		real, err := filepath.EvalSymlinks(database)
		if err != nil {
			return nil, fmt.Errorf("look where the database is: %w", err)
		}
		if err := errors.Join(add(database, mendDatabase, fixedLink), add(real+"-wal", mendBesideDatabase, fixedLink), add(real+"-shm", mendBesideDatabase, fixedLink)); err != nil {
			return nil, err
		}
		w.database = &heldDatabase{file: heldFile{path: real, opened: w.files[0].opened}, beside: w.files[1:3:3], lock: lock, now: now}
		locked, err := lock.File.Stat()
		if err != nil {
			return nil, fmt.Errorf("look at the lock of the data folder: %w", err)
		}
		w.files = append(w.files, heldFile{path: lock.Path, opened: locked, mend: mendLock})
	}
	if files {
		return w, add(filepath.Join(data, storage.FilesFolder), mendFiles, anyLink)
	}
	return w, nil
}

// run looks at the files until ctx ends, or until one of them is another than it
// was: then it returns a lostError. Where that cannot be told, as when the disk
// fails, it goes on. It also ends with an error that comes from moved. A nil watch
// returns at once.
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
			if left, _ := w.setAside(); left != "" {
				lost.mend = left + "; " + lost.mend
			}
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
		case err := <-w.moved:
			return err
		case <-ticker.C:
		}
	}
}

// setAside is that of the database; a nil watch has none.
func (w *folderWatch) setAside() (left string, renamed bool) {
	if w == nil || w.database == nil {
		return "", false
	}
	return w.database.setAside()
}

// end is called when the database is closed: another one may have come into its
// place since it was looked at last.
func (w *folderWatch) end() {
	if left, renamed := w.setAside(); renamed {
		w.log.Warn("another database is in the place of the one that the server worked on: " + left)
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
