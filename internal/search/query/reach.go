package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// The maximum score of a candidate follows from the fields that contain the
// words, before any position is read. Most candidates need not be reranked,
// because they cannot become hits.

// fieldSets has for each field the units that occur in it.
type fieldSets [segment.Fields]uint64

// add records that a unit occurs in some fields.
func (in *fieldSets) add(unit int, fields uint16) {
	for f := range in {
		in[f] |= uint64(fields>>f&1) << unit
	}
}

// reachSlack is added to the maximum of a candidate, because sums are rounded.
const reachSlack = 1e-9

// reach returns the maximum score that judge can give a candidate: as if all
// its words were as near as possible, and those of a title, a heading or a
// link text were the whole of it.
func (s *search) reach(c *candidate, in *fieldSets) float64 {
	var all uint64
	for _, units := range in {
		all |= units
	}
	parts := HitExplanation{
		Base:    c.base,
		Factor:  c.parts.Factor,
		Title:   s.reachFit(in[segment.Title], c.context, s.params.Context),
		Link:    s.reachFit(in[segment.Link], 0, 0),
		Heading: s.reachFit(in[segment.Heading], 0, 0),
		Section: s.share(all, 0, 0),
		Proximity: s.proximity(func(a, b int) float64 {
			return float64(all >> a & 1 * (all >> b & 1))
		}),
	}
	parts.Verbatim = s.verbatim(parts.Proximity, func(unit int) bool { return all>>unit&1 == 1 })
	return s.finalScore(s.sum(&parts) * (1 + reachSlack))
}

// reachFit returns the maximum of fit for units in a run of positions.
func (s *search) reachFit(units, named uint64, part float64) float64 {
	if units == 0 {
		return 0
	}
	share := s.share(s.joined(units), named, part)
	return 2 * share / (share + 1)
}

// joined adds to a set of units neighbours written as one whose parts it has: a title
// with the words of the query says as much as one that joins them.
func (s *search) joined(units uint64) uint64 {
	for i := range s.units {
		if u := &s.units[i]; u.kind == neighbourUnit && u.parts&^units == 0 {
			units |= 1 << i
		}
	}
	return units
}
