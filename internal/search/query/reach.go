package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// What a candidate can reach at most is known from the fields in which the
// words stand, before any place has been read: most candidates need not be
// ranked again, for they cannot come among the hits.

// fieldSets holds for each field the units that stand in it.
type fieldSets [segment.Fields]uint64

// add notes that a unit stands in some fields.
func (in *fieldSets) add(unit int, fields uint16) {
	for f := range in {
		in[f] |= uint64(fields>>f&1) << unit
	}
}

// reachSlack is by how much more a candidate is thought to reach, for sums are
// rounded.
const reachSlack = 1e-9

// reach returns a score that judge gives to a candidate at most: all words that
// stand in it are as near as can be, and those of a title, a heading or the text
// of a link are the whole of it.
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

// reachFit returns what fit does at most for units in a run of places.
func (s *search) reachFit(units, named uint64, part float64) float64 {
	if units == 0 {
		return 0
	}
	share := s.share(units, named, part)
	return 2 * share / (share + 1)
}
