package query

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// scratch is the memory that scoring one source needs.
type scratch struct {
	score   []float32 // by document, over all units
	unit    []float32 // by document, of the unit at hand
	best    []float32 // by document, of the group at hand: its best term
	rest    []float32 // and its others
	touched []uint32  // documents with a score
	list    []uint32  // documents of the unit at hand
	allowed segment.Bitmap
	filter  bool // only documents in allowed may be found
	spare   []hits
	used    []hits
}

// reset makes the memory fit n documents. What a query leaves behind is zero.
func (x *scratch) reset(n int) {
	for _, doc := range x.touched {
		x.score[doc] = 0
	}
	x.touched, x.list, x.filter = x.touched[:0], x.list[:0], false
	if len(x.score) < n {
		n += n / 4
		x.score, x.unit, x.best, x.rest = make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	}
	x.spare = append(x.spare, x.used...)
	x.used = x.used[:0]
}

// take returns memory for the hits of a group.
func (x *scratch) take() hits {
	n := len(x.spare)
	if n == 0 {
		return hits{}
	}
	h := x.spare[n-1]
	x.spare = x.spare[:n-1]
	return hits{h.docs[:0], h.scores[:0]}
}

// fieldFactors turn the length of a field and how often a term occurs in it
// into what that counts.
type fieldFactors struct {
	weight     float32 // its share of all weights
	even, long float32 // the saturation: even + long·length
}

// score computes the base of every document: the sum of what its terms count.
// It reports whether there is any.
func (s *search) score() bool {
	var factors [segment.Fields]fieldFactors
	for f, p := range s.params.Fields {
		factors[f] = fieldFactors{
			weight: float32(p.Weight / s.engine.total),
			even:   float32(s.params.Saturation * (1 - p.Length)),
			long:   float32(s.params.Saturation*p.Length) / s.average[f],
		}
	}
	for i := range s.units {
		for j := range s.units[i].groups {
			g := &s.units[i].groups[j]
			g.docs = 0
			g.hits = make([]hits, len(s.sources))
			for source := range s.sources {
				g.hits[source] = s.hits(source, g, &factors)
				g.docs += len(g.hits[source].docs)
				s.scratch[source].used = append(s.scratch[source].used, g.hits[source])
			}
			if s.err != nil {
				return false
			}
		}
	}
	s.weigh()
	s.countWords()
	for source := range s.sources {
		s.filter(source)
		for i := range s.units {
			s.accumulate(source, &s.units[i])
		}
	}
	return s.maxIDF > 0 && s.err == nil
}

// hits scores the documents of a source in which a group of terms stands.
func (s *search) hits(source int, g *group, factors *[segment.Fields]fieldFactors) hits {
	src, x := &s.sources[source], &s.scratch[source]
	h := x.take()
	several := len(g.terms) > 1
	for _, t := range g.terms {
		if t.ids[source] < 0 || s.tick(src.Frequency(t.ids[source])) != nil {
			continue
		}
		weight := float32(t.weight)
		c := src.Cursor(t.ids[source])
		for c.Next() {
			if src.Dead.Has(c.Doc) {
				continue
			}
			v := weight * impact(&c, &src.Doc(c.Doc).Lengths, factors)
			if !several {
				h.docs, h.scores = append(h.docs, c.Doc), append(h.scores, min(v, 1))
				continue
			}
			best := x.best[c.Doc]
			if best == 0 {
				h.docs = append(h.docs, c.Doc)
			}
			x.best[c.Doc] = max(best, v)
			x.rest[c.Doc] += min(best, v)
		}
	}
	if several {
		rest := float32(s.params.Rest)
		for _, doc := range h.docs {
			h.scores = append(h.scores, min(x.best[doc]+rest*x.rest[doc], 1))
			x.best[doc], x.rest[doc] = 0, 0
		}
	}
	return h
}

// impact is what the occurrences at a cursor count: each field by itself, and
// the more of the same, the less each adds. It is below 1.
func impact(c *segment.Cursor, lengths *segment.Lengths, factors *[segment.Fields]fieldFactors) float32 {
	sum := float32(0)
	for set := c.Fields; set != 0; set &= set - 1 {
		f := bits.TrailingZeros16(set)
		count := float32(c.Count[f])
		sum += factors[f].weight * count / (count + factors[f].even + factors[f].long*float32(lengths[f]))
	}
	return sum
}

// accumulate adds what a unit counts to the documents of a source.
func (s *search) accumulate(source int, u *unit) {
	x := &s.scratch[source]
	if len(u.groups) == 1 {
		g := &u.groups[0]
		factor := float32(u.weight * g.idf)
		for i, doc := range g.hits[source].docs {
			x.add(doc, factor*g.hits[source].scores[i])
		}
		return
	}
	x.list = x.list[:0]
	for j := range u.groups {
		g := &u.groups[j]
		factor := float32(u.weight * g.idf)
		for i, doc := range g.hits[source].docs {
			if x.unit[doc] == 0 {
				x.list = append(x.list, doc)
			}
			x.unit[doc] = max(x.unit[doc], factor*g.hits[source].scores[i])
		}
	}
	for _, doc := range x.list {
		x.add(doc, x.unit[doc])
		x.unit[doc] = 0
	}
}

func (x *scratch) add(doc uint32, v float32) {
	if x.filter && !x.allowed.Has(doc) {
		return
	}
	if x.score[doc] == 0 {
		x.touched = append(x.touched, doc)
	}
	x.score[doc] += v
}

// candidate is a document that may be among the best.
type candidate struct {
	source int
	doc    uint32
	id     string
	base   float64
	score  float64 // in 0..1
	parts  HitExplanation

	section, passage int // the best of each, -1 without
}

// byBase orders candidates before they are ranked again, byScore afterwards.
func byBase(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.base, a.base), cmp.Compare(a.id, b.id))
}

func byScore(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
}

// collect finds the candidates of the highest base and returns how many
// documents match.
func (s *search) collect() int {
	total := 0
	for source := range s.sources {
		total += len(s.scratch[source].touched)
	}
	s.best = s.top(s.best[:0], s.params.Candidates, func(*candidate) bool { return true })
	return total
}

// top appends the n documents of the highest base among those that are wanted,
// in order.
func (s *search) top(found []candidate, n int, wanted func(*candidate) bool) []candidate {
	bar := 0.0
	for source := range s.sources {
		x := &s.scratch[source]
		for _, doc := range x.touched {
			c := candidate{source: source, doc: doc, base: float64(x.score[doc])}
			if c.base < bar {
				continue
			}
			c.id = s.sources[source].Doc(doc).ID
			if !wanted(&c) {
				continue
			}
			if found = append(found, c); len(found) >= 2*n+16 {
				slices.SortFunc(found, byBase)
				found = found[:n]
				bar = found[n-1].base
			}
		}
	}
	slices.SortFunc(found, byBase)
	return found[:min(n, len(found))]
}

// finalScore brings a score into 0..1. The root spreads out the low end, where
// most are, and changes no order.
func (s *search) finalScore(v float64) float64 {
	p := s.params
	most := s.ideal * (1 + p.Title + p.Heading + p.Section)
	if s.pairs {
		most += s.ideal * p.Proximity
	}
	return math.Sqrt(min(max(v/most, 0), 1))
}
