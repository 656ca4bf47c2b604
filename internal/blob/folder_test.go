package blob_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/blob/blobtest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t testing.TB) blob.Store {
		folder, err := blob.OpenFolder(filepath.Join(t.TempDir(), "a", "files"))
		if err != nil {
			t.Fatal(err)
		}
		return folder
	})
}

// TestFolderLayout looks at what lies in the folder.
func TestFolderLayout(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "files")
	folder, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if err := folder.Put(t.Context(), "abcdefgh", bytes.NewReader([]byte("x"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "ab": 0o700, "ab/abcdefgh": 0o600, "tmp": 0o700} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: have %v, %v; want mode %o", name, info, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "ab", "note.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "xy"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "xy", "misplaced"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for info, err := range folder.All(t.Context()) {
		if info.Key != "abcdefgh" || err != nil {
			t.Errorf("have %+v, %v; want what was put alone", info, err)
		}
	}
}

// TestFolderSweepsOldDrafts leaves a draft behind as a killed process does.
func TestFolderSweepsOldDrafts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for name, age := range map[string]time.Duration{"oldoldold": 2 * time.Hour, "newnewnew": time.Minute} {
		path := filepath.Join(dir, "tmp", name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := folder.Sweep(t.Context(), now.Add(-time.Hour)); n != 1 || err != nil {
		t.Errorf("have %d, %v; want 1", n, err)
	}
	left, err := os.ReadDir(filepath.Join(dir, "tmp"))
	if err != nil || len(left) != 1 || left[0].Name() != "newnewnew" {
		t.Errorf("have %v, %v; want the new one alone", left, err)
	}
}

// TestEmptyFolders: no folder is made before a file is put there, so that an
// empty disk stays empty, and none is left where all files were moved away.
func TestEmptyFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	want := func(names ...string) {
		t.Helper()
		have, err := filepath.Glob(filepath.Join(dir, "*"))
		for i, path := range have {
			have[i] = filepath.Base(path)
		}
		if err != nil || !slices.Equal(have, names) {
			t.Errorf("have %q, %v; want %q", have, err, names)
		}
	}
	first, err := folder.Apart("first")
	if err != nil {
		t.Fatal(err)
	}
	for range first.All(t.Context()) {
		t.Error("something is in an empty folder")
	}
	if n, err := first.Sweep(t.Context(), time.Now()); n > 0 || err != nil {
		t.Errorf("have %d, %v", n, err)
	}
	want()
	const files = 600 // more than are listed at once
	for n := range files {
		if err := first.Put(t.Context(), fmt.Sprintf("ab%06d", n), strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	moved := 0
	for moved < files {
		for info, err := range first.All(t.Context()) { // while it is listed
			if err == nil {
				err = folder.Transfer(t.Context(), info.Key, "first", "second", true)
			}
			if err != nil {
				t.Fatal(err)
			}
			moved++
		}
	}
	want("second")
}

// TestFolderStaysInside checks that a link in the folder does not lead out.
func TestFolderStaysInside(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "abcdefgh"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if err := os.Symlink(outside, filepath.Join(dir, "ab")); err != nil {
		t.Fatal(err)
	}
	if f, err := folder.Open(t.Context(), "abcdefgh"); err == nil {
		f.Close()
		t.Error("a link leads out of the folder")
	}
}

func TestFolderOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := testenv.SmallDisk(t, 1<<20)
	folder, err := blob.OpenFolder(disk.File("files"))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	var full *octavo.Error
	if err := folder.Put(t.Context(), "abcdefgh", bytes.NewReader(blobtest.Sample(2<<20))); !errors.As(err, &full) || full.Type != octavo.StorageFull {
		t.Errorf("have %v, want %s", err, octavo.StorageFull)
	}
	if err := folder.Put(t.Context(), "abcdefgh", bytes.NewReader(blobtest.Sample(1<<19))); err != nil {
		t.Errorf("what was refused takes space: %v", err)
	}
}
