package query

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// rowSynonyms finds the synonyms of words in a row. Their units cover the slots from
// from to to.
func (s *search) rowSynonyms() (units []unit) {
	slots := s.parsed.slots
	for from := range slots {
		if slots[from].kind != analysis.Word || slots[from].phrase {
			continue
		}
		row := []string{slots[from].text}
		for to := from + 1; to < min(from+analysis.MaxSynonym, len(slots)) && slots[to].pos == slots[to-1].pos+1 && !slots[to].phrase; to++ {
			row = append(row, slots[to].text)
			if groups := s.addSynonyms(nil, row...); len(groups) > 0 {
				units = append(units, unit{text: strings.Join(row, "_"), weight: 1, pos: slots[from].pos, from: from, to: to + 1, groups: groups})
			}
		}
	}
	return units
}

// addOthers makes units of their own from the synonyms of known words, and of words in
// a row. unitOf has the units of the slots.
func (s *search) addOthers(unitOf []int, rows []unit) {
	for i := range s.units {
		u := &s.units[i]
		n := slices.IndexFunc(u.groups, func(g group) bool { return g.kind == synonymGroup })
		if n > 0 {
			others := u.groups[n:]
			u.groups = u.groups[:n:n]
			s.addOther(unit{text: u.text, weight: u.weight, pos: u.pos, from: i, groups: others})
		}
	}
	for _, u := range rows {
		for i := u.from; i < u.to; i++ {
			u.parts |= 1 << unitOf[i]
		}
		u.from = unitOf[u.from]
		s.addOther(u)
	}
}

// addOther adds a unit of synonyms.
func (s *search) addOther(u unit) {
	u.kind, u.span, u.weight = otherUnit, 1, u.weight*s.params.Other
	s.addUnit(u)
}

// level lowers the idf of words with common synonyms: a word that few documents use for
// what many are about is not as rare as it seems.
func (s *search) level() {
	for i := range s.units {
		others := &s.units[i]
		if others.kind != otherUnit || others.parts != 0 {
			continue
		}
		u := &s.units[others.from]
		without := max(1-u.docs/float64(s.docs), 0)
		for j := range others.groups {
			s.countGroup(&others.groups[j])
			without *= 1 - others.groups[j].docs/float64(s.docs)
		}
		if idf := s.idf(float64(s.docs) * (1 - without)); idf < u.idf {
			part := 1 - s.params.Meaning*(1-idf/u.idf)
			for j := range u.groups {
				u.groups[j].idf *= part
			}
			u.idf *= part
		}
	}
}

// stoodFor returns the idf of what a unit stands for, of several words that of all.
func (s *search) stoodFor(u *unit) float64 {
	if u.parts == 0 {
		return s.units[u.from].idf
	}
	sum := 0.0
	for set := u.parts; set != 0; set &= set - 1 {
		word := &s.units[bits.TrailingZeros64(set)]
		sum += word.weight * word.idf
	}
	return sum
}

// rank orders units for scoring: rare ones first, synonyms last.
func (u *unit) rank() float64 {
	if u.kind == otherUnit {
		return math.Inf(1)
	}
	return u.docs
}

// rare leaves of the synonyms of a unit those that score by themselves, rarest first.
// The others only fit titles, headings and links: they would be most of the work.
func (s *search) rare(u *unit) {
	slices.SortStableFunc(u.groups, func(a, b group) int { return cmp.Compare(a.docs, b.docs) })
	room := float64(s.params.Enough)
	for n := range u.groups {
		if room -= u.groups[n].docs; room < 0 {
			u.rare = n
			return
		}
	}
	u.rare = len(u.groups)
}

// most returns the maximum that a unit adds to a score.
func (s *search) most(u *unit) float64 {
	if u.kind != otherUnit {
		return u.weight * u.idf
	}
	most := 0.0
	for i := range u.groups[:u.rare] {
		most = max(most, u.groups[i].idf)
	}
	return u.weight * most
}
