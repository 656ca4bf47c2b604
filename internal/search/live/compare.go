package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
)

// checkBatch is how many changes are read at once.
const checkBatch = 1000

// Difference is a page that differs between a saved index and the store.
type Difference struct {
	Page octavo.ID
	Link bool // only its link texts differ
}

// Differences compares the snapshot in a folder with the store, except for
// pages that changed after it was written. It compares link texts only if
// nothing at all has changed. There are no differences if there is no
// snapshot, or one that the next start does not use.
func Differences(ctx context.Context, st *store.Store, folder string) ([]Difference, error) {
	index, err := search.Load(filepath.Join(folder, SnapshotFile), search.Config{})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, search.ErrSnapshot) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	reach, err := st.Log.Reach(ctx)
	if err != nil || !reach.Has(index.Position()) {
		return nil, err // the database was set back, so the next start rebuilds the index
	}
	return differences(ctx, st, index)
}

// SharedDifferences compares the newest shared snapshot of this version with
// the store in the same way, or returns its name if it is damaged. A process
// that starts with it would then read every page.
func SharedDifferences(ctx context.Context, st *store.Store, blobs blob.Store) (list []Difference, damaged string, err error) {
	all, err := listSnapshots(ctx, blobs)
	if err != nil {
		return nil, "", err
	}
	reach, err := st.Log.Reach(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, one := range all {
		if !one.own || !reach.Has(one.position) {
			continue
		}
		index, err := fetch(ctx, blobs, one.key, search.Config{})
		switch {
		case errors.Is(err, blob.ErrNotFound):
			continue // it was superseded
		case errors.Is(err, search.ErrSnapshot):
			return nil, one.key, nil
		case err != nil:
			return nil, "", err
		}
		list, err = differences(ctx, st, index)
		return list, "", err
	}
	return nil, "", nil
}

// differences compares an index with the store, except for later changes.
func differences(ctx context.Context, st *store.Store, index *search.Index) ([]Difference, error) {
	ids, differ, err := compare(ctx, st, index)
	if err != nil {
		return nil, err
	}
	wrong := map[octavo.ID]Difference{}
	for chunk := range slices.Chunk(ids, pageBatch) {
		linked, err := relinked(ctx, st, index, chunk)
		if err != nil {
			return nil, err
		}
		for _, id := range linked {
			wrong[id] = Difference{id, true}
		}
	}
	for _, id := range differ {
		wrong[id] = Difference{id, false}
	}
	// Later changes are read afterwards, so that a server may continue.
	changed, known, err := forgive(ctx, st, index.Position(), wrong)
	if err != nil || !known {
		return nil, err
	}
	var list []Difference
	for _, id := range slices.Sorted(maps.Keys(wrong)) {
		if d := wrong[id]; !d.Link || !changed {
			list = append(list, d)
		}
	}
	return list, nil
}

// forgive removes the pages that were changed after a position, and returns whether
// there were any. known is false if that can no longer be determined.
func forgive(ctx context.Context, st *store.Store, position int64, wrong map[octavo.ID]Difference) (changed, known bool, err error) {
	for {
		changes, err := st.Log.Changes(ctx, position, checkBatch)
		if _, ok := errors.AsType[*changelog.TruncatedError](err); ok {
			return true, false, nil
		}
		if err != nil {
			return true, false, fmt.Errorf("read what was changed since the search index was saved: %w", err)
		}
		if len(changes) == 0 {
			return changed, true, nil
		}
		for _, c := range changes {
			changed = true
			delete(wrong, c.Page)
		}
		position = changes[len(changes)-1].Position
	}
}
