package server

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// replace puts a copy in the place of a file.
func replace(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// TestHeldFile: what cannot be told is no loss.
func TestHeldFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := heldFile{path: path}
	var err error
	if f.opened, err = os.Stat(path); err != nil {
		t.Fatal(err)
	}
	var lost *lostError
	if err := f.check(); err != nil {
		t.Errorf("the file as it was: have %v", err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{loop, path} {
		gone := heldFile{path: filepath.Join(folder, "f"), opened: f.opened}
		if err := gone.check(); !errors.As(err, &lost) || lost.how != "removed" {
			t.Errorf("in %s, which is no folder: have %v", folder, err)
		}
	}
	unknown := heldFile{path: filepath.Join(dir, strings.Repeat("f", 1000)), opened: f.opened}
	lost = nil
	if err := unknown.check(); err == nil || errors.As(err, &lost) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a name that is too long: have %v, want an error that is no loss", err)
	}
	if err := replace(path); err != nil {
		t.Fatal(err)
	}
	if err := f.check(); !errors.As(err, &lost) || lost.how != "replaced" {
		t.Errorf("another file: have %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := f.check(); !errors.As(err, &lost) || lost.how != "removed" {
		t.Errorf("no file: have %v", err)
	}
}
