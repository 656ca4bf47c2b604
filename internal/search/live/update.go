package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// stateBatch is how many pages are compared at once.
const stateBatch = 5000

// update compares the index with the store, indexes what differs, and
// returns the position of the log from which to follow.
func (s *Service) update(ctx context.Context, index *search.Index) (position int64, err error) {
	begun := s.Now()
	first, err := s.Store.Log.First(ctx)
	if err != nil {
		return 0, err
	}
	reach, err := s.Store.Log.Reach(ctx)
	if err != nil {
		return 0, err
	}
	last := reach.Last
	stats := index.Stats()
	empty := stats.Published+stats.Other == 0
	// The log is read from the position of the index, if it is kept: two states of a
	// page may have the same time. An index with pages and without a position comes
	// from a failed update; the whole log would be read for it.
	position = index.Position()
	if empty || position == 0 || position < first || !reach.Has(position) {
		position = last
	}
	s.known = map[octavo.ID]uint64{}
	_, differ, err := compare(ctx, s.Store, index)
	if err != nil {
		return 0, err
	}
	if !empty { // otherwise all are missing
		below, err := s.below(ctx, differ)
		if err != nil {
			return 0, err
		}
		differ = append(differ, below...)
		slices.Sort(differ)
		differ = slices.Compact(differ)
	}
	var slugs []string
	if err := s.put(ctx, index, differ, func(p octavo.Page, names pagestore.Names) {
		slugs = append(append(slugs, p.Slug), names.Redirecting...)
	}); err != nil {
		return 0, err
	}
	if !empty {
		if err := errors.Join(s.putLinked(ctx, index, differ), s.putRivals(ctx, index, differ, slugs)); err != nil {
			return 0, err
		}
	}
	if empty && len(differ) > 0 {
		index.Compact()
	}
	if position == last {
		if err := index.Apply(ctx, last, nil); err != nil {
			return 0, err
		}
	}
	s.Log.InfoContext(ctx, "the search index is complete", "read", len(differ), "took", s.Now().Sub(begun).Round(time.Millisecond))
	return position, nil
}

// compare returns the pages of the store, and those that differ in the index.
func compare(ctx context.Context, st *store.Store, index *search.Index) (ids, differ []octavo.ID, err error) {
	entries := map[octavo.ID]search.Entry{}
	index.Entries(func(e search.Entry) bool {
		entries[octavo.ID(e.ID)] = e
		return true
	})
	err = eachState(ctx, st, func(state pagestore.State) {
		ids = append(ids, state.ID)
		if !sameState(entries, state) {
			differ = append(differ, state.ID)
		}
		delete(entries, state.ID)
	})
	for id := range entries {
		differ = append(differ, id)
	}
	slices.Sort(differ)
	return ids, differ, err
}

// sameState reports whether the entries match the present state of a page.
func sameState(entries map[octavo.ID]search.Entry, st pagestore.State) bool {
	e, there := entries[st.ID]
	return there && e.Published == st.Published && e.UpdatedAt.Equal(st.UpdatedAt)
}

// eachState calls visit with every page of the store.
func eachState(ctx context.Context, st *store.Store, visit func(pagestore.State)) error {
	for after := octavo.ID(""); ; {
		states, err := st.Index.States(ctx, after, stateBatch)
		if err != nil {
			return err
		}
		for _, state := range states {
			visit(state)
			after = state.ID
		}
		if len(states) < stateBatch {
			return nil
		}
	}
}
