package search

import (
	"context"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// The sizes of segments: a tier has segments of up to tierBase·tierGrowth^n
// documents. When it has tierGrowth of them, they are merged.
const (
	tierBase   = 16
	tierGrowth = 8
	maxParts   = 96 // segments at which Apply merges before it returns
)

// Maintain merges segments in the background after changes, until the context ends.
// Only one goroutine at a time should run it. Without it, Apply merges when it has to.
func (i *Index) Maintain(ctx context.Context) {
	for {
		for ctx.Err() == nil && i.merge(tiered) {
		}
		select {
		case <-i.grown:
		case <-ctx.Done():
			return
		}
	}
}

// holdBack merges while there are too many segments for fast searches.
func (i *Index) holdBack(ctx context.Context) error {
	for len(i.view.Load().parts) > maxParts && i.merge(tiered) {
		if ctx.Err() != nil {
			break // the changes are applied, so merging can wait
		}
	}
	return nil
}

// Compact merges all segments into one of published documents and one of others. It is
// for the end of a rebuild; queries and changes continue meanwhile.
func (i *Index) Compact() {
	for _, published := range []bool{true, false} {
		i.merge(func(parts []*part) []*part {
			chosen := slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return p.published != published })
			if len(chosen) == 1 && chosen[0].Live == chosen[0].Docs() {
				return nil
			}
			return chosen
		})
	}
}

// tiered chooses the segments to merge next: the smallest full tier, or else
// a segment with more than a quarter of dead documents.
func tiered(parts []*part) []*part {
	var best []*part
	bestTier := 0
	for _, published := range []bool{true, false} {
		tiers := make(map[int][]*part)
		for _, p := range parts {
			if p.published == published {
				t := tier(p.Live)
				tiers[t] = append(tiers[t], p)
			}
		}
		for t, members := range tiers {
			if len(members) >= tierGrowth && (best == nil || t < bestTier) {
				best, bestTier = members, t
			}
		}
	}
	if best != nil {
		return best
	}
	for _, p := range parts {
		if dead := p.Docs() - p.Live; dead > tierBase && dead > p.Docs()/4 {
			return []*part{p}
		}
	}
	return nil
}

// tier returns the tier of a segment with docs documents.
func tier(docs int) int {
	t := 0
	for size := tierBase; docs > size; size *= tierGrowth {
		t++
	}
	return t
}

// merge merges the segments that choose returns, and reports whether there
// were any. Documents that are removed meanwhile stay removed.
func (i *Index) merge(choose func([]*part) []*part) bool {
	i.merging.Lock()
	defer i.merging.Unlock()
	chosen := choose(i.view.Load().parts)
	if len(chosen) == 0 {
		return false
	}
	sources := make([]segment.Source, len(chosen))
	for n, p := range chosen {
		sources[n] = p.Source.Source
	}
	merged, moved := segment.Merge(sources)
	i.replace(func(v *view) {
		result := newPart(merged, chosen[0].published)
		var gone []uint32
		v.parts = slices.DeleteFunc(v.parts, func(p *part) bool {
			n := slices.IndexFunc(chosen, func(c *part) bool { return c.Segment == p.Segment })
			if n < 0 {
				return false
			}
			for doc, to := range moved[n] {
				if to != segment.Nowhere && p.Dead.Has(uint32(doc)) {
					gone = append(gone, to)
				}
			}
			return true
		})
		// Parts all of whose documents have died meanwhile are no longer in the view.
		for n, c := range chosen {
			if !slices.ContainsFunc(i.view.Load().parts, func(p *part) bool { return p.Segment == c.Segment }) {
				for _, to := range moved[n] {
					if to != segment.Nowhere {
						gone = append(gone, to)
					}
				}
			}
		}
		v.parts = append(v.parts, result.without(gone))
	})
	return true
}
