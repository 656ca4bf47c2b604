package query

import (
	"math/bits"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// headingShare is what standing in the heading adds to a unit of a section.
const headingShare = .25

// sections finds the best section of a document and its best passage, and how
// well the query fits one of the headings.
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
		found := s.weightOf(s.whole(m.units))
		if m.heading != 0 {
			found += headingShare * s.weightOf(s.whole(m.heading))
			c.parts.Heading = max(c.parts.Heading, s.fit(section.Heading, m.heading, m.covered, 0))
		}
		if found > best {
			best, c.section = found, n
		}
	}
	if c.section >= 0 {
		c.parts.Section = s.weightOf(s.whole(s.sectional[c.section].units)) / s.ideal
		c.passage = s.passage(&s.layout.Sections[c.section])
	}
}

// spread notes the places of a unit in the sections where they lie.
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
		if place < heading.To {
			m.heading |= 1 << unit
			m.covered |= cover(heading, place, s.units[unit].span)
		}
	}
}

// passage returns the passage of a section that holds the most of the query,
// the first one if none holds any, and -1 if there is none.
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

// within reports whether any of some places lies in a range.
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
