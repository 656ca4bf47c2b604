package pages

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// listing is which pages one slice of a list holds. Listings are shared like
// encodings, and hold only while no page changes.
type listing struct {
	refs  []store.PageRef
	marks []store.Mark // their places
	more  bool
	stamp store.Stamp

	answers [2]Answer // to those who take no compressed answer, and who do
}

// Answer is a list as it is sent. Answers are shared: nobody may change one.
type Answer struct {
	Body   []byte // nil where none is kept
	Packed bool   // Body is a gzip stream
}

// maxAnswer is how large an answer is kept as a whole, in bytes. The parts of
// larger ones are kept anyhow, so that only their joining is saved.
const maxAnswer = 128 << 10

// KeptList returns the answer to a query while no page has changed since it was
// made. Where there is none, keep is nil or is to be told the answer that is
// sent, which it copies: it is asked for the second time.
func (s *Service) KeptList(aud octavo.Audience, q store.PageQuery, compressed bool) (kept Answer, keep func(Answer)) {
	if s.listings == nil {
		return Answer{}, nil
	}
	form := 0
	if compressed {
		form = 1
	}
	key := keyOf(aud, q)
	found, known := s.listings.GetIfPresent(key)
	if !known || !s.store.HoldsAll(found.stamp) {
		return Answer{}, nil
	}
	if kept = found.answers[form]; kept.Body != nil {
		s.encodings.hits.Add(int64(len(found.refs)))
		return kept, nil
	}
	return Answer{}, func(sent Answer) {
		if len(sent.Body) > maxAnswer {
			return
		}
		completed := *found
		completed.answers[form] = Answer{bytes.Clone(sent.Body), sent.Packed}
		s.listings.Set(key.own(), &completed)
	}
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

// keyOf returns the key of a query, for looking it up. What is kept needs
// [listingKey.own].
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

// own returns the key with texts of its own: those of a query lie within the
// first line of its request, which would be kept with them.
func (k listingKey) own() listingKey {
	k.status = octavo.PageStatus(strings.Clone(string(k.status)))
	k.slug, k.tag = strings.Clone(k.slug), strings.Clone(k.tag)
	k.parent = octavo.ID(strings.Clone(string(k.parent)))
	k.sort = store.Sort(strings.Clone(string(k.sort)))
	k.after = store.Mark{Key: strings.Clone(k.after.Key), ID: octavo.ID(strings.Clone(string(k.after.ID)))}
	return k
}

// size is the length of the key's texts in bytes.
func (k listingKey) size() int {
	return len(k.status) + len(k.slug) + len(k.tag) + len(k.parent) + len(k.sort) + len(k.after.Key) + len(k.after.ID)
}

// What a listing takes in memory, in bytes: by itself and for each page.
const (
	listingOverhead = 600
	refOverhead     = 170
)

func newListings(size int64) *otter.Cache[listingKey, *listing] {
	return otter.Must(&otter.Options[listingKey, *listing]{
		MaximumWeight: uint64(size), //nolint:gosec // not negative
		Weigher: func(k listingKey, l *listing) uint32 {
			size := listingOverhead + k.size() + refOverhead*len(l.refs)
			for _, m := range l.marks {
				size += len(m.Key)
			}
			for _, a := range l.answers {
				size += cap(a.Body)
			}
			return uint32(size) //nolint:gosec // a list has 100 pages at most
		},
	})
}

// lookUp finds which pages a slice of a list holds now.
func (s *Service) lookUp(ctx context.Context, aud octavo.Audience, q store.PageQuery) (*listing, error) {
	stamp := s.store.StampAll()
	key := keyOf(aud, q)
	if kept, known := s.listings.GetIfPresent(key); known && s.store.HoldsAll(kept.stamp) {
		return kept, nil
	}
	found := &listing{stamp: stamp}
	var err error
	if found.refs, found.marks, found.more, err = s.store.ListRefs(ctx, aud, q); err != nil {
		return nil, err
	}
	if s.store.HoldsAll(stamp) { // else it never will
		s.listings.Set(key.own(), found)
	}
	return found, nil
}
