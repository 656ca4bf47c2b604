package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// Source is the installation to copy.
type Source struct {
	Store   *store.Store // on SQLite
	Files   blob.Store
	Now     func() time.Time
	Program string // version of the program
	// Opening has the options to open the copy of the database with, to list its files.
	Opening store.Options
	// Progress, if non-nil, is called with the number of copied files and the total.
	Progress func(done, total int)
}

// Result describes a backup.
type Result struct {
	Label
	Files int   // of assets, exports and imports
	Size  int64 // of the backup, in bytes
	// Missing are the keys of files that the database names but that were missing or altered:
	// the installation is damaged.
	Missing []string
}

// Make writes a backup to path, which must not exist. Until it is complete and synced it
// has the suffix .partial; a later call replaces one that a crash left.
func Make(ctx context.Context, src Source, path string) (r Result, err error) {
	if _, err := os.Lstat(path); err == nil {
		return r, fmt.Errorf("%s exists already", path)
	}
	work, clear, err := workFolder(path + ".partial")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, clear()) }()
	release, err := hold(ctx, src.Store, src.Now)
	if err != nil {
		return r, err
	}
	defer release()
	archive := filepath.Join(work, "backup.tar")
	if r, err = src.write(ctx, work, archive); err != nil {
		return r, err
	}
	if _, err := os.Lstat(path); err == nil {
		return r, fmt.Errorf("%s was created by another process in the meantime, and is left unchanged", path)
	}
	if err := os.Rename(archive, path); err != nil {
		return r, fmt.Errorf("give the backup its name: %w", err)
	}
	return r, syncFolder(filepath.Dir(path))
}

// workFolder creates a folder for unfinished files of this process.
func workFolder(path string) (_ string, clear func() error, err error) {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	lock := flock.New(filepath.Join(path, "lock"))
	held, err := lock.TryLock()
	if err != nil {
		return "", nil, fmt.Errorf("lock the temporary folder: %w", err)
	}
	if !held {
		return "", nil, fmt.Errorf("another process is making this backup, in %s", path)
	}
	for _, name := range []string{"backup.tar", databaseEntry, databaseEntry + "-wal", databaseEntry + "-shm", databaseEntry + ".lock"} {
		if err := os.Remove(filepath.Join(path, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", nil, errors.Join(fmt.Errorf("clear the temporary folder: %w", err), lock.Close())
		}
	}
	return path, func() error {
		return errors.Join(os.RemoveAll(path), lock.Close())
	}, nil
}

// write writes the archive and syncs it.
func (src Source) write(ctx context.Context, work, archive string) (r Result, err error) {
	r.Label = Label{Format: Format, CreatedAt: src.Now().UTC().Truncate(time.Second), Program: src.Program}
	if r.Schema, _, err = src.Store.DB.SchemaVersion(ctx); err != nil {
		return r, fmt.Errorf("read the schema version: %w", err)
	}
	database := filepath.Join(work, databaseEntry)
	if err := src.Store.DB.CopyTo(ctx, database); err != nil {
		return r, err
	}
	named, err := src.names(ctx, database)
	if err != nil {
		return r, err
	}
	file, err := os.OpenFile(archive, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return r, fmt.Errorf("create the backup: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := &writer{ctx: ctx, tar: tar.NewWriter(file), at: r.CreatedAt}
	label, err := json.Marshal(r.Label)
	if err != nil {
		return r, err
	}
	if _, err := w.add(labelEntry, int64(len(label)), bytes.NewReader(label)); err != nil {
		return r, err
	}
	if err := w.addFile(database, databaseEntry); err != nil {
		return r, err
	}
	for i, f := range named {
		if err := src.copyFile(w, &r, f); err != nil {
			return r, err
		}
		if src.Progress != nil {
			src.Progress(i+1, len(named))
		}
	}
	if err := w.end(); err != nil {
		return r, err
	}
	if err := file.Sync(); err != nil {
		return r, fmt.Errorf("flush the backup: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return r, fmt.Errorf("look at the backup: %w", err)
	}
	r.Size = info.Size()
	return r, nil
}

// names returns the files that a copy of the database names.
func (src Source) names(ctx context.Context, path string) (named []assetstore.BlobUse, err error) {
	o := src.Opening
	o.NoMigrate = true
	st, err := store.OpenSQLite(ctx, path, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = errors.Join(err, st.Close()); err == nil {
			err = inOneFile(path)
		}
	}()
	for b, err := range st.Assets.Blobs(ctx) {
		if err != nil {
			return nil, err
		}
		named = append(named, b)
	}
	files, err := st.Assets.JobFiles(ctx)
	for _, f := range files {
		named = append(named, assetstore.BlobUse{Key: f.Key, SHA256: f.SHA256, Size: f.Size})
	}
	return named, err
}

// copyFile copies the file of a key. If it is missing although the database still names
// it, the installation was damaged before: the backup goes on, since the rest is worth
// saving. If the database no longer names it, it was removed in spite of the protection.
func (src Source) copyFile(w *writer, r *Result, b assetstore.BlobUse) (err error) {
	file, err := src.Files.Open(w.ctx, b.Key)
	if errors.Is(err, blob.ErrNotFound) {
		known, err := src.Store.Assets.KnownBlobs(w.ctx, []string{b.Key})
		if err != nil {
			return err
		}
		if !known[b.Key] {
			return fmt.Errorf("file %s was removed after the backup started: it was repaired in the meantime, or the backup was delayed by more than %s; make it again", b.Key, holdFor)
		}
		r.Missing = append(r.Missing, b.Key)
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum, err := w.add(entryOf(b.Key), file.Size(), file)
	if err != nil {
		return err
	}
	if hex.EncodeToString(sum[:]) != b.SHA256 {
		r.Missing = append(r.Missing, b.Key)
	}
	r.Files++
	return nil
}

// writer writes an archive.
type writer struct {
	ctx  context.Context
	tar  *tar.Writer
	at   time.Time // of every entry
	sums bytes.Buffer
}

// add writes an entry of the given size and returns its SHA-256.
func (w *writer) add(entry string, size int64, content io.Reader) (sum [32]byte, err error) {
	hash := sha256.New()
	if err := w.put(entry, size, io.TeeReader(content, hash)); err != nil {
		return sum, fmt.Errorf("write %s into the backup: %w", entry, err)
	}
	sum = [32]byte(hash.Sum(nil))
	w.sums.WriteString(line(entry, sum))
	return sum, nil
}

func (w *writer) put(entry string, size int64, content io.Reader) error {
	if err := w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: entry, Size: size, Mode: 0o600, ModTime: w.at, Format: tar.FormatPAX}); err != nil {
		return err
	}
	n, err := io.Copy(w.tar, blob.ContextReader{Context: w.ctx, Reader: content})
	if err == nil && n != size {
		err = fmt.Errorf("it has %d bytes, not %d", n, size)
	}
	return err
}

// addFile adds a local file as an entry.
func (w *writer) addFile(path, entry string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	_, err = w.add(entry, info.Size(), file)
	return err
}

// end writes the list of sums.
func (w *writer) end() error {
	if err := w.put(sumsEntry, int64(w.sums.Len()), &w.sums); err != nil {
		return fmt.Errorf("write the list of sums: %w", err)
	}
	return octavo.Wrapf(w.tar.Close(), "end the backup")
}

// syncFolder syncs the names in a folder.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
