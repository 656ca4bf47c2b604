package query

import (
	"math/bits"
	"slices"
	"time"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Bounds of the work on one candidate.
const (
	maxPlaces = 4096 // of a term in a document that are looked at
	maxTerms  = 24   // terms of a unit whose places are looked at
)

// sectionMatch is what the units of a query have in a section.
type sectionMatch struct {
	units   uint64 // the units that stand anywhere in it
	heading uint64 // those in its heading
	covered uint64 // the places of the heading that they cover
}

// rerank scores the candidates again, by what only their places tell.
func (s *search) rerank() {
	slices.SortFunc(s.best, func(a, b candidate) int {
		if a.source != b.source {
			return a.source - b.source
		}
		return int(a.doc) - int(b.doc)
	})
	for len(s.places) < maxUnits {
		s.places = append(s.places, nil)
	}
	var cursors [][]segment.Cursor
	source := -1
	for i := range s.best {
		c := &s.best[i]
		if c.source != source {
			source = c.source
			cursors = s.cursors(source)
		}
		s.sources[source].Layout(c.doc, &s.layout)
		s.locate(cursors, c)
		s.judge(c)
		if s.tick(len(s.units)*8) != nil {
			return
		}
	}
	slices.SortFunc(s.best, byScore)
}

// cursors returns cursors over the terms of each unit.
func (s *search) cursors(source int) [][]segment.Cursor {
	cursors := make([][]segment.Cursor, len(s.units))
	for i := range s.units {
		room := maxTerms
		for _, g := range s.units[i].groups {
			for _, t := range g.terms[:min(room, len(g.terms))] {
				if id := t.ids[source]; id >= 0 {
					cursors[i] = append(cursors[i], s.sources[source].Cursor(id))
				}
			}
			room -= min(room, len(g.terms))
		}
	}
	return cursors
}

// naming are the fields that name a document besides its title.
const naming = 1<<segment.Slug | 1<<segment.Ancestor | 1<<segment.Former

// locate fills s.places with the places of each unit in a document, whose layout
// has been read.
func (s *search) locate(cursors [][]segment.Cursor, c *candidate) {
	s.context = 0
	names := uint16(naming)
	if s.own {
		names &^= borrowed
	}
	var counts segment.Lengths
	for i := range s.units {
		places, from := s.places[i][:0], 0
		for j := range cursors[i] {
			if cursors[i][j].Seek(c.doc) {
				if cursors[i][j].Counts(&counts)&names != 0 {
					s.context |= 1 << i
				}
				places = cursors[i][j].Places(places, maxPlaces)
				from++
			}
		}
		if from > 1 {
			slices.Sort(places)
			places = slices.Compact(places)
		}
		if s.own && len(s.layout.Links) > 0 {
			places = slices.DeleteFunc(places, func(place uint32) bool { return place >= s.layout.Title.To && place < s.layout.Start })
		}
		s.places[i] = places
	}
}

// judge computes the score of a candidate and finds its best section.
func (s *search) judge(c *candidate) {
	p := s.params
	c.parts.Base = c.base
	c.parts.Proximity = s.proximity()
	title := s.match(s.layout.Title)
	c.parts.Title = s.fit(s.layout.Title, title.heading, title.covered, p.Context)
	c.parts.Link = s.called()
	s.sections(c)
	link := c.parts.Link * c.parts.Link // squared once more, for a link names the page by the whole of its text or not at all
	named := max(p.Title*c.parts.Title*c.parts.Title, p.Link*link*link)
	c.score = s.finalScore(c.base*(1+p.Proximity*c.parts.Proximity) +
		s.ideal*(named+p.Heading*c.parts.Heading*c.parts.Heading+p.Section*c.parts.Section))
}

// match finds the units in a run of places at the start of a document.
func (s *search) match(run segment.Run) sectionMatch {
	var m sectionMatch
	for i := range s.units {
		for _, place := range s.places[i] {
			if place >= run.To {
				break
			}
			m.heading |= 1 << i
			m.covered |= cover(run, place, s.units[i].span)
		}
	}
	return m
}

// called tells how well the query fits the best of what links call the
// document.
func (s *search) called() float64 {
	runs := s.layout.Links
	s.sectional = s.sectional[:0]
	for range runs {
		s.sectional = append(s.sectional, sectionMatch{})
	}
	for i := range s.units {
		n := 0
		for _, place := range s.places[i] {
			for n < len(runs) && runs[n].To <= place {
				n++
			}
			if n == len(runs) {
				break
			}
			if place >= runs[n].From {
				s.sectional[n].heading |= 1 << i
				s.sectional[n].covered |= cover(runs[n], place, s.units[i].span)
			}
		}
	}
	best := 0.0
	for n, m := range s.sectional {
		if m.heading != 0 {
			best = max(best, s.fit(runs[n], m.heading, m.covered, 0))
		}
	}
	return best
}

// cover returns the places of a run, as bits, that a unit at a place covers.
func cover(run segment.Run, place uint32, span int) uint64 {
	at, size := place-run.From, run.To-run.From
	if at >= 64 {
		return 0
	}
	span = min(span, int(min(size, 64)-at), 32)
	return (1<<span - 1) << at
}

// stopShare is what a stop word counts in a title.
const stopShare = .2

// fit tells how well the query fits a title: the harmonic mean of the share of
// the query in the title and the share of the title in the query.
// Context is what words count that name the document elsewhere.
func (s *search) fit(run segment.Run, units, covered uint64, context float64) float64 {
	if units == 0 {
		return 0
	}
	in := s.whole(units)
	share := s.weightOf(in)
	if context > 0 {
		share += context * s.weightOf(s.whole(s.context)&^in)
	}
	share /= s.ideal
	stops := s.stopsIn(run, units)
	words := float64(bits.OnesCount64(covered)) - stops
	length := float64(run.To - run.From)
	rest := min(float64(run.Stops), length)
	of := (words + stopShare*stops) / max(length-rest+stopShare*rest, stopShare)
	return 2 * share * min(of, 1) / (share + min(of, 1))
}

// stopsIn returns how many places of a run stop words of the query cover.
func (s *search) stopsIn(run segment.Run, units uint64) float64 {
	var covered uint64
	for set := units; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if !s.units[i].stop {
			continue
		}
		from, _ := slices.BinarySearch(s.places[i], run.From) // a page may have thousands of them
		for _, place := range s.places[i][from:] {
			if place >= run.To {
				break
			}
			covered |= cover(run, place, 1)
		}
	}
	return float64(bits.OnesCount64(covered))
}

// whole adds to a set of units the parts of those in it that are made of parts.
func (s *search) whole(units uint64) uint64 {
	for i := range s.units {
		if u := &s.units[i]; u.to > u.from && units&(1<<i) != 0 {
			units |= (1<<(u.to-u.from) - 1) << u.from
		}
	}
	return units
}

// weightOf sums what the units of a set count.
func (s *search) weightOf(units uint64) float64 {
	sum := 0.0
	for set := units; set != 0; set &= set - 1 {
		u := &s.units[bits.TrailingZeros64(set)]
		sum += u.weight * u.idf
	}
	return sum
}

func updatedAt(info *segment.Info) time.Time { return time.UnixMilli(info.Updated).UTC() }
