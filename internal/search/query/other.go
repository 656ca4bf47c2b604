package query

import (
	"cmp"
	"math"
	"slices"
)

// addOthers makes units of their own from the synonyms of known words.
func (s *search) addOthers() {
	for i := range s.units {
		u := &s.units[i]
		if n := len(u.groups) - 1; n > 0 && u.groups[n].kind == synonymGroup {
			others := u.groups[n:]
			slices.SortStableFunc(others[0].terms, func(a, b term) int { return cmp.Compare(a.docs, b.docs) })
			u.groups = u.groups[:n]
			s.addUnit(unit{kind: otherUnit, text: u.text, weight: u.weight * s.params.Other, pos: u.pos, span: 1, from: i, groups: others})
		}
	}
}

// rank orders units for scoring: rare ones first, synonyms last.
func (u *unit) rank() float64 {
	if u.kind == otherUnit {
		return math.Inf(1)
	}
	return u.docs
}

// rare returns those of some synonyms, rarest first, that score by themselves. The
// others only fit titles, headings and links: they would be most of the work.
func (s *search) rare(terms []term) []term {
	room := s.params.Enough
	for n := range terms {
		if room -= terms[n].docs; room < 0 {
			return terms[:n]
		}
	}
	return terms
}

// most returns the maximum that a unit adds to a score.
func (s *search) most(u *unit) float64 {
	switch {
	case u.kind != otherUnit:
		return u.weight * u.idf
	case len(s.rare(u.groups[0].terms)) == 0:
		return 0
	}
	return u.weight * u.groups[0].idf
}
