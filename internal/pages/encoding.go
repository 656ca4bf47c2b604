package pages

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// CacheStats are counts of the page cache since the start.
type CacheStats struct {
	Hits    int64 // pages served from memory alone
	Checked int64 // pages served from memory after checking the database
	Misses  int64 // pages read from the database
	Bytes   int64 // present size
}

// CacheStats returns the present counts.
func (s *Service) CacheStats() CacheStats {
	e := s.encodings
	stats := CacheStats{Hits: e.hits.Load(), Checked: e.checked.Load(), Misses: e.misses.Load()}
	if e.cache != nil {
		stats.Bytes = int64(e.cache.WeightedSize() + s.listings.WeightedSize()) //nolint:gosec // far below 2^63
	}
	return stats
}

// Encoded returns the page if aud may see it, otherwise a NotFound error.
// compressed requests Deflated too.
func (s *Service) Encoded(ctx context.Context, aud octavo.Audience, id octavo.ID, compressed bool) (*Encoding, error) {
	kept, known := s.encodings.get(aud, id)
	if known && s.stamps.Holds(aud, id, kept.stamp) {
		s.encodings.hits.Add(1)
		return s.encodings.complete(aud, kept, compressed)
	}
	stamp := s.stamps.Page(aud, id)
	if known && s.stamps.SameEpoch(kept.stamp) {
		ref, err := s.pages.Ref(ctx, aud, id)
		if err != nil {
			return nil, err
		}
		if ref == kept.Ref {
			s.encodings.checked.Add(1)
			return s.encodings.complete(aud, s.encodings.renew(aud, kept, stamp), compressed)
		}
	}
	page, err := s.pages.Get(ctx, aud, id)
	if err != nil {
		return nil, err
	}
	s.encodings.misses.Add(1)
	return s.encodings.complete(aud, s.encodings.add(aud, page, stamp), compressed)
}

// EncodedBySlug returns the page with a slug. For a former slug, it returns
// only the present one.
func (s *Service) EncodedBySlug(ctx context.Context, aud octavo.Audience, slug string, compressed bool) (e *Encoding, moved string, err error) {
	ref, moved, err := s.pages.RefBySlug(ctx, aud, slug)
	if err != nil || moved != "" {
		return nil, moved, err
	}
	if kept, ok := s.kept(aud, ref); ok {
		s.encodings.checked.Add(1)
		e, err = s.encodings.complete(aud, kept, compressed)
		return e, "", err
	}
	stamp := s.stamps.Page(aud, ref.ID)
	page, former, err := s.pages.BySlug(ctx, aud, slug)
	switch {
	case err != nil:
		return nil, "", err
	case former:
		return nil, page.Slug, nil
	case page.ID != ref.ID:
		stamp = s.stamps.None() // another page has taken it over meanwhile
	}
	s.encodings.misses.Add(1)
	e, err = s.encodings.complete(aud, s.encodings.add(aud, page, stamp), compressed)
	return e, "", err
}

// kept returns the cached encoding of the state of ref, which must come from
// this request.
func (s *Service) kept(aud octavo.Audience, ref pagestore.Ref) (*Encoding, bool) {
	e, known := s.encodings.get(aud, ref.ID)
	return e, known && e.Ref == ref && s.stamps.SameEpoch(e.stamp)
}

// readList reads one page of a list from the database.
func (s *Service) readList(ctx context.Context, aud octavo.Audience, q pagestore.Query) (list []*Encoding, mark sqldb.Cursor, more bool, err error) {
	stamp := s.stamps.None()
	pages, more, err := s.pages.List(ctx, aud, q)
	if err != nil {
		return nil, mark, false, err
	}
	for _, p := range pages {
		list = append(list, s.encodings.add(aud, p, stamp))
		mark = pagestore.CursorOf(p, q.Sort)
	}
	return list, mark, more, nil
}

// fillFirst is how many pages are first read with their content. Their size
// shows how many make a page of the list.
const fillFirst = 4

// fill returns the encodings of the referenced pages, or of the first of them if they
// are large. It returns false if one is no longer in the state of its reference.
func (s *Service) fill(ctx context.Context, aud octavo.Audience, refs []pagestore.Ref) (list []*Encoding, whole bool, err error) {
	list = make([]*Encoding, 0, len(refs))
	size := 0
	for batch := fillFirst; len(list) < len(refs) && size < sqldb.MaxSlice; batch = 1 + (sqldb.MaxSlice-size)*len(list)/(size+1) {
		from := len(list)
		var missing []octavo.ID
		var stamps []sqldb.Stamp
		for _, ref := range refs[from:] {
			kept, ok := s.kept(aud, ref)
			if ok {
				size += len(kept.JSON)
			} else {
				if len(missing) == batch {
					break
				}
				kept = nil
				missing = append(missing, ref.ID)
				stamps = append(stamps, s.stamps.Page(aud, ref.ID))
			}
			list = append(list, kept)
			if size >= sqldb.MaxSlice {
				break
			}
		}
		s.encodings.checked.Add(int64(len(list) - from - len(missing)))
		if missing == nil {
			continue
		}
		n, err := s.read(ctx, aud, refs[from:], list[from:], missing, stamps)
		if err != nil || n < 0 {
			return nil, false, err
		}
		size += n
	}
	return list, true, nil
}

// read puts the missing pages into the gaps of list and returns their size
// in bytes, or -1 if one is not in the state of its reference.
func (s *Service) read(ctx context.Context, aud octavo.Audience, refs []pagestore.Ref, list []*Encoding, missing []octavo.ID, stamps []sqldb.Stamp) (size int, err error) {
	s.encodings.misses.Add(int64(len(missing)))
	pages, err := s.pages.ByID(ctx, aud, missing)
	if err != nil {
		return 0, err
	}
	found := make(map[octavo.ID]octavo.Page, len(pages))
	for _, p := range pages {
		found[p.ID] = p
	}
	next := 0
	for i, e := range list {
		if e != nil {
			continue
		}
		page, ok := found[refs[i].ID]
		if !ok || pagestore.RefOf(page) != refs[i] {
			return -1, nil
		}
		list[i] = s.encodings.add(aud, page, stamps[next])
		size += len(list[i].JSON)
		next++
	}
	return size, nil
}
