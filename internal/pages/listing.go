package pages

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// listing has the pages in one page of a list. Listings are shared like
// encodings, and are valid only while no page changes.
type listing struct {
	refs  []pagestore.Ref
	marks []sqldb.Cursor // their positions
	more  bool
	stamp sqldb.Stamp

	answers [2]Answer // uncompressed and compressed
}

// Answer is a list as sent. Answers are shared and must not be changed.
type Answer struct {
	Body   []byte // nil if none is cached
	Packed bool   // Body is a gzip stream
}

// maxAnswer is the maximum size of a response that is cached as a whole, in bytes. The
// parts of larger ones are cached anyway, so that only joining them is saved.
const maxAnswer = 128 << 10

// List is one requested page of a list.
type List struct {
	service *Service
	aud     octavo.Audience
	query   pagestore.Query
	packed  bool
	stamp   sqldb.Stamp // taken at the request
	known   *listing    // its contents if known, otherwise nil
}

// FindList starts to serve a query. packed says that the response may be a gzip stream.
func (s *Service) FindList(ctx context.Context, aud octavo.Audience, q pagestore.Query, packed bool) (*List, error) {
	l := &List{service: s, aud: aud, query: q, packed: packed}
	if s.listings == nil {
		return l, nil
	}
	var err error
	if l.stamp, err = s.stamps.All(ctx); err != nil {
		return nil, err
	}
	if known, ok := s.listings.GetIfPresent(keyOf(aud, q)); ok && known.stamp.Is(l.stamp) {
		l.known = known
	}
	return l, nil
}

func (l *List) form() int {
	if l.packed {
		return 1
	}
	return 0
}

// Answer returns the whole response if a valid one is cached.
func (l *List) Answer() Answer {
	if l.known == nil {
		return Answer{}
	}
	kept := l.known.answers[l.form()]
	if kept.Body != nil {
		l.service.encodings.hits.Add(int64(len(l.known.refs)))
	}
	return kept
}

// Keep gets the response that is sent, and caches a copy if the list was
// requested before and nothing has changed since.
func (l *List) Keep(sent Answer) {
	if l.known == nil || len(sent.Body) > maxAnswer {
		return
	}
	completed := *l.known
	completed.answers[l.form()] = Answer{bytes.Clone(sent.Body), sent.Packed}
	l.service.listings.Set(keyOf(l.aud, l.query).own(), &completed)
}

// Pages returns the first pages of the list, at most limit, the position of
// the last one, and whether more follow. It returns fewer if pages are
// large, see store.MaxSlice.
func (l *List) Pages(ctx context.Context, limit int) (list []*Encoding, mark sqldb.Cursor, more bool, err error) {
	s, q := l.service, l.query
	q.Limit = limit
	whole := false
	if s.listings != nil {
		found, err := l.lookUp(ctx, q)
		if err != nil {
			return nil, mark, false, err
		}
		if list, whole, err = s.fill(ctx, l.aud, found.refs); err != nil {
			return nil, mark, false, err
		}
		more = found.more || len(list) < len(found.refs)
		if len(list) > 0 {
			mark = found.marks[len(list)-1]
		}
	}
	if !whole { // nothing is cached, or some changed after they were listed
		if list, mark, more, err = s.readList(ctx, l.aud, q); err != nil {
			return nil, mark, false, err
		}
	}
	for i, e := range list {
		if err := ctx.Err(); err != nil {
			return nil, mark, false, err
		}
		if list[i], err = s.encodings.complete(l.aud, e, l.packed); err != nil {
			return nil, mark, false, err
		}
	}
	return list, mark, more, nil
}

// lookUp finds the pages of the list.
func (l *List) lookUp(ctx context.Context, q pagestore.Query) (*listing, error) {
	if l.known != nil && q.Limit == l.query.Limit {
		return l.known, nil
	}
	found := &listing{stamp: l.stamp}
	var err error
	if found.refs, found.marks, found.more, err = l.service.pages.ListRefs(ctx, l.aud, q); err != nil {
		return nil, err
	}
	l.service.listings.Set(keyOf(l.aud, q).own(), found)
	return found, nil
}

// listingKey is a pagestore.Query that can be compared.
type listingKey struct {
	aud          octavo.Audience
	status       octavo.PageStatus
	slug, tag    string
	language     string
	unsaid       bool
	parent       octavo.ID
	hasParent    bool
	updatedAfter time.Time
	sort         pagestore.Sort
	after        sqldb.Cursor
	hasAfter     bool
	limit        int
}

// keyOf returns the key of a query for looking it up. Use [listingKey.own]
// for storing it.
func keyOf(aud octavo.Audience, q pagestore.Query) listingKey {
	k := listingKey{
		aud: aud, status: q.Status, slug: q.Slug, tag: q.Tag, language: q.Language, unsaid: q.Unsaid, updatedAfter: q.UpdatedAfter, sort: q.Sort, limit: q.Limit,
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

// own returns the key with copied texts: those of a query are slices of its
// request's first line, which would stay in memory.
func (k listingKey) own() listingKey {
	k.status = octavo.PageStatus(strings.Clone(string(k.status)))
	k.slug, k.tag, k.language = strings.Clone(k.slug), strings.Clone(k.tag), strings.Clone(k.language)
	k.parent = octavo.ID(strings.Clone(string(k.parent)))
	k.sort = pagestore.Sort(strings.Clone(string(k.sort)))
	k.after = sqldb.Cursor{Key: strings.Clone(k.after.Key), ID: octavo.ID(strings.Clone(string(k.after.ID)))}
	return k
}

// size is the size of the key's texts in bytes.
func (k listingKey) size() int {
	return len(k.status) + len(k.slug) + len(k.tag) + len(k.language) + len(k.parent) + len(k.sort) + len(k.after.Key) + len(k.after.ID)
}

// The memory of a listing, in bytes: by itself and for each page.
const (
	listingOverhead = 600
	refOverhead     = 170
)

func newListings(size int64) entryCache[listingKey, *listing] {
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
			return uint32(size) //nolint:gosec // a list has at most 100 pages
		},
	})
}
