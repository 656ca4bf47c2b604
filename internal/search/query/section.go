package query

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// headingShare is what a section's unit gains in its heading.
const headingShare = .25

// How sections with the same words are distinguished, in shares of the query: how well
// it fits their headings, how often and how near they have the words.
const (
	fitShare  = .1
	oftenTell = .05
	nearShare = .2
)

// maxEqual is how many sections with the same words are compared.
const maxEqual = 8

// sections finds the best section and passage of a document, and how well
// the query fits one of its headings.
func (s *search) sections(c *candidate) {
	c.section, c.passage, c.parts.Heading, c.parts.Section = -1, -1, 0, 0
	s.sectional = s.sectional[:0]
	for range s.layout.Sections {
		s.sectional = append(s.sectional, sectionMatch{})
	}
	for i := range s.units {
		s.spread(i)
	}
	best := 0.0
	for n := range s.sectional {
		m := &s.sectional[n]
		if m.units == 0 {
			continue
		}
		section := &s.layout.Sections[n]
		m.worth = s.weightOf(s.whole(m.units)) + oftenTell*s.ideal*float64(m.times)/float64(m.times+4)
		if m.heading != 0 {
			fit := s.fit(section.Heading, m.heading, m.covered, 0)
			m.worth += headingShare*s.weightOf(s.whole(m.heading)) + fitShare*s.ideal*fit*fit
			if s.name != "" && s.otherCapitals(c, section) {
				fit *= s.params.Capitals
			}
			c.parts.Heading = max(c.parts.Heading, fit)
		}
		if m.worth > best {
			best, c.section = m.worth, n
		}
	}
	if c.section >= 0 {
		c.section = s.nearest(c.section)
		c.parts.Section = s.weightOf(s.whole(s.sectional[c.section].units)) / s.ideal
		c.passage = s.passage(&s.layout.Sections[c.section])
	}
}

// otherCapitals reports whether a heading has the name that is asked for, but never with
// the same capitals.
func (s *search) otherCapitals(c *candidate, section *segment.SectionLayout) bool {
	s.text.Open(s.sources[c.source].Segment, c.doc)
	_, heading, err := s.text.Names(section)
	if err != nil && s.err == nil {
		s.err = err
	}
	return !strings.Contains(heading, s.name) && strings.Contains(strings.ToLower(heading), strings.ToLower(s.name))
}

// nearest returns the section where the words are nearest, among those with
// the same words and about the same value as the n-th.
func (s *search) nearest(n int) int {
	if !s.contentOnly {
		return n
	}
	like := s.sectional[n]
	var equal [maxEqual]int
	count := 0
	for i := range s.sectional {
		if m := &s.sectional[i]; count < maxEqual && m.units == like.units && m.worth >= like.worth-nearShare*s.ideal {
			equal[count] = i
			count++
		}
	}
	if count < 2 {
		return n
	}
	best, found := -1.0, n
	for _, i := range equal[:count] {
		m := &s.sectional[i]
		from, to := s.layout.Sections[i].Heading.From, s.layout.Sections[i].To
		if worth := m.worth + nearShare*s.ideal*s.nearIn(from, to); worth > best {
			best, found = worth, i
		}
	}
	return found
}

// between returns the positions in a range.
func between(places []uint32, from, to uint32) []uint32 {
	low, _ := slices.BinarySearch(places, from)
	high, _ := slices.BinarySearch(places, to)
	return places[low:high]
}

// spread records the positions of a unit in their sections.
func (s *search) spread(unit int) {
	n := 0
	for _, place := range s.places[unit] {
		for n < len(s.layout.Sections) && s.layout.Sections[n].To <= place {
			n++
		}
		if n == len(s.layout.Sections) {
			return
		}
		heading := s.layout.Sections[n].Heading
		if place < heading.From {
			continue
		}
		m := &s.sectional[n]
		m.units |= 1 << unit
		m.times++
		if place < heading.To && s.headed>>unit&1 == 1 {
			m.heading |= 1 << unit
			m.covered |= cover(heading, place, s.units[unit].span)
		}
	}
}

// passage returns the passage of a section with most of the query, the first
// one if none has any, or -1 if there is no passage.
func (s *search) passage(section *segment.SectionLayout) int {
	best, at := -1.0, -1
	for n := range section.Passages {
		p := &section.Passages[n]
		var units uint64
		for i := range s.units {
			if within(s.places[i], p.From, p.To) {
				units |= 1 << i
			}
		}
		if found := s.weightOf(s.whole(units)); found > best {
			best, at = found, n
		}
		if bits.OnesCount64(units) == len(s.units) {
			break
		}
	}
	return at
}

// within reports whether any of some positions is in a range.
func within(places []uint32, from, to uint32) bool {
	low, high := 0, len(places)
	for low < high {
		if mid := (low + high) / 2; places[mid] < from {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(places) && places[low] < to
}
