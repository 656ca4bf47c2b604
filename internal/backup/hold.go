package backup

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// How long the protection of files lasts, and how often a backup renews it. After a crash
// it expires.
const (
	holdFor   = 10 * time.Minute
	holdEvery = time.Minute
)

// Held returns a store of files that removes nothing while a backup is running. The sweep
// of the store removes unused files later. A caller that removes a file must first have
// removed the row that names it.
func Held(files blob.Store, st *store.Store, now func() time.Time) blob.Store {
	return held{files, st, now}
}

type held struct {
	blob.Store
	holds *store.Store
	now   func() time.Time
}

func (h held) Remove(ctx context.Context, key string) error {
	until, err := h.holds.Assets.FilesHeld(ctx)
	if err != nil {
		return fmt.Errorf("look whether files are held for a backup: %w", err)
	}
	if h.now().Before(until) {
		return nil
	}
	return h.Store.Remove(ctx, key)
}

// hold protects files from removal until some time after release. It returns once they are
// protected.
func hold(ctx context.Context, st *store.Store, now func() time.Time) (release func(), err error) {
	end := func() time.Time { return now().Add(holdFor).Round(0) } // without the monotonic clock, since the database compares wall clocks
	if err := st.Assets.HoldFiles(ctx, end()); err != nil {
		return nil, fmt.Errorf("note in the database that its files are needed: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(holdEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// A failed renewal is retried at the next tick. If the protection expires and a file
				// is removed, the backup reports it as missing.
				_ = st.Assets.HoldFiles(ctx, end())
			}
		}
	})
	return func() { cancel(); group.Wait() }, nil
}
