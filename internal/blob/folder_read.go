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

// errReadOnly refuses changes to a store that was opened for reading.
var errReadOnly = errors.New("the files were opened read-only")

// readFolder is a read-only store in a folder. A nil folder is an empty store.
type readFolder struct{ folder *Folder }

// ReadFolder opens the store in the folder at path for reading. It creates nothing: a
// missing folder is an empty store.
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

func (f readFolder) Apart(name string) (Store, error) {
	if err := checkName(name); err != nil || f.folder == nil {
		return f, err
	}
	return readFolder{newFolder(f.folder.root, path.Join(f.folder.sub, name))}, nil
}

func (f readFolder) Open(ctx context.Context, key string) (File, error) {
	if f.folder == nil {
		return nil, fmt.Errorf("open file %s: %w", key, ErrNotFound)
	}
	return f.folder.Open(ctx, key)
}

func (f readFolder) All(ctx context.Context) iter.Seq2[Info, error] {
	if f.folder == nil {
		return func(func(Info, error) bool) {}
	}
	return f.folder.All(ctx)
}

func (readFolder) Put(context.Context, string, io.Reader) error { return errReadOnly }

func (readFolder) Remove(context.Context, string) error { return errReadOnly }

func (readFolder) Transfer(context.Context, string, string, string, bool) error { return errReadOnly }

func (readFolder) Sweep(context.Context, time.Time) (int, error) { return 0, errReadOnly }

func (f readFolder) Close() error {
	if f.folder == nil {
		return nil
	}
	return f.folder.Close()
}
