package query

import (
	"math/bits"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// inRow lowers the value of verbatim for the document, whose sections have been
// matched, if no title, heading or link has the words in a row. Then one section must
// contain them. If they are the text of a link, its target is meant. A row of many
// words, or of a sentence, that nothing names is often a passing remark.
func (s *search) inRow(c *candidate) {
	said := &c.parts.Verbatim
	if !s.contentOnly || *said < little {
		return
	}
	if s.namedInRow() {
		if slices.ContainsFunc(s.order, func(i int) bool { return s.telling(&s.units[i]) && s.asked>>i&1 == 0 }) {
			*said *= s.params.RowForms
		}
		return
	}
	if *said > linked && slices.Contains(s.layout.Labels, s.label()) {
		*said = 0
		return
	}
	near := 0.0
	for n, m := range s.sectional {
		if bits.OnesCount64(m.units) > 1 {
			section := &s.layout.Sections[n]
			near = max(near, s.nearIn(section.Heading.From, section.To))
		}
	}
	*said = min(*said, inARow(near))
	if len(s.parsed.compounds) == 0 { // a name is one thing
		kind := min(s.words, 3) - 2
		if s.sentence {
			kind = 2
		}
		*said *= s.params.Said[kind]
	}
}

const (
	little = .05 // maximum of verbatim if lowering it would have no effect
	linked = .9  // and minimum if the text of a link may be the cause
)

// nearIn returns how near the words of the query are within a range of positions.
func (s *search) nearIn(from, to uint32) float64 {
	return s.proximity(func(a, b int) float64 {
		return nearness(between(s.places[a], from, to), between(s.places[b], from, to), s.units[b].pos-s.units[a].pos)
	})
}

// label returns the label of a link with the words of the query.
func (s *search) label() (sum segment.Label) {
	for i := range s.units {
		if u := &s.units[i]; s.telling(u) {
			sum = sum.With(u.text)
		}
	}
	return sum
}

// telling reports whether a unit is a word that counts for rows.
func (s *search) telling(u *unit) bool { return s.counted(u) && !u.stop }

// namedInRow reports whether a title, a heading or a link has the words in a row.
func (s *search) namedInRow() bool {
	first := slices.IndexFunc(s.units, func(u unit) bool { return s.telling(&u) })
	n := 0
	for _, place := range s.places[first] {
		if place >= s.layout.Start {
			for n < len(s.layout.Sections) && s.layout.Sections[n].To <= place {
				n++
			}
			if n == len(s.layout.Sections) {
				return false
			}
			if heading := s.layout.Sections[n].Heading; place < heading.From || place >= heading.To {
				continue
			}
		}
		if s.rowAt(first, place) {
			return true
		}
	}
	return false
}

// rowAt reports whether the words from one on are in a row at a position.
func (s *search) rowAt(first int, place uint32) bool {
	for i := first + 1; i < len(s.units); i++ {
		at := place + uint32(s.units[i].pos-s.units[first].pos)
		if s.telling(&s.units[i]) && !within(s.places[i], at, at+1) {
			return false
		}
	}
	return true
}
