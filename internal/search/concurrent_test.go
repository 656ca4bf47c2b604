package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// TestReadersSeeWholeBatches has readers, a writer, merges and snapshots at
// once. Each batch writes the same word into a pair of pages, so a reader who
// sees one page of a pair without the other, or an older word than before, has
// seen half a batch.
func TestReadersSeeWholeBatches(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	index := New(Config{Builders: 2})
	ctx, stop := context.WithCancel(t.Context())
	var others, readers sync.WaitGroup
	others.Go(func() { index.Maintain(ctx) })
	path := filepath.Join(t.TempDir(), "snapshot")
	others.Go(func() {
		for ctx.Err() == nil {
			if _, err := index.Save(path); err != nil {
				t.Errorf("saving: %v", err)
			}
		}
	})
	const batches = 300
	for reader := range 4 {
		readers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(reader), 1))
			for index.Position() < batches {
				q := Query{Text: "shared", Limit: 100, PublishedOnly: r.IntN(2) == 0}
				answer, err := index.Search(ctx, q)
				if err != nil {
					t.Errorf("searching: %v", err)
					return
				}
				pairs := make(map[string]int)
				for _, hit := range answer.Hits {
					pairs[hit.Title]++
				}
				for title, n := range pairs {
					if n != 2 {
						t.Errorf("%q stands on %d pages, want 2", title, n)
						return
					}
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(9, 1))
	for n := int64(1); n <= batches; n++ {
		pair := r.IntN(20)
		title := fmt.Sprintf("shared batch%d", n)
		mustApply(
			t, index, n,
			put(page(fmt.Sprintf("a%d", pair), title, "one")), put(page(fmt.Sprintf("b%d", pair), title, "two")),
		)
	}
	readers.Wait()
	if err := index.Reached(ctx, batches); err != nil {
		t.Errorf("waiting for the last batch: %v", err)
	}
	stop()
	others.Wait()
	index.Compact()
	stats := index.Stats()
	if stats.Dead != 0 || stats.Segments != 1 || stats.Published > 40 || stats.Other != 0 {
		t.Errorf("at the end: %+v", stats)
	}
	entries := 0
	index.Entries(func(e Entry) bool {
		entries++
		return e.Published
	})
	if entries != stats.Published {
		t.Errorf("have %d entries, want %d", entries, stats.Published)
	}
}

func TestReachedWaits(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	done := make(chan error)
	go func() { done <- index.Reached(t.Context(), 2) }()
	mustApply(t, index, 1)
	mustApply(t, index, 2)
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := index.Reached(ctx, 3); err == nil {
		t.Error("waiting for what does not come: have no error")
	}
}
