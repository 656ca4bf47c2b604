package blob_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
)

// A store opened for reading creates no folder, finds existing files, and can neither add
// nor remove any.
func TestReadFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "files")
	const key = "abcdefgh"
	look := func(want int) {
		t.Helper()
		have := 0
		s, err := blob.ReadFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		apart, err := s.Apart("search")
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range []blob.Store{s, apart} {
			for _, err := range place.All(t.Context()) {
				if err != nil {
					t.Error(err)
				}
				have++
			}
		}
		file, err := s.Open(t.Context(), key)
		switch {
		case want == 0 && !errors.Is(err, blob.ErrNotFound):
			t.Errorf("have %v, want that there is no file", err)
		case want > 0 && err != nil:
			t.Error(err)
		case want > 0:
			text, err := io.ReadAll(file)
			if err = errors.Join(err, file.Close()); err != nil || string(text) != "text" {
				t.Errorf("have %q, %v", text, err)
			}
		}
		_, sweep := s.Sweep(t.Context(), time.Now())
		if have != want || s.Put(t.Context(), "ijklmnop", strings.NewReader("x")) == nil || s.Remove(t.Context(), key) == nil || sweep == nil {
			t.Errorf("have %d files, or something can be changed; want %d", have, want)
		}
		if err := errors.Join(apart.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	}
	look(0)
	if list, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(list) > 0 {
		t.Errorf("have %v, %v; want no folder made", list, err)
	}
	s, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Put(t.Context(), key, strings.NewReader("text")); err != nil {
		t.Fatal(err)
	}
	look(1)
	if _, err := os.Stat(filepath.Join(dir, "search")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder apart: have %v, want that it was not made", err)
	}
	apart, err := s.Apart("search")
	if err != nil {
		t.Fatal(err)
	}
	defer apart.Close()
	if err := apart.Put(t.Context(), key, strings.NewReader("text")); err != nil {
		t.Fatal(err)
	}
	look(2)
}
