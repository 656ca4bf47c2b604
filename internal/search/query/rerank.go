package query

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Limits of the work on one candidate.
const (
	maxPlaces = 4096 // positions of a term in a document that are used
	maxTerms  = 24   // terms of a unit whose positions are used
)

// sectionMatch is how the units of a query match a section.
type sectionMatch struct {
	units   uint64 // the units anywhere in it
	heading uint64 // those in its heading
	covered uint64 // the positions of the heading that they cover
	times   int    // number of occurrences of units
	worth   float64
}

// naming are the fields that name a document besides its title.
const naming = 1<<segment.Slug | 1<<segment.Ancestor | 1<<segment.Former

// headline are the fields of which a synonym of a known word has to be in one.
const headline = naming | 1<<segment.Title | 1<<segment.Heading | 1<<segment.Name | 1<<segment.Link

// occurrence is where a term of a unit occurs in a document.
type occurrence struct {
	candidate, unit int
	begun           bool // a completion of a known word
	form            bool // another form of the word
	posting         segment.Posting
}

// rerank scores the candidates again with their positions, most promising
// first. It leaves out those that cannot become requested hits.
func (s *search) rerank() {
	if s.find() != nil {
		return
	}
	s.promising = s.promising[:0]
	for i := range s.best {
		s.promising = append(s.promising, i)
	}
	slices.SortFunc(s.promising, func(a, b int) int { return cmp.Compare(s.best[b].most, s.best[a].most) })
	for len(s.places) < maxUnits {
		s.places = append(s.places, nil)
	}
	s.resume()
	s.bar = s.bar[:0]
	hits := s.limit() + 1 // one more shows whether there are more
	for n, i := range s.promising {
		c := &s.best[i]
		if len(s.bar) == hits && c.most < s.bar[hits-1] {
			s.drop(s.promising[n:])
			break
		}
		s.place(c)
		if s.follows(c) {
			s.raise(c.score, hits)
		}
		if s.tick(len(s.units)*8) != nil {
			return
		}
	}
	slices.SortFunc(s.best, byScore)
}

// place reranks a candidate.
func (s *search) place(c *candidate) {
	s.sources[c.source].Layout(c.doc, &s.layout)
	s.locate(c)
	s.judge(c)
}

// raise adds a score to the n highest, which are kept in falling order.
func (s *search) raise(score float64, n int) {
	at, _ := slices.BinarySearchFunc(s.bar, score, func(a, b float64) int { return cmp.Compare(b, a) })
	if at == n {
		return
	}
	s.bar = slices.Insert(s.bar[:min(len(s.bar), n-1)], at, score)
}

// drop removes some candidates.
func (s *search) drop(which []int) {
	for _, i := range which {
		s.best[i].source = -1
	}
	s.best = slices.DeleteFunc(s.best, func(c candidate) bool { return c.source < 0 })
}

// find collects the postings of the candidates, what names them, and their maximum
// scores. Candidates of a source must follow one another in order of their numbers.
func (s *search) find() error {
	s.found = s.found[:0]
	for from := 0; from < len(s.best); {
		to := from + 1
		for to < len(s.best) && s.best[to].source == s.best[from].source {
			to++
		}
		for i := range s.units {
			if err := s.findUnit(i, from, to); err != nil {
				return err
			}
		}
		from = to
	}
	s.sortFound()
	for i := range s.best {
		s.hope(&s.best[i])
	}
	return nil
}

// findUnit collects the postings of a unit in some candidates of one source.
func (s *search) findUnit(unit, from, to int) error {
	room, source := maxTerms, s.best[from].source
	names := uint16(headline)
	if s.own {
		names &^= borrowed
	}
	for n, g := range s.units[unit].groups {
		begun := n > 0 && g.kind == prefixGroup
		for _, t := range g.terms[:min(room, len(g.terms))] {
			id := t.ids[source]
			if id < 0 {
				continue
			}
			cursor := s.sources[source].Cursor(id)
			for i := from; i < to; i++ {
				if !cursor.Seek(s.best[i].doc) {
					continue
				}
				if p := cursor.Posting(); s.units[unit].kind != otherUnit || p.Fields()&names != 0 {
					s.found = append(s.found, occurrence{i, unit, begun, g.kind == exactGroup && t.text != s.units[unit].text, p})
				}
			}
			if err := s.tick(to - from); err != nil {
				return err
			}
		}
		room -= min(room, len(g.terms))
	}
	return nil
}

// sortFound sorts the occurrences by candidate, keeping the order of the units.
func (s *search) sortFound() {
	for i := range s.best {
		s.best[i].to = 0
	}
	for i := range s.found {
		s.best[s.found[i].candidate].to++
	}
	next := 0
	for i := range s.best {
		c := &s.best[i]
		c.from, c.to, next = next, next, next+c.to
	}
	s.occurrences = slices.Grow(s.occurrences[:0], next)[:next]
	for _, o := range s.found {
		c := &s.best[o.candidate]
		s.occurrences[c.to] = o
		c.to++
	}
}

// hope records what names a candidate and its maximum score.
func (s *search) hope(c *candidate) {
	names, fitting := uint16(naming), uint16(1<<segment.Title|1<<segment.Heading|1<<segment.Link)
	if s.own {
		names, fitting = names&^borrowed, fitting&^borrowed
	}
	var in fieldSets
	c.context, c.asked = 0, 0
	for i := c.from; i < c.to; i++ {
		o := &s.occurrences[i]
		fields := o.posting.Fields()
		if fields&names != 0 {
			c.context |= 1 << o.unit
		}
		if fields&(1<<segment.Name) != 0 && !s.sentence {
			fields |= 1 << segment.Heading
		}
		if o.begun && s.sentence {
			fields &^= 1 << segment.Heading
		}
		if !o.form && fields&fitting != 0 {
			c.asked |= 1 << o.unit
		}
		in.add(o.unit, fields)
	}
	c.headed = in[segment.Heading]
	c.most = s.reach(c, &in)
}

// locate fills s.places with the positions of each unit in a document whose
// layout has been read.
func (s *search) locate(c *candidate) {
	s.context, s.headed, s.asked = c.context, c.headed, c.asked
	found := s.occurrences[c.from:c.to]
	for i := range s.units {
		places, terms := s.places[i][:0], 0
		for ; len(found) > 0 && found[0].unit == i; found = found[1:] {
			places = found[0].posting.Places(places, maxPlaces)
			terms++
		}
		if terms > 1 {
			slices.Sort(places)
			places = slices.Compact(places)
		}
		if s.own && len(s.layout.Links) > 0 {
			places = slices.DeleteFunc(places, func(place uint32) bool { return place >= s.layout.Title.To && place < s.layout.Start })
		}
		if s.units[i].kind == begunUnit { // a completion is not the word itself
			of := s.units[i].from
			s.places[of] = without(s.places[of], places)
		}
		s.places[i] = places
	}
}

// without removes positions from others, both in order.
func without(places, out []uint32) []uint32 {
	return slices.DeleteFunc(places, func(place uint32) bool {
		_, found := slices.BinarySearch(out, place)
		return found
	})
}

// judge computes the score of a candidate and finds its best section.
func (s *search) judge(c *candidate) {
	c.parts.Base = c.base
	c.parts.Proximity = s.proximity(func(a, b int) float64 {
		return nearness(s.places[a], s.places[b], s.units[b].pos-s.units[a].pos)
	})
	c.parts.Verbatim = s.verbatim(c.parts.Proximity, func(unit int) bool { return len(s.places[unit]) > 0 })
	title := s.match(s.layout.Title)
	c.parts.Title = s.fit(s.layout.Title, s.joined(title.heading), title.covered, s.params.Context)
	c.parts.Link = s.called()
	s.sections(c)
	s.inRow(c)
	c.score = s.finalScore(s.sum(&c.parts))
}

// wholeTitle is the minimum fit of a query that is the whole title: it asks
// for that page, even if that is news.
const wholeTitle = .95

// sum computes the score from its parts.
func (s *search) sum(parts *HitExplanation) float64 {
	p := s.params
	link := parts.Link * parts.Link // squared again, since only a complete link text names the page
	named := max(p.Title*parts.Title*parts.Title, p.Link*link*link)
	factor := parts.Factor
	if parts.Title > wholeTitle {
		factor = 1
	}
	return parts.Base*(1+p.Proximity*parts.Proximity) +
		factor*s.ideal*(named+p.Heading*parts.Heading*parts.Heading+p.Section*s.long*parts.Section+p.Verbatim*parts.Verbatim)
}

// match finds the units in a run of positions at the start of a document.
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

// called returns how well the query fits the best link text of the document.
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
			best = max(best, s.fit(runs[n], s.joined(m.heading), m.covered, 0))
		}
	}
	return best
}

// cover returns the positions of a run, as bits, that a unit at a position covers.
func cover(run segment.Run, place uint32, span int) uint64 {
	at, size := place-run.From, run.To-run.From
	if at >= 64 {
		return 0
	}
	span = min(span, int(min(size, 64)-at), 32)
	return (1<<span - 1) << at
}

// stopShare is the weight of a stop word in a title.
const stopShare = .2

// fit returns how well the query fits a title: the harmonic mean of the
// share of the query in the title and the share of the title in the query.
// context is the weight of words that name the document elsewhere.
func (s *search) fit(run segment.Run, units, covered uint64, context float64) float64 {
	if units == 0 {
		return 0
	}
	share := s.share(units, s.context, context)
	share -= (1 - s.params.Forms) * s.weightOf(units&^s.asked) / s.ideal
	stops := s.stopsIn(run, units)
	words := float64(bits.OnesCount64(covered)) - stops
	length := float64(run.To - run.From)
	rest := min(float64(run.Stops), length)
	of := (words + stopShare*stops) / max(length-rest+stopShare*rest, stopShare)
	return 2 * share * min(of, 1) / (share + min(of, 1))
}

// share returns the share of some units in the query, where units that name
// the document elsewhere count partly.
func (s *search) share(units, named uint64, part float64) float64 {
	in := s.whole(units)
	share := s.weightOf(in)
	if part > 0 {
		share += part * s.weightOf(s.whole(named)&^in)
	}
	return min(share/s.ideal, 1)
}

// stopsIn returns how many positions of a run the stop words of the query cover.
func (s *search) stopsIn(run segment.Run, units uint64) float64 {
	var covered uint64
	for set := units; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if !s.units[i].stop || s.units[i].half {
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

// whole adds to a set of units the parts of composed ones.
func (s *search) whole(units uint64) uint64 {
	for i := range s.units {
		if units&(1<<i) != 0 {
			units |= s.units[i].parts
		}
	}
	return units
}

// weightOf returns the weight of a set of units.
func (s *search) weightOf(units uint64) float64 {
	sum := 0.0
	for set := units; set != 0; set &= set - 1 {
		u := &s.units[bits.TrailingZeros64(set)]
		if u.kind == otherUnit && units>>u.from&1 == 1 {
			continue // the word itself is there
		}
		sum += u.weight * u.idf
	}
	return sum
}

func updatedAt(info *segment.Info) time.Time { return time.UnixMilli(info.Updated).UTC() }
