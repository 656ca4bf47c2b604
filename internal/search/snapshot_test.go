package search

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// snapshotOf returns the bytes of a snapshot of a small index.
func snapshotOf(tb testing.TB, documents int) []byte {
	tb.Helper()
	r := rand.New(rand.NewPCG(7, 1))
	index := New(Config{})
	for n := range documents {
		mustApply(tb, index, int64(n+1), put(randomDocument(r, fmt.Sprintf("page_%03d", n))))
	}
	mustApply(tb, index, int64(documents+1), Change{ID: "page_000"})
	path := filepath.Join(tb.TempDir(), "snapshot")
	if _, err := index.Save(path); err != nil {
		tb.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return content
}

func TestLoadNoticesDamage(t *testing.T) {
	t.Parallel()
	whole := snapshotOf(t, 3)
	load := func(content []byte) error {
		_, err := readView(bytes.NewReader(content), int64(len(content)))
		return err
	}
	if err := load(whole); err != nil {
		t.Fatalf("the whole: %v", err)
	}
	for n := range whole {
		if err := load(whole[:n]); !errors.Is(err, ErrSnapshot) {
			t.Fatalf("the first %d of %d bytes: have %v, want %v", n, len(whole), err, ErrSnapshot)
		}
	}
	for n := range whole {
		damaged := bytes.Clone(whole)
		damaged[n] ^= 1 << (n % 8)
		if err := load(damaged); !errors.Is(err, ErrSnapshot) {
			t.Fatalf("bit %d of byte %d is wrong: have %v, want %v", n%8, n, err, ErrSnapshot)
		}
	}
	if err := load(append(bytes.Clone(whole), 0)); !errors.Is(err, ErrSnapshot) {
		t.Errorf("a byte too many: have %v, want %v", err, ErrSnapshot)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none"), Config{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: have %v, want %v", err, fs.ErrNotExist)
	}
}

func TestSaveReplacesOrLeaves(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	mustApply(t, index, 41, put(page("p", "Page", "Text")))
	folder := filepath.Join(t.TempDir(), "search")
	path := filepath.Join(folder, "snapshot")
	if _, err := index.Save(path); err == nil {
		t.Error("saving to a folder that is not there: have no error")
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte("what a kill left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if position, err := index.Save(path); err != nil || position != 41 {
			t.Errorf("saving: have position %d and %v, want 41", position, err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder: have %v and %v, want the snapshot alone", entries, err)
	}
	loaded, err := Load(path, Config{})
	if err != nil || loaded.Position() != 41 || len(mustSearch(t, loaded, Query{Text: "page"}).Hits) != 1 {
		t.Errorf("what was saved does not come back: %v", err)
	}
}

// FuzzReadView shows that no bytes, whatever their checksums, make an index
// that cannot be searched.
func FuzzReadView(f *testing.F) {
	f.Add(snapshotOf(f, 2))
	f.Add([]byte(snapshotMagic))
	f.Fuzz(func(t *testing.T, content []byte) {
		v, err := readView(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return
		}
		index := New(Config{})
		index.view.Store(v)
		for _, text := range []string{"agent cache", `"the agent"`, "nocach", "缓"} {
			_, _ = index.Search(t.Context(), Query{Text: text, Limit: 10})
		}
		index.Compact()
	})
}
