package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
)

var errKilled = errors.New("killed")

// steps ends a process at one of its steps: before it is done, or after.
type steps struct {
	mu    sync.Mutex
	left  int
	after bool
}

func (s *steps) do(step func() error) error {
	s.mu.Lock()
	s.left--
	left := s.left
	s.mu.Unlock()
	switch {
	case left < 0 || left == 0 && !s.after:
		return errKilled
	case left == 0:
		return errors.Join(step(), errKilled)
	}
	return step()
}

// dying is a store of a process that is ended.
type dying struct {
	blob.Store
	steps *steps
}

func (d dying) Transfer(ctx context.Context, key, from, to string, move bool) error {
	return d.steps.do(func() error { return d.Store.Transfer(ctx, key, from, to, move) })
}

func (d dying) Remove(ctx context.Context, key string) error {
	return d.steps.do(func() error { return d.Store.Remove(ctx, key) })
}

func (d dying) Sweep(ctx context.Context, at time.Time) (n int, err error) {
	return n, d.steps.do(func() error { n, err = d.Store.Sweep(ctx, at); return err })
}

func (d dying) Apart(name string) (apart blob.Store, err error) {
	err = d.steps.do(func() error { apart, err = d.Store.Apart(name); return err })
	return dying{apart, d.steps}, err
}

// TestUpgradeKilled: wherever the move of the files is interrupted, each of them
// can be read, and the next start moves the rest.
func TestUpgradeKilled(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"folder", "bucket"} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", name, after), func(t *testing.T) {
				t.Parallel()
				for n, whole := 1, false; !whole; n++ {
					whole = killedAt(t, name, &steps{left: n, after: after})
				}
			})
		}
	}
}

// killedAt reports whether the files were moved before the step came.
func killedAt(t *testing.T, name string, at *steps) bool {
	t.Helper()
	b := unpackBefore(t, name)
	st, files := b.open()
	defer st.Close()
	b.must(files.Moved(t.Context(), false))
	root := files.Root
	const unknown = "unknown1"
	b.must(root.Put(t.Context(), unknown, strings.NewReader("no row names it")))
	files.Root = dying{root, at}
	err := files.Bring(t.Context())
	files.Root = root
	if err != nil && !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	meanwhile, failed := files.Read(t.Context())
	b.must(failed)
	b.whole(st, meanwhile)
	b.must(files.Bring(t.Context()))
	afterwards, failed := files.Read(t.Context())
	b.must(failed)
	b.whole(st, afterwards)
	for info, err := range root.All(t.Context()) {
		if err != nil || info.Key != unknown {
			t.Errorf("%s lies where it lay before, %v", info.Key, err)
		}
	}
	b.must(afterwards.Close())
	return err == nil
}
