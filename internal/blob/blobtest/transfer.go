package blobtest

import (
	"errors"
	"testing"

	"github.com/octavo-docs/octavo/internal/blob"
)

// transfer checks that a file comes from one store to another in the same folder or
// bucket, whole and however often, and stays at its source unless it is moved.
func transfer(t *testing.T, s blob.Store) {
	open := func(name string) blob.Store {
		apart, err := s.Apart(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = apart.Close() }) // nothing is lost with it
		return apart
	}
	first, second := open("first2"), open("second3")
	put(t, s, key(1), []byte("old"))
	put(t, s, key(2), []byte("older"))
	for range 2 {
		for _, c := range []struct {
			key, from, to string
			move          bool
		}{{key(1), "", "first2", true}, {key(1), "first2", "second3", false}, {key(2), "", "second3", false}} {
			if err := s.Transfer(t.Context(), c.key, c.from, c.to, c.move); err != nil {
				t.Errorf("transfer: %v", err)
			}
		}
	}
	if _, err := s.Open(t.Context(), key(1)); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("what was moved: have %v, want nothing left", err)
	}
	for _, have := range [][]byte{read(t, first, key(1)), read(t, second, key(1))} {
		if string(have) != "old" {
			t.Errorf("have %q, want the bytes", have)
		}
	}
	if have := read(t, s, key(2)); string(have) != "older" {
		t.Errorf("what was copied: have %q", have)
	}
	if err := s.Transfer(t.Context(), key(3), "", "first2", true); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("what is not there: have %v", err)
	}
}
