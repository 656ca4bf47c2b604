package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/octavo-docs/octavo"
)

// unfinished is the folder of files that are still being written.
const unfinished = "tmp"

// copySize is the buffer size in bytes.
const copySize = 64 << 10

// flushSize is the number of bytes of a long file after which the disk starts writing
// them. It then works while the rest arrives, and no database commit waits behind a
// gigabyte.
const flushSize = 8 << 20

// Folder is a store in a folder: a file for each key, in subfolders named by its first two
// characters so that none grows too large. A file is written and synced under tmp, renamed
// into place, and then its folder is synced. Symbolic links do not lead out of the folder.
// Subfolders are created when needed.
type Folder struct {
	root  *os.Root
	sub   string                                 // of the root, where this store is
	flush func(root *os.Root, name string) error // syncs the names in a folder: syncFolder, replaced in tests

	mu   sync.Mutex
	last map[string]bool // subfolders that were synced since they were created
}

// OpenFolder opens a store in the folder at path. A missing folder is created with access
// for its owner alone.
func OpenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of files: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	return newFolder(root, "."), nil
}

func newFolder(root *os.Root, sub string) *Folder {
	return &Folder{root: root, sub: sub, flush: syncFolder, last: map[string]bool{}}
}

// Apart implements Store with a subfolder.
func (f *Folder) Apart(name string) (Store, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return newFolder(f.root, path.Join(f.sub, name)), nil
}

func (f *Folder) Close() error {
	if f.sub != "." {
		return nil // the root belongs to another store
	}
	return f.root.Close()
}

// placeSize is the length of a subfolder's name.
const placeSize = 2

func (f *Folder) place(key string) (dir, name string) {
	dir = path.Join(f.sub, key[:placeSize])
	return dir, path.Join(dir, key)
}

func (f *Folder) Put(ctx context.Context, key string, r io.Reader) (err error) {
	if err := checkKey(key); err != nil {
		return err
	}
	dir, name := f.place(key)
	draft := path.Join(f.sub, unfinished, key)
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write file %s: %w", key, err), f.remove(draft))
		}
	}()
	if err := f.makeFolder(path.Dir(draft)); err != nil {
		return local(err)
	}
	if err := f.write(draft, ContextReader{ctx, r}); err != nil {
		return err
	}
	if err := f.makeFolder(dir); err != nil {
		return local(err)
	}
	if err := f.root.Rename(draft, name); err != nil {
		return local(err)
	}
	return local(f.flush(f.root, dir))
}

// write fills a new file and syncs it. It returns an error of r unchanged.
func (f *Folder) write(name string, r io.Reader) (err error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return local(err)
	}
	defer func() { err = errors.Join(err, local(file.Close())) }()
	buf := make([]byte, copySize)
	var written, flushing int64
	for {
		n, end, err := Fill(r, buf)
		if err != nil {
			return err
		}
		if _, err := file.Write(buf[:n]); err != nil {
			return local(err)
		}
		if written += int64(n); written-flushing >= flushSize {
			startFlush(file, flushing, written-flushing)
			flushing = written
		}
		if end {
			return local(file.Sync())
		}
	}
}

// Fill reads until buf is full or r ends. Unlike io.ReadFull it distinguishes the end of
// r from an io.ErrUnexpectedEOF that r returns.
func Fill(r io.Reader, buf []byte) (n int, end bool, err error) {
	for n < len(buf) && err == nil {
		var more int
		more, err = r.Read(buf[n:])
		n += more
	}
	if err == io.EOF {
		return n, true, nil
	}
	return n, false, err
}

func (f *Folder) Open(_ context.Context, key string) (File, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	_, name := f.place(key)
	file, err := f.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open file %s: %w", key, local(err))
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open file %s: %w", key, local(err)), file.Close())
	}
	return &folderFile{file, info.Size()}, nil
}

// folderFile is an open file. It exposes the *os.File, which the kernel can send without
// copying.
type folderFile struct {
	*os.File
	size int64
}

func (f *folderFile) Size() int64 { return f.size }

func (f *Folder) Remove(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	_, name := f.place(key)
	return octavo.Wrapf(f.remove(name), "remove file %s", key)
}

func (f *Folder) remove(name string) error {
	if err := f.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return local(err)
	}
	return nil
}

// Transfer implements Store by a rename, or by a hard link, since files never change.
func (f *Folder) Transfer(ctx context.Context, key, from, to string, move bool) error {
	if err := checkKey(key); err != nil {
		return err
	}
	_, source := newFolder(f.root, path.Join(f.sub, from)).place(key)
	dir, target := newFolder(f.root, path.Join(f.sub, to)).place(key)
	err := f.makeFolder(dir)
	if err != nil {
		return fmt.Errorf("transfer file %s: %w", key, local(err))
	}
	if move {
		err = f.root.Rename(source, target)
	} else {
		err = f.root.Link(source, target)
	}
	if _, there := f.root.Lstat(target); there == nil {
		err = f.flush(f.root, dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return copyAcross(ctx, f, key, from, to, move) // for file systems without links
	}
	if err != nil {
		return fmt.Errorf("transfer file %s: %w", key, local(err))
	}
	if move { // remove folders that are empty now
		left := path.Join(f.sub, from)
		for _, dir := range []string{path.Dir(source), path.Join(left, unfinished), left} {
			_ = f.root.Remove(dir)
		}
	}
	return nil
}

func (f *Folder) All(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		err := f.walk(ctx, f.sub, func(entry fs.DirEntry) error {
			if !entry.IsDir() || len(entry.Name()) != placeSize {
				return nil // unfinished files and separate stores
			}
			return f.walk(ctx, path.Join(f.sub, entry.Name()), func(file fs.DirEntry) error {
				if checkKey(file.Name()) != nil || !strings.HasPrefix(file.Name(), entry.Name()) {
					return nil //nolint:nilerr // not ours, or in a wrong place
				}
				info, err := file.Info()
				if errors.Is(err, fs.ErrNotExist) {
					return nil // removed meanwhile
				}
				if err != nil {
					return local(err)
				}
				if !yield(Info{file.Name(), info.Size(), info.ModTime()}, nil) {
					return fs.SkipAll
				}
				return nil
			})
		})
		if err != nil && !errors.Is(err, fs.SkipAll) {
			yield(Info{}, fmt.Errorf("list the files: %w", err))
		}
	}
}

// walk calls visit for the entries of a folder, read in batches. A missing folder has
// none.
func (f *Folder) walk(ctx context.Context, dir string, visit func(entry fs.DirEntry) error) (err error) {
	folder, err := f.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return local(err)
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	for {
		entries, err := folder.ReadDir(256)
		for _, entry := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := visit(entry); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return local(err)
		}
	}
}

func (f *Folder) Sweep(ctx context.Context, before time.Time) (removed int, err error) {
	err = f.walk(ctx, path.Join(f.sub, unfinished), func(entry fs.DirEntry) error {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.ModTime().Before(before) {
			return nil
		}
		if err != nil {
			return local(err)
		}
		removed++
		return f.remove(path.Join(f.sub, unfinished, entry.Name()))
	})
	return removed, octavo.Wrapf(err, "remove unfinished files")
}

// makeFolder creates a folder and its parents durably. An existing folder is synced the
// first time it is seen: its creator may have crashed before its own sync.
func (f *Folder) makeFolder(name string) error {
	if dir := path.Dir(name); dir != "." {
		if err := f.makeFolder(dir); err != nil {
			return err
		}
	}
	err := f.root.Mkdir(name, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f.mu.Lock()
	lasts := err != nil && f.last[name]
	f.mu.Unlock()
	if lasts {
		return nil
	}
	if err := f.flush(f.root, path.Dir(name)); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last[name] = true
	return nil
}

// syncFolder syncs the names in a folder.
func syncFolder(root *os.Root, name string) error {
	folder, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// local translates an error of the file system.
func local(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &octavo.Error{Type: octavo.StorageFull, Err: err}
	}
	return unavailable(err)
}
