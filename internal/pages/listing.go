package pages

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// listing is which pages one slice of a list holds. Listings are shared like
// encodings, and hold only while no page changes.
type listing struct {
	refs  []store.PageRef
	mark  store.Mark // the place of the last one
	more  bool
	stamp store.Stamp
}

// listingKey is a store.PageQuery that can be compared.
type listingKey struct {
	aud          octavo.Audience
	status       octavo.PageStatus
	slug, tag    string
	parent       octavo.ID
	hasParent    bool
	updatedAfter time.Time
	sort         store.Sort
	after        store.Mark
	hasAfter     bool
	limit        int
}

func keyOf(aud octavo.Audience, q store.PageQuery) listingKey {
	k := listingKey{
		aud: aud, status: q.Status, slug: q.Slug, tag: q.Tag, updatedAfter: q.UpdatedAfter, sort: q.Sort, limit: q.Limit,
		hasParent: q.Parent != nil, hasAfter: q.After != nil,
	}
	if q.Parent != nil {
		k.parent = *q.Parent
	}
	if q.After != nil {
		k.after = *q.After
	}
	return k
}

// What a listing takes in memory, in bytes: by itself and for each page.
const (
	listingOverhead = 500
	refOverhead     = 100
)

func newListings(size int64) *otter.Cache[listingKey, *listing] {
	return otter.Must(&otter.Options[listingKey, *listing]{
		MaximumWeight: uint64(size), //nolint:gosec // not negative
		Weigher: func(_ listingKey, l *listing) uint32 {
			return uint32(listingOverhead + refOverhead*len(l.refs)) //nolint:gosec // a list has 100 pages at most
		},
	})
}

// lookUp finds which pages a slice of a list holds now.
func (s *Service) lookUp(ctx context.Context, aud octavo.Audience, q store.PageQuery) (*listing, error) {
	stamp := s.store.StampAll()
	remember := s.listings != nil && stamp != store.Stamp{}
	key := keyOf(aud, q)
	if remember {
		if kept, known := s.listings.GetIfPresent(key); known && s.store.HoldsAll(kept.stamp) {
			return kept, nil
		}
	}
	found := &listing{stamp: stamp}
	var err error
	if found.refs, found.mark, found.more, err = s.store.ListRefs(ctx, aud, q); err != nil {
		return nil, err
	}
	if remember {
		s.listings.Set(key, found)
	}
	return found, nil
}
