package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// Staging is the folder inside a data folder for an unfinished restore. While it exists
// nothing else may use the data folder.
const Staging = "restoring"

// The parts of a data folder that a restore creates.
const filesFolder = "files"

// Target is where a backup is restored to.
type Target struct {
	// Folder is a data folder that this process has locked. It must be empty except for the
	// names in Ignore, or contain an unfinished restore, which is started again.
	Folder string
	Ignore []string
	// Bucket is where the files go; nil means the folder. Location is its name in the
	// database, or the folder's.
	Bucket   blob.Store
	Location string
	Random   io.Reader // for the identifier of the files
	// Opening has the options to open the database with, which migrates its schema.
	Opening store.Options
}

// Restore restores a backup. Until it returns nil, the folder contains a folder named
// [Staging].
func Restore(ctx context.Context, backup io.Reader, to Target) (r Result, err error) {
	staging := filepath.Join(to.Folder, Staging)
	if err := to.prepare(staging); err != nil {
		return r, err
	}
	// Recognise a backup by its first entry before creating anything.
	in := tar.NewReader(backup)
	first, err := in.Next()
	switch {
	case errors.Is(err, io.EOF):
		return r, fmt.Errorf("%w: it is empty", ErrNoBackup)
	case err != nil:
		return r, fmt.Errorf("%w: %w", ErrNoBackup, err)
	case first.Name != labelEntry:
		return r, fmt.Errorf("%w: it begins with %q, not with %s", ErrNoBackup, first.Name, labelEntry)
	}
	have := sums{}
	sum := sha256.New()
	if r.Label, err = readLabel(io.TeeReader(in, sum)); err != nil {
		return r, err
	}
	have[labelEntry] = [32]byte(sum.Sum(nil))
	id, err := assetstore.NewKey(to.Random)
	if err != nil {
		return r, err
	}
	if err := errors.Join(os.Mkdir(staging, 0o700), syncFolder(to.Folder)); err != nil {
		return r, fmt.Errorf("make a temporary folder: %w", err)
	}
	if err := to.unpack(ctx, backup, in, staging, have, id); err != nil {
		return r, errors.Join(fmt.Errorf("restore into %s: %w", to.Folder, err), os.RemoveAll(staging))
	}
	r.Files = len(have) - 2
	return r, to.finish(staging)
}

// unpack extracts everything into the staging folder, or the files into the bucket, under
// an identifier of their own.
func (to Target) unpack(ctx context.Context, backup io.Reader, in *tar.Reader, staging string, have sums, id string) (err error) {
	root := to.Bucket
	if root == nil {
		folder, err := blob.OpenFolder(filepath.Join(staging, filesFolder))
		if err != nil {
			return err
		}
		defer func() { _ = folder.Close() }() // Put has synced every file
		root = folder
	}
	files, err := root.Apart(id)
	if err != nil {
		return err
	}
	defer func() { _ = files.Close() }() // as above
	u := unpacking{ctx: ctx, in: in, staging: staging, files: files, have: have}
	if err = u.all(); err == nil {
		err = onlyZeros(blob.ContextReader{Context: ctx, Reader: backup})
	}
	switch {
	case err == nil:
		err = to.open(ctx, filepath.Join(staging, databaseEntry), id)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%w: it is truncated: %w", ErrNoBackup, err)
	case errors.Is(err, tar.ErrHeader):
		err = fmt.Errorf("%w: it is damaged: %w", ErrNoBackup, err)
	}
	if err != nil && to.Bucket != nil {
		err = errors.Join(err, u.undo())
	}
	return err
}

// onlyZeros reads what follows the end of an archive: tar programs pad with zeros.
func onlyZeros(r io.Reader) error {
	block := make([]byte, 32<<10)
	for {
		n, err := r.Read(block)
		if len(bytes.Trim(block[:n], "\x00")) > 0 {
			return fmt.Errorf("%w: there is data after its end", ErrNoBackup)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// prepare refuses a folder that is not empty.
func (to Target) prepare(staging string) error {
	// While the staging folder exists, everything in the folder belongs to the restore.
	if _, err := os.Lstat(staging); err == nil {
		for _, name := range []string{databaseEntry, filesFolder, Staging} {
			if err := os.RemoveAll(filepath.Join(to.Folder, name)); err != nil {
				return fmt.Errorf("remove an unfinished restore: %w", err)
			}
		}
	}
	list, err := os.ReadDir(to.Folder)
	if err != nil {
		return fmt.Errorf("look into the data folder: %w", err)
	}
	for _, entry := range list {
		if !slices.Contains(to.Ignore, entry.Name()) {
			return fmt.Errorf("%s is not empty, it contains %s: a backup can be restored only into an empty folder", to.Folder, entry.Name())
		}
	}
	return nil
}

// open opens the database and migrates its schema, which proves that this program can use
// it. It stores where the files are, and starts a new history of the change log.
func (to Target) open(ctx context.Context, path, id string) error {
	st, err := store.OpenSQLite(ctx, path, to.Opening)
	if err != nil {
		return err
	}
	was, err := st.Assets.Files(ctx)
	if err == nil {
		_, err = st.Assets.SetFiles(ctx, was, assetstore.Files{ID: id, Location: to.Location})
	}
	if err == nil {
		err = st.Restored(ctx)
	}
	if err := errors.Join(err, st.Close()); err != nil {
		return fmt.Errorf("prepare the restored database: %w", err)
	}
	if err := inOneFile(path); err != nil {
		return fmt.Errorf("prepare the restored database: %w", err)
	}
	if err := os.Remove(path + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("tidy up: %w", err)
	}
	return nil
}

// inOneFile checks that a closed database has no data left in its write-ahead log. SQLite
// reports no error if it cannot write that back, for example because the disk is full.
func inOneFile(path string) error {
	switch info, err := os.Stat(path + "-wal"); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("look for what is not in the database yet: %w", err)
	case info.Size() > 0:
		return fmt.Errorf("%s contains %d bytes that could not be written to the database: is the disk full, or does another program read it?", path+"-wal", info.Size())
	}
	return nil
}

// finish moves everything into place, the database last.
func (to Target) finish(staging string) error {
	for _, name := range []string{filesFolder, databaseEntry} {
		err := os.Rename(filepath.Join(staging, name), filepath.Join(to.Folder, name))
		if err != nil && (name != filesFolder || to.Bucket == nil) {
			return fmt.Errorf("put the restored data into their place: %w", err)
		}
	}
	if err := syncFolder(to.Folder); err != nil {
		return fmt.Errorf("flush the data folder: %w", err)
	}
	if err := os.RemoveAll(staging); err != nil {
		return fmt.Errorf("end the restore: %w", err)
	}
	return syncFolder(to.Folder)
}

// unpacking is the state of extracting the entries.
type unpacking struct {
	ctx     context.Context
	in      *tar.Reader
	staging string
	files   blob.Store
	have    sums
}

// all extracts the entries up to the list of sums and the end of the archive.
func (u *unpacking) all() error {
	for {
		entry, err := u.in.Next()
		if errors.Is(err, io.EOF) { // before the list of sums
			return fmt.Errorf("%w: it is cut short", ErrNoBackup)
		}
		if err != nil {
			return err
		}
		if entry.Typeflag != tar.TypeReg {
			return fmt.Errorf("%w: %q in it is not a file", ErrNoBackup, entry.Name)
		}
		if entry.Name == sumsEntry {
			break
		}
		if _, twice := u.have[entry.Name]; twice {
			return fmt.Errorf("%w: it contains %q twice", ErrNoBackup, entry.Name)
		}
		u.have[entry.Name] = [32]byte{} // even a failed entry may have left something in a bucket
		sum := sha256.New()
		if err := u.take(entry.Name, io.TeeReader(blob.ContextReader{Context: u.ctx, Reader: u.in}, sum)); err != nil {
			return err
		}
		u.have[entry.Name] = [32]byte(sum.Sum(nil))
	}
	if err := u.have.compare(u.in); err != nil {
		return err
	}
	if _, found := u.have[databaseEntry]; !found {
		return fmt.Errorf("%w: the database is missing", ErrNoBackup)
	}
	switch entry, err := u.in.Next(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("%w: %q is after its end", ErrNoBackup, entry.Name)
	}
}

// undo removes the extracted files from the bucket.
func (u *unpacking) undo() error {
	ctx := context.WithoutCancel(u.ctx)
	for entry := range u.have {
		if key, ok := keyOf(entry); ok {
			if err := u.files.Remove(ctx, key); err != nil {
				return fmt.Errorf("empty the bucket again: %w", err)
			}
		}
	}
	return nil
}

// take stores the content of an entry.
func (u *unpacking) take(entry string, content io.Reader) error {
	if entry == databaseEntry {
		return write(filepath.Join(u.staging, databaseEntry), content)
	}
	key, ok := keyOf(entry)
	if !ok {
		return fmt.Errorf("%w: it must not contain %q", ErrNoBackup, entry)
	}
	return u.files.Put(u.ctx, key, content)
}

// write writes a new file and syncs it.
func write(path string, content io.Reader) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := io.Copy(file, content); err != nil {
		return err
	}
	return file.Sync()
}
