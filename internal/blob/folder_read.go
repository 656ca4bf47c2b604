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
	"time"
)

// errReadOnly refuses to change a store that was opened to be read.
var errReadOnly = errors.New("the files were opened read-only")

// readFolder is a store in a folder that is only read. Where there is no folder
// it is nil, and the store is empty.
type readFolder struct{ folder *Folder }

// ReadFolder opens the store in the folder at path to read it, and creates
// nothing: where there is no folder, nothing is in the store.
func ReadFolder(path string) (Store, error) {
	root, err := os.OpenRoot(path)
	if errors.Is(err, fs.ErrNotExist) {
		return readFolder{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	return readFolder{newFolder(root, ".")}, nil
}

// Apart implements Store.
func (f readFolder) Apart(name string) (Store, error) {
	if err := checkName(name); err != nil || f.folder == nil {
		return f, err
	}
	return readFolder{newFolder(f.folder.root, path.Join(f.folder.sub, name))}, nil
}

// Open implements Store.
func (f readFolder) Open(ctx context.Context, key string) (File, error) {
	if f.folder == nil {
		return nil, fmt.Errorf("open file %s: %w", key, ErrNotFound)
	}
	return f.folder.Open(ctx, key)
}

// All implements Store.
func (f readFolder) All(ctx context.Context) iter.Seq2[Info, error] {
	if f.folder == nil {
		return func(func(Info, error) bool) {}
	}
	return f.folder.All(ctx)
}

// Put implements Store: it refuses.
func (readFolder) Put(context.Context, string, io.Reader) error { return errReadOnly }

// Remove implements Store: it refuses.
func (readFolder) Remove(context.Context, string) error { return errReadOnly }

// Transfer implements Store: it refuses.
func (readFolder) Transfer(context.Context, string, string, string, bool) error { return errReadOnly }

// Sweep implements Store: it refuses.
func (readFolder) Sweep(context.Context, time.Time) (int, error) { return 0, errReadOnly }

// Close implements Store.
func (f readFolder) Close() error {
	if f.folder == nil {
		return nil
	}
	return f.folder.Close()
}
