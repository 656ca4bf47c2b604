package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octavo-docs/octavo/internal/search/analysis"
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

// FuzzReadView shows that no bytes with the right checksums make an index that
// cannot be searched.
func FuzzReadView(f *testing.F) {
	index := New(Config{})
	mustApply(f, index, 1, put(page("p", "Agent", "The agent caches.")), put(page("q", "Cache", "No-cache.")))
	mustApply(f, index, 2, Change{ID: "q"})
	part := index.view.Load().parts[0]
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0}, part.Append(nil))
	f.Add([]byte{}, part.Append(nil))
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	f.Fuzz(func(t *testing.T, dead, body []byte) {
		header := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), formatVersion)
		header = binary.LittleEndian.AppendUint32(header, analysis.Version)
		header = binary.LittleEndian.AppendUint64(header, 1)
		header = binary.LittleEndian.AppendUint32(header, 1)
		header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(header, castagnoli))
		head := binary.LittleEndian.AppendUint32([]byte{1}, uint32(len(dead)))
		head = binary.LittleEndian.AppendUint64(head, uint64(len(body)))
		body = append(bytes.Clone(dead), body...)
		head = binary.LittleEndian.AppendUint32(head, crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, body))
		content := slices.Concat(header, head, body)
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
