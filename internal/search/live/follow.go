package live

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store"
)

// handle takes a batch of the change log in.
func (s *Service) handle(ctx context.Context, index *search.Index, batch []store.Change) error {
	var ids, above []octavo.ID
	created := map[octavo.ID]bool{} // what is below them came later, by a change of its own
	for _, c := range batch {
		if strings.HasPrefix(string(c.Kind), "page.") {
			ids = append(ids, c.Page)
			created[c.Page] = created[c.Page] || c.Kind == octavo.PageCreated
		}
	}
	slices.Sort(ids)
	err := s.put(ctx, index, slices.Compact(ids), func(p octavo.Page) {
		key := passedDown(p)
		before, ok := s.known[p.ID]
		if ok && before != key || !ok && !created[p.ID] {
			above = append(above, p.ID)
		}
		s.known[p.ID] = key
	})
	if err == nil {
		err = s.putBelow(ctx, index, above)
	}
	if err != nil {
		s.known = map[octavo.ID]uint64{} // the batch will come again
		return err
	}
	if err := index.Apply(ctx, batch[len(batch)-1].Position, nil); err != nil {
		return err
	}
	s.settle(ctx, index)
	return nil
}

// passedDown is a hash of what pages below one are indexed with.
func passedDown(p octavo.Page) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%t %s %s", p.Status == octavo.Published, p.ParentID, p.Title) // it never fails
	return h.Sum64()
}

// putBelow takes in anew what is below some pages.
func (s *Service) putBelow(ctx context.Context, index *search.Index, above []octavo.ID) error {
	below, err := s.below(ctx, above)
	if err != nil {
		return err
	}
	return s.put(ctx, index, below, nil)
}

// below returns the pages below some.
func (s *Service) below(ctx context.Context, ids []octavo.ID) ([]octavo.ID, error) {
	var below []octavo.ID
	for chunk := range slices.Chunk(ids, pageBatch) {
		found, err := s.Store.PagesBelow(ctx, chunk)
		if err != nil {
			return nil, err
		}
		below = append(below, found...)
	}
	slices.Sort(below)
	return slices.Compact(below), nil
}
