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
)

// The rules that Check holds a snapshot to.
const (
	ruleHolds   = "the search index has every page as it is"
	ruleNoOther = "the search index has no pages but those there are"
	ruleLinks   = "the search index has every page as links call it"
	ruleWhole   = "a shared snapshot of the search index is whole"
)

// What mends the index, which is made of what the store has: that of a data
// folder, and that which servers share.
const (
	mendFolder = "stop the server, remove the folder search of its data folder, and start it: it reads the pages anew; report it as a mistake in Octavo"
	mendShelf  = "remove what is under search/ in the bucket or the folder of files, and restart the servers that search; report it as a mistake in Octavo"
	mendWhole  = "remove it: servers write another"
)

// checkBatch is how many changes are read at once.
const checkBatch = 1000

// Check compares the snapshot in a folder with the store, as far as nothing was
// changed since it was written, and returns what is wrong: what links call
// pages only where nothing at all was changed. A snapshot that is not there, or
// that the next start does not use, is no finding.
func Check(ctx context.Context, st *store.Store, folder string) ([]store.Finding, error) {
	index, err := search.Load(filepath.Join(folder, SnapshotFile), search.Config{})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, search.ErrSnapshot) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	reach, err := st.Reach(ctx)
	if err != nil || !reach.Has(index.Position()) {
		return nil, err // the database was set back, and the next start makes the index anew
	}
	return compareWith(ctx, st, index, mendFolder)
}

// CheckShelf compares the newest snapshot of this version on a shelf with the
// store, in the same way. One that is damaged is a finding: whoever would have
// begun with it reads every page.
func CheckShelf(ctx context.Context, st *store.Store, blobs blob.Store) ([]store.Finding, error) {
	all, err := listShelf(ctx, blobs)
	if err != nil {
		return nil, err
	}
	reach, err := st.Reach(ctx)
	if err != nil {
		return nil, err
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
			return []store.Finding{{Rule: ruleWhole, Subject: "search snapshot " + one.key, Mend: mendWhole}}, nil
		case err != nil:
			return nil, err
		}
		return compareWith(ctx, st, index, mendShelf)
	}
	return nil, nil
}

// compareWith compares an index with the store, as far as nothing was changed
// since. What it finds is mended in the way that is named.
func compareWith(ctx context.Context, st *store.Store, index *search.Index, mend string) ([]store.Finding, error) {
	entries := map[octavo.ID]search.Entry{}
	index.Entries(func(e search.Entry) bool {
		entries[octavo.ID(e.ID)] = e
		return true
	})
	wrong := map[octavo.ID]string{}
	var ids []octavo.ID
	err := eachState(ctx, st, func(state store.PageState) {
		ids = append(ids, state.ID)
		if !sameState(entries, state) {
			wrong[state.ID] = ruleHolds
		}
		delete(entries, state.ID)
	})
	if err != nil {
		return nil, err
	}
	for id := range entries {
		wrong[id] = ruleNoOther
	}
	var called []octavo.ID
	for chunk := range slices.Chunk(ids, pageBatch) {
		found, err := relinked(ctx, st, index, chunk)
		if err != nil {
			return nil, err
		}
		called = append(called, found...)
	}
	// What was changed since is read afterwards, so that a server may go on.
	changed, known, err := forgive(ctx, st, index.Position(), wrong)
	if err != nil || !known {
		return nil, err
	}
	for _, id := range called {
		if wrong[id] == "" && !changed {
			wrong[id] = ruleLinks
		}
	}
	impossible, err := st.ImpossiblePages(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range impossible { // which is their fault, and found as such
		delete(wrong, id)
	}
	var findings []store.Finding
	for _, id := range slices.Sorted(maps.Keys(wrong)) {
		findings = append(findings, store.Finding{Rule: wrong[id], Subject: string(id), Mend: mend})
	}
	return findings, nil
}

// forgive takes out the pages that were changed behind a position, and returns
// whether any was, unless nobody knows any more which these are.
func forgive(ctx context.Context, st *store.Store, position int64, wrong map[octavo.ID]string) (changed, known bool, err error) {
	for {
		changes, err := st.Changes(ctx, position, checkBatch)
		var truncated *store.TruncatedError
		if errors.As(err, &truncated) {
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
