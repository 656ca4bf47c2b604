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

// Staging is the folder inside a data folder that holds what a restore has not
// finished. As long as it is there nothing may work on the data folder.
const Staging = "restoring"

// The parts of a data folder that a restore makes.
const filesFolder = "files"

// Target is where a backup is brought back to.
type Target struct {
	// Folder is a data folder which this process has locked, and which is empty
	// but for the files that Ignore names, or holds an unfinished restore, which
	// is begun anew.
	Folder string
	Ignore []string
	// Bucket is where the files go; nil puts them into the folder. Location is what
	// the database calls it, or the folder.
	Bucket   blob.Store
	Location string
	Random   io.Reader // of the identifier that the files get
	// Opening is what the database is opened with, which brings its schema up to
	// date.
	Opening store.Options
}

// Restore brings back a backup. It is there when Restore returns nil; until
// then the folder has a folder named [Staging] in it.
func Restore(ctx context.Context, backup io.Reader, to Target) (r Result, err error) {
	staging := filepath.Join(to.Folder, Staging)
	if err := to.prepare(staging); err != nil {
		return r, err
	}
	// The first entry identifies a backup, before anything is created.
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

// unpack puts everything into the staging folder, or into it and the bucket, the
// files under an identifier of their own.
func (to Target) unpack(ctx context.Context, backup io.Reader, in *tar.Reader, staging string, have sums, id string) (err error) {
	root := to.Bucket
	if root == nil {
		folder, err := blob.OpenFolder(filepath.Join(staging, filesFolder))
		if err != nil {
			return err
		}
		defer func() { _ = folder.Close() }() // what was put is on the disk
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

// onlyZeros reads what is behind the end of an archive, which programs fill up
// with zeros.
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
	// Before the staging folder is gone the whole place is the restore's.
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

// open proves that this program can work on the database, brings its schema up
// to date, says where its files are, and has it go on behind what came after the
// backup.
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
		return fmt.Errorf("prepare the database to be gone on with: %w", err)
	}
	if err := inOneFile(path); err != nil {
		return fmt.Errorf("prepare the database to be gone on with: %w", err)
	}
	if err := os.Remove(path + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("tidy up: %w", err)
	}
	return nil
}

// inOneFile makes sure that a database which was closed holds all that was written
// to it. SQLite says nothing when it cannot bring that in from the log, as on a
// disk that is full, and leaves it there.
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

// finish puts everything into its place, the database last.
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

// unpacking is the work on the entries of an archive.
type unpacking struct {
	ctx     context.Context
	in      *tar.Reader
	staging string
	files   blob.Store
	have    sums
}

// all takes the entries out, to the list of sums and the end of the archive.
func (u *unpacking) all() error {
	for {
		entry, err := u.in.Next()
		if errors.Is(err, io.EOF) { // the list of sums ends it
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
		u.have[entry.Name] = [32]byte{} // also what comes to nothing may have left something in a bucket
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

// undo removes from the bucket what was put there.
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

// take puts the content of an entry where it belongs.
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

// write writes a new file and flushes it.
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
