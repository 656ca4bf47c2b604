// Package blobtest is the conformance suite of blob stores: what holds for a
// folder must hold for a bucket. It owns the behaviours that callers rely on;
// what only one kind of store does is tested beside its code.
package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
)

// Run runs the suite, each test on an empty store of its own, which the suite
// closes.
func Run(t *testing.T, open func(testing.TB) blob.Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, blob.Store)
	}{
		{"WhatIsPutIsRead", putRead},
		{"Seek", seek},
		{"AClosedFileIsNotRead", closed},
		{"AFileIsClosedWhileItIsRead", closedMeanwhile},
		{"UnknownKey", unknown},
		{"KeysAreNoPaths", keys},
		{"Remove", remove},
		{"AnInterruptedPutLeavesNothing", interrupted},
		{"ACancelledPutLeavesNothing", cancelled},
		{"All", all},
		{"ManyAtOnce", atOnce},
		{"Apart", apart},
		{"Transfer", transfer},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := open(t)
			defer func() {
				if err := store.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}()
			test.run(t, store)
		})
	}
}

// Sample returns n bytes that look random and are the same every time.
func Sample(n int) []byte {
	b := make([]byte, n)
	state := uint32(n) + 1 // of a xorshift generator
	for i := range b {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		b[i] = byte(state)
	}
	return b
}

// key makes the key of a number.
func key(n int) string { return fmt.Sprintf("%02dkey%05d", n%100, n) }

func put(t testing.TB, s blob.Store, key string, data []byte) {
	t.Helper()
	if err := s.Put(t.Context(), key, bytes.NewReader(data)); err != nil {
		t.Fatalf("put %s: %v", key, err)
	}
}

func read(t testing.TB, s blob.Store, key string) []byte {
	t.Helper()
	f, err := s.Open(t.Context(), key)
	if err != nil {
		t.Fatalf("open %s: %v", key, err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	if int64(len(data)) != f.Size() {
		t.Errorf("%s: have %d bytes, and a size of %d", key, len(data), f.Size())
	}
	return data
}

func putRead(t *testing.T, s blob.Store) {
	for i, size := range []int{0, 1, 4096, 256 << 10, 256<<10 + 1, 6 << 20} {
		want := Sample(size)
		put(t, s, key(i), want)
		if have := read(t, s, key(i)); !bytes.Equal(have, want) {
			t.Errorf("%d bytes: have %d bytes, and others", size, len(have))
		}
	}
}

func seek(t *testing.T, s blob.Store) {
	data := Sample(100_000)
	put(t, s, key(1), data)
	f, err := s.Open(t.Context(), key(1))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []struct {
		offset   int64
		whence   int
		at, read int
	}{
		{0, io.SeekEnd, 100_000, 0},
		{0, io.SeekStart, 0, 10},
		{-5, io.SeekEnd, 99_995, 5},
		{50_000, io.SeekStart, 50_000, 1000},
		{-500, io.SeekCurrent, 50_500, 1},
	} {
		at, err := f.Seek(c.offset, c.whence)
		if err != nil || at != int64(c.at) {
			t.Fatalf("seek %d from %d: have %d, %v; want %d", c.offset, c.whence, at, err, c.at)
		}
		have := make([]byte, c.read)
		if _, err := io.ReadFull(f, have); err != nil || !bytes.Equal(have, data[c.at:c.at+c.read]) {
			t.Errorf("read %d at %d: %v, or other bytes", c.read, c.at, err)
		}
	}
	if at, err := f.Seek(-1, io.SeekStart); err == nil {
		t.Errorf("seek to -1: have %d, want an error", at)
	}
}

func closed(t *testing.T, s blob.Store) {
	put(t, s, key(1), Sample(100_000))
	for _, before := range []int{0, 10, 100_000} { // bytes that are read before it is closed
		f, err := s.Open(t.Context(), key(1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(f, make([]byte, before)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Errorf("close after %d bytes: %v", before, err)
		}
		if n, err := f.Read(make([]byte, 10)); n != 0 || err == nil || err == io.EOF { //nolint:errorlint // an end is told as it is
			t.Errorf("read after %d bytes and closing: have %d, %v; want an error", before, n, err)
		}
	}
}

// closedMeanwhile closes a file while other goroutines read parts of it, as package http
// does.
func closedMeanwhile(t *testing.T, s blob.Store) {
	put(t, s, key(1), Sample(1<<20))
	for range 30 {
		f, err := s.Open(t.Context(), key(1))
		if err != nil {
			t.Fatal(err)
		}
		begun, closed, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			close(begun)
			buf := make([]byte, 32<<10)
			for last, i := false, int64(0); err == nil && !last; i++ {
				select {
				case <-closed:
					last = true
				default:
				}
				if _, err = f.Seek(i%20*40_000, io.SeekStart); err == nil {
					_, err = f.Read(buf)
				}
			}
		}()
		<-begun
		if err := f.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		close(closed)
		if <-done; err == nil {
			t.Fatal("a closed file is still read")
		}
	}
}

func unknown(t *testing.T, s blob.Store) {
	if f, err := s.Open(t.Context(), key(1)); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("open: have %v, %v; want %v", f, err, blob.ErrNotFound)
	}
}

func keys(t *testing.T, s blob.Store) {
	for _, key := range []string{"", "short", "../../../etc/passwd", "ABCDEFGHIJ", "abc/defghij", "abcdefgh\x00", string(make([]byte, 65))} {
		if err := s.Put(t.Context(), key, bytes.NewReader(nil)); err == nil {
			t.Errorf("put %q: have no error", key)
		}
		if _, err := s.Open(t.Context(), key); err == nil {
			t.Errorf("open %q: have no error", key)
		}
		if err := s.Remove(t.Context(), key); err == nil {
			t.Errorf("remove %q: have no error", key)
		}
	}
}

func remove(t *testing.T, s blob.Store) {
	put(t, s, key(1), []byte("one"))
	put(t, s, key(2), []byte("two"))
	for range 2 {
		if err := s.Remove(t.Context(), key(1)); err != nil {
			t.Errorf("remove: %v", err)
		}
	}
	unknown(t, s)
	if have := read(t, s, key(2)); string(have) != "two" {
		t.Errorf("the other one: have %q", have)
	}
}

// broken gives some bytes and then fails, as a body does whose sender is gone.
type broken struct {
	io.Reader
	err error
}

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func interrupted(t *testing.T, s blob.Store) {
	for i, size := range []int{0, 100, 300 << 10, 20 << 20} {
		for _, want := range []error{io.ErrUnexpectedEOF, errors.New("the sender is gone")} {
			err := s.Put(t.Context(), key(i), broken{bytes.NewReader(Sample(size)), want})
			if !errors.Is(err, want) {
				t.Errorf("put of %d bytes: have %v, want %v", size, err, want)
			}
		}
	}
	empty(t, s)
}

func cancelled(t *testing.T, s blob.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Put(ctx, key(1), bytes.NewReader(Sample(1000))); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v, want %v", err, context.Canceled)
	}
	empty(t, s)
}

// empty fails the test when anything is left, finished or not.
func empty(t *testing.T, s blob.Store) {
	t.Helper()
	for info, err := range s.All(t.Context()) {
		t.Errorf("there is %+v, %v", info, err)
	}
	late := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	if n, err := s.Sweep(t.Context(), late); n != 0 || err != nil {
		t.Errorf("sweep: have %d, %v; want nothing unfinished", n, err)
	}
}

func all(t *testing.T, s blob.Store) {
	const n = 25
	want := map[string]int64{}
	for i := range n {
		put(t, s, key(i), Sample(i))
		want[key(i)] = int64(i)
	}
	for info, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if size, ok := want[info.Key]; !ok || info.Size != size || info.Modified.Year() < 2000 {
			t.Errorf("have %+v, want a size of %d and a time", info, size)
		}
		delete(want, info.Key)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	for _, err := range s.All(t.Context()) {
		if err != nil {
			t.Error(err)
		}
		break // an iteration that is left early harms nobody
	}
}

func atOnce(t *testing.T, s blob.Store) {
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			data := Sample(i * 50_000)
			if err := s.Put(t.Context(), key(i), bytes.NewReader(data)); err != nil {
				t.Errorf("put: %v", err)
				return
			}
			f, err := s.Open(t.Context(), key(i))
			if err != nil {
				t.Errorf("open: %v", err)
				return
			}
			defer f.Close()
			h := sha256.New()
			if _, err := io.Copy(h, f); err != nil || [32]byte(h.Sum(nil)) != sha256.Sum256(data) {
				t.Errorf("read: %v, or other bytes", err)
			}
		})
	}
	group.Wait()
}

// apart checks that what lies apart is out of reach: a sweep of the one must
// never take what the other needs.
func apart(t *testing.T, s blob.Store) {
	for _, name := range []string{"", "ab", "tmp", "Search", "search/x", "..", strings.Repeat("search", 6)} {
		if other, err := s.Apart(name); err == nil {
			t.Errorf("apart %q: have no error", name)
			_ = other.Close() // the test has failed
		}
	}
	other, err := s.Apart("search")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := other.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	put(t, s, key(1), []byte("here"))
	put(t, other, key(1), []byte("there"))
	put(t, other, key(2), []byte("there too"))
	for _, c := range []struct {
		s    blob.Store
		want int
		text string
	}{{s, 1, "here"}, {other, 2, "there"}} {
		n := 0
		for _, err := range c.s.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if have := read(t, c.s, key(1)); n != c.want || string(have) != c.text {
			t.Errorf("have %d files, and %q; want %d, %q", n, have, c.want, c.text)
		}
	}
	if _, err := s.Open(t.Context(), key(2)); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("what lies apart is opened here: %v", err)
	}
	if err := s.Remove(t.Context(), key(1)); err != nil {
		t.Error(err)
	}
	if have := read(t, other, key(1)); string(have) != "there" {
		t.Errorf("after the other was removed: have %q", have)
	}
}
