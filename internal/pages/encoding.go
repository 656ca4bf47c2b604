package pages

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/store"
)

// Encoding is a page in the JSON form that an audience is sent. Encodings are
// shared: nobody may change one.
type Encoding struct {
	Ref      store.PageRef
	JSON     []byte
	Deflated []byte // a piece for a compressed answer; nil where nobody asked for one

	stamp store.Stamp
}

// encodings keeps encoded pages, those that are asked for most. What it holds
// may be out of date; its users find out before they use it.
type encodings struct {
	cache      *otter.Cache[encodingKey, *Encoding] // nil keeps nothing
	compressor deflate.Compressor

	hits, checked, misses atomic.Int64
}

type encodingKey struct {
	id  octavo.ID
	aud octavo.Audience
}

// encodingOverhead is about what an entry takes beside its bytes.
const encodingOverhead = 400

func newEncodings(size int64) *encodings {
	if size <= 0 {
		return &encodings{}
	}
	return &encodings{cache: otter.Must(&otter.Options[encodingKey, *Encoding]{
		MaximumWeight: uint64(size),
		Weigher: func(_ encodingKey, e *Encoding) uint32 {
			return uint32(encodingOverhead + cap(e.JSON) + cap(e.Deflated)) //nolint:gosec // far below 4 GiB
		},
	})}
}

func (e *encodings) get(key encodingKey) (*Encoding, bool) {
	if e.cache == nil {
		return nil, false
	}
	return e.cache.GetIfPresent(key)
}

func (e *encodings) set(key encodingKey, made *Encoding) {
	if e.cache != nil {
		e.cache.Set(key, made)
	}
}

// CacheStats tells what the cache of encoded pages did since the start.
type CacheStats struct {
	Hits    int64 // answered from memory alone
	Checked int64 // answered from memory after the database told that it holds
	Misses  int64 // read from the database
	Bytes   int64 // held now
}

// CacheStats returns the present figures.
func (s *Service) CacheStats() CacheStats {
	e := s.encodings
	stats := CacheStats{Hits: e.hits.Load(), Checked: e.checked.Load(), Misses: e.misses.Load()}
	if e.cache != nil {
		stats.Bytes = int64(e.cache.WeightedSize()) //nolint:gosec // far below 2^63
	}
	return stats
}

// Encoded returns the page that aud may see; else the error is NotFound.
// Compressed asks for Deflated too.
func (s *Service) Encoded(ctx context.Context, aud octavo.Audience, id octavo.ID, compressed bool) (*Encoding, error) {
	key := encodingKey{id, aud}
	kept, known := s.encodings.get(key)
	if known && s.store.Holds(aud, id, kept.stamp) {
		s.encodings.hits.Add(1)
		return s.encodings.complete(key, kept, compressed)
	}
	stamp := s.store.Stamp(aud, id)
	if known {
		ref, err := s.store.PageRef(ctx, aud, id)
		if err != nil {
			return nil, err
		}
		if ref == kept.Ref {
			s.encodings.checked.Add(1)
			return s.encodings.complete(key, s.encodings.renew(key, kept, stamp), compressed)
		}
	}
	page, err := s.store.Page(ctx, aud, id)
	if err != nil {
		return nil, err
	}
	s.encodings.misses.Add(1)
	return s.encodings.complete(key, s.encodings.add(key, page, stamp), compressed)
}

// EncodedBySlug returns the page with a slug, or only the present slug of the
// page that had it formerly.
func (s *Service) EncodedBySlug(ctx context.Context, aud octavo.Audience, slug string, compressed bool) (e *Encoding, moved string, err error) {
	ref, moved, err := s.store.PageRefBySlug(ctx, aud, slug)
	if err != nil || moved != "" {
		return nil, moved, err
	}
	key := encodingKey{ref.ID, aud}
	if kept, known := s.encodings.get(key); known && ref == kept.Ref {
		s.encodings.checked.Add(1)
		e, err = s.encodings.complete(key, kept, compressed)
		return e, "", err
	}
	stamp := s.store.Stamp(aud, ref.ID)
	page, former, err := s.store.PageBySlug(ctx, aud, slug)
	switch {
	case err != nil:
		return nil, "", err
	case former:
		return nil, page.Slug, nil
	case page.ID != ref.ID:
		stamp = store.Stamp{} // taken over by another page in between
	}
	s.encodings.misses.Add(1)
	key.id = page.ID
	e, err = s.encodings.complete(key, s.encodings.add(key, page, stamp), compressed)
	return e, "", err
}

// EncodedList returns one slice of the pages that aud may see, the place of
// the last one, and whether more follow.
func (s *Service) EncodedList(ctx context.Context, aud octavo.Audience, q store.PageQuery, compressed bool) (list []*Encoding, mark store.Mark, more bool, err error) {
	ok := false
	if s.encodings.cache != nil {
		found, err := s.lookUp(ctx, aud, q)
		if err != nil {
			return nil, mark, false, err
		}
		mark, more = found.mark, found.more
		list = make([]*Encoding, len(found.refs))
		if ok, err = s.fill(ctx, aud, found.refs, list); err != nil {
			return nil, mark, false, err
		}
	}
	if !ok { // nothing is kept, or some changed after they were listed
		var pages []octavo.Page
		if pages, more, err = s.store.ListPages(ctx, aud, q); err != nil {
			return nil, mark, false, err
		}
		list = list[:0]
		for _, p := range pages {
			list = append(list, s.encodings.add(encodingKey{p.ID, aud}, p, store.Stamp{}))
			mark = store.MarkOf(p, q.Sort)
		}
	}
	for i, e := range list {
		if list[i], err = s.encodings.complete(encodingKey{e.Ref.ID, aud}, e, compressed); err != nil {
			return nil, mark, false, err
		}
	}
	return list, mark, more, nil
}

// fill puts the encodings of the referenced pages into list. It reports false
// when one is not there any more in the state that the reference tells.
func (s *Service) fill(ctx context.Context, aud octavo.Audience, refs []store.PageRef, list []*Encoding) (bool, error) {
	var missing []octavo.ID
	var stamps []store.Stamp
	for i, ref := range refs {
		kept, known := s.encodings.get(encodingKey{ref.ID, aud})
		if known && kept.Ref == ref {
			list[i] = kept
			continue
		}
		missing = append(missing, ref.ID)
		stamps = append(stamps, s.store.Stamp(aud, ref.ID))
	}
	s.encodings.checked.Add(int64(len(refs) - len(missing)))
	if missing == nil {
		return true, nil
	}
	s.encodings.misses.Add(int64(len(missing)))
	pages, err := s.store.PagesByID(ctx, aud, missing)
	if err != nil {
		return false, err
	}
	found := make(map[octavo.ID]octavo.Page, len(pages))
	for _, p := range pages {
		found[p.ID] = p
	}
	next := 0
	for i, ref := range refs {
		if list[i] != nil {
			continue
		}
		page, ok := found[ref.ID]
		if !ok || store.RefOf(page) != ref {
			return false, nil
		}
		list[i] = s.encodings.add(encodingKey{ref.ID, aud}, page, stamps[next])
		next++
	}
	return true, nil
}

// add keeps a page that was read after its stamp was given.
func (e *encodings) add(key encodingKey, page octavo.Page, stamp store.Stamp) *Encoding {
	made := &Encoding{
		Ref:   store.RefOf(page),
		JSON:  page.AppendJSON(make([]byte, 0, len(page.Content)+len(page.Content)/16+len(page.Links)+len(page.Frontmatter)+512)),
		stamp: stamp,
	}
	e.set(key, made)
	return made
}

// renew keeps what was found to hold still, after the stamp was given.
func (e *encodings) renew(key encodingKey, kept *Encoding, stamp store.Stamp) *Encoding {
	renewed := *kept
	renewed.stamp = stamp
	e.set(key, &renewed)
	return &renewed
}

// complete adds the compressed form where it is wanted and not there.
func (e *encodings) complete(key encodingKey, kept *Encoding, compressed bool) (*Encoding, error) {
	if !compressed || kept.Deflated != nil {
		return kept, nil
	}
	completed := *kept
	var err error
	if completed.Deflated, err = e.compressor.Compress(kept.JSON); err != nil {
		return nil, fmt.Errorf("page %s: %w", kept.Ref.ID, err)
	}
	e.set(key, &completed)
	return &completed, nil
}
