package blob

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder may come from a process that was killed before it synced the name. So the first
// file that this process puts there syncs it.
func TestFolderOfOtherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var flushed []string
	f.flush = func(root *os.Root, name string) error {
		flushed = append(flushed, name)
		return syncFolder(root, name)
	}
	if err := os.Mkdir(filepath.Join(dir, "ab"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key  string
		want []string
	}{
		{"abcdefgh", []string{".", ".", "ab"}}, // tmp is the first
		{"abcdefgi", []string{"ab"}},
		{"cdefghij", []string{".", "cd"}},
		{"cdefghik", []string{"cd"}},
	} {
		flushed = nil
		if err := f.Put(t.Context(), c.key, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(flushed, c.want) {
			t.Errorf("%s: have %q flushed, want %q", c.key, flushed, c.want)
		}
	}
	// Somebody tidies up.
	if err := f.Remove(t.Context(), "abcdefgh"); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(t.Context(), "abcdefgi"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "ab")); err != nil {
		t.Fatal(err)
	}
	flushed = nil
	if err := f.Put(t.Context(), "abcdefgj", strings.NewReader("x")); err != nil || !slices.Equal(flushed, []string{".", "ab"}) {
		t.Errorf("after the folder was removed: have %v and %q flushed", err, flushed)
	}
}
