package search

import (
	"slices"

	"github.com/octavo-docs/octavo/internal/search/query"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// view is the index at one moment. It is never changed, only replaced.
type view struct {
	position int64
	parts    []*part
	replaced chan struct{} // closed when there is a newer view
}

// part is a segment, of published documents or of others, and which of its
// documents are still there.
type part struct {
	query.Source
	published bool
}

func newPart(s *segment.Segment, published bool) *part {
	return &part{
		Source:    query.Source{Source: segment.Source{Segment: s}, Live: s.Docs(), Lengths: s.FieldLengths()},
		published: published,
	}
}

// sources returns the parts that a query may see.
func (v *view) sources(publishedOnly bool) []query.Source {
	sources := make([]query.Source, 0, len(v.parts))
	for _, p := range v.parts {
		if p.published || !publishedOnly {
			sources = append(sources, p.Source)
		}
	}
	return sources
}

func (p *part) without(docs []uint32) *part {
	if len(docs) == 0 {
		return p
	}
	q := *p
	q.Dead = segment.NewBitmap(p.Docs())
	copy(q.Dead, p.Dead)
	for _, doc := range docs {
		if q.Dead.Has(doc) {
			continue
		}
		q.Dead.Set(doc)
		q.Live--
		for f, n := range p.FieldLength(doc) {
			q.Lengths[f] -= uint64(n)
		}
	}
	return &q
}

// replace makes a new view of the present one. Change gets a copy of the parts
// and returns those of the new view.
func (i *Index) replace(change func(v *view)) {
	i.writing.Lock()
	defer i.writing.Unlock()
	old := i.view.Load()
	next := &view{position: old.position, parts: slices.Clone(old.parts), replaced: make(chan struct{})}
	change(next)
	next.parts = slices.DeleteFunc(next.parts, func(p *part) bool { return p.Live == 0 })
	i.view.Store(next)
	close(old.replaced)
}
