package live

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// handle applies a batch of the change log.
func (s *Service) handle(ctx context.Context, index *search.Index, batch []changelog.Change) error {
	var ids, above, renamed, files []octavo.ID
	var slugs []string              // of those pages
	created := map[octavo.ID]bool{} // pages below these came later, by separate changes
	for _, c := range batch {
		if strings.HasPrefix(string(c.Kind), "page.") {
			ids = append(ids, c.Page)
			created[c.Page] = created[c.Page] || c.Kind == octavo.PageCreated
		} else if c.Kind == octavo.AssetCreated { // perhaps replacing another one
			files = append(files, c.Page)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	there := map[octavo.ID]bool{}
	err := s.put(ctx, index, ids, func(p octavo.Page, names pagestore.Names) {
		there[p.ID] = true
		key := passedOn(p, names)
		before, ok := s.known[p.ID]
		if !ok || before != key {
			renamed, slugs = append(renamed, p.ID), append(append(slugs, p.Slug), names.Redirecting...)
			if ok || !created[p.ID] {
				above = append(above, p.ID)
			}
		}
		s.known[p.ID] = key
	})
	for _, id := range ids {
		if !there[id] {
			renamed = append(renamed, id)
			delete(s.known, id)
		}
	}
	if err == nil {
		err = s.putWith(ctx, index, files)
	}
	if err == nil {
		err = s.putBelow(ctx, index, above)
	}
	if err == nil {
		err = s.putLinked(ctx, index, ids)
	}
	if err == nil {
		err = s.putRivals(ctx, index, renamed, slugs)
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

// passedOn is a hash of what other pages are indexed with: the pages below
// this page, and those that share a name with it.
func passedOn(p octavo.Page, names pagestore.Names) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%t %s %s %q %s %s", p.Status == octavo.Published, p.ParentID, p.Slug, p.Source, names.Redirecting, p.Title) // it never fails
	return h.Sum64()
}

// putWith indexes the pages that include some assets again.
func (s *Service) putWith(ctx context.Context, index *search.Index, files []octavo.ID) error {
	for chunk := range slices.Chunk(files, pageBatch) {
		with, err := s.Store.Assets.PartPages(ctx, chunk)
		if err != nil {
			return err
		}
		if err := s.put(ctx, index, with, nil); err != nil {
			return err
		}
	}
	return nil
}

// putBelow indexes the pages below some pages again.
func (s *Service) putBelow(ctx context.Context, index *search.Index, above []octavo.ID) error {
	below, err := s.below(ctx, above)
	if err != nil {
		return err
	}
	return s.put(ctx, index, below, nil)
}

// below returns the pages below some pages.
func (s *Service) below(ctx context.Context, ids []octavo.ID) ([]octavo.ID, error) {
	var below []octavo.ID
	for chunk := range slices.Chunk(ids, pageBatch) {
		found, err := s.Store.Index.Below(ctx, chunk)
		if err != nil {
			return nil, err
		}
		below = append(below, found...)
	}
	slices.Sort(below)
	return slices.Compact(below), nil
}
