package backup

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// How long a hold lasts, and how often whoever copies makes it anew. One that is
// left by a crash ends by itself.
const (
	holdFor   = 10 * time.Minute
	holdEvery = time.Minute
)

// Held returns a store of files that leaves them where they are while a backup
// is made: those that nothing needs any more remain, and the sweep of the store
// removes them later. Whoever removes a file through it must have removed the
// row that named it before.
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

// hold protects the files of a store from removal until some time after release. It
// returns once they are protected.
func hold(ctx context.Context, st *store.Store, now func() time.Time) (release func(), err error) {
	end := func() time.Time { return now().Add(holdFor).Round(0) } // by the clock alone, which may be set
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
				// One that fails is made with the next tick. When the hold ends
				// because of it and a file goes, the backup finds that it lacks it.
				_ = st.Assets.HoldFiles(ctx, end())
			}
		}
	})
	return func() { cancel(); group.Wait() }, nil
}
