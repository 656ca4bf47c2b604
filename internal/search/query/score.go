package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// scratch is the memory for scoring one source.
type scratch struct {
	score   []float32      // by document, over all units
	unit    []float32      // by document, of the current unit
	best    []float32      // by document, of the current group: its best term
	rest    []float32      // and its others
	touched []uint32       // documents with a score
	scored  segment.Bitmap // the same, without those that no longer compete
	compete int            // documents in scored
	list    []uint32       // documents of the current unit
	group   []uint32       // documents of the current group
	allowed segment.Bitmap
	filter  bool // only documents in allowed may be found
}

// reset resizes the memory for n documents. Queries leave it zeroed.
func (x *scratch) reset(n int) {
	for _, doc := range x.touched {
		x.score[doc] = 0
		x.scored.Clear(doc)
	}
	x.touched, x.list, x.filter, x.compete = x.touched[:0], x.list[:0], false, 0
	if len(x.score) < n {
		n += n / 4
		x.score, x.unit, x.best, x.rest = make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		x.scored = segment.NewBitmap(n)
	}
}

// score computes the base of every document: the sum of its terms' scores.
// It reports whether there is any.
func (s *search) score() bool {
	s.weigh()
	s.countWords()
	s.askedNews = s.asksForNews()
	var factors segment.Factors
	for f, p := range s.params.Fields {
		factors[f] = segment.Factor{
			Weight: float32(p.Weight / s.engine.total),
			Even:   float32(s.params.Saturation * (1 - p.Length)),
			Long:   float32(s.params.Saturation*p.Length) / s.average[f],
		}
		if f == int(segment.Name) && s.sentence {
			factors[f].Weight *= float32(s.params.Sentence)
		}
		if s.own && borrowed>>f&1 == 1 {
			factors[f] = segment.Factor{}
		}
	}
	for source := range s.sources {
		s.filter(source)
	}
	s.order = s.order[:0]
	for i := range s.units {
		s.order = append(s.order, i)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(s.units[a].rank(), s.units[b].rank()) })
	for n, i := range s.order {
		u := &s.units[i]
		if s.passedOver(u) {
			continue
		}
		open := s.touched < s.params.Enough || u.rank() <= float64(s.params.Common)
		if !open && u.kind != otherUnit {
			s.thin(s.order[n:])
		}
		for source := range s.sources {
			s.scoreUnit(source, u, open, &factors)
		}
		if s.err != nil {
			return false
		}
	}
	s.demote()
	return s.maxIDF > 0
}

// passedOver reports whether a unit does not score by itself: it counts only
// in titles, headings and phrases, and would be most of the work.
func (s *search) passedOver(u *unit) bool { return u.stop && s.content }

// thin removes documents from the competition whose score can no longer be
// among the highest, whatever the remaining units add, none of which may
// find new documents. The scores of removed documents are unknown, so this
// does nothing if hits beyond the candidates may be requested.
func (s *search) thin(left []int) {
	n := s.params.Candidates
	if s.query.After != nil || s.limit() >= n || s.touched <= n {
		return
	}
	bar := float64(s.nth(n))
	for _, i := range left {
		if u := &s.units[i]; !s.passedOver(u) && !u.missing {
			bar -= s.most(u)
		}
	}
	bar -= thinSlack * s.ideal
	for source := range s.sources {
		x, news := &s.scratch[source], s.news(source)
		x.scored.Each(func(doc uint32) {
			if score := float64(x.score[doc]); score < bar || news.Has(doc) && score*s.params.News < bar {
				x.scored.Clear(doc)
				x.compete--
			}
		})
	}
}

// thinSlack is the share of the ideal score by which rounded sums may be off.
const thinSlack = 1e-5

// scoreUnit adds the score of a unit to the documents of a source: that of
// its best group. Unless it is open, only documents with a score get more.
func (s *search) scoreUnit(source int, u *unit, open bool, factors *segment.Factors) {
	x := &s.scratch[source]
	before := len(x.touched)
	groups := u.groups
	if u.kind == otherUnit {
		groups = groups[:u.rare]
	}
	if len(groups) == 1 {
		g := &groups[0]
		factor := float32(u.weight * g.idf)
		s.scoreGroup(source, g, open, factors, func(doc uint32, v float32) { x.add(doc, factor*min(v, 1)) })
	} else {
		for j := range groups {
			factor := float32(u.weight * groups[j].idf)
			s.scoreGroup(source, &groups[j], open, factors, func(doc uint32, v float32) {
				if x.unit[doc] == 0 {
					x.list = append(x.list, doc)
				}
				x.unit[doc] = max(x.unit[doc], factor*min(v, 1))
			})
		}
		for _, doc := range x.list {
			x.add(doc, x.unit[doc])
			x.unit[doc] = 0
		}
		x.list = x.list[:0]
	}
	s.touched += len(x.touched) - before
}

// scoreGroup calls found for each document of a source with a term of a
// group, with the combined score of its terms.
func (s *search) scoreGroup(source int, g *group, open bool, factors *segment.Factors, found func(doc uint32, v float32)) {
	if len(g.terms) == 1 {
		s.scan(source, &g.terms[0], open, factors, found)
		return
	}
	x := &s.scratch[source]
	x.group = x.group[:0]
	for i := range g.terms {
		s.scan(source, &g.terms[i], open, factors, func(doc uint32, v float32) {
			best := x.best[doc]
			if best == 0 {
				x.group = append(x.group, doc)
			}
			x.best[doc] = max(best, v)
			x.rest[doc] += min(best, v)
		})
	}
	rest := float32(s.params.Rest)
	for _, doc := range x.group {
		v := x.best[doc] + rest*x.rest[doc]
		x.best[doc], x.rest[doc] = 0, 0
		found(doc, v)
	}
}

// scan calls found for each document of a source with a term, with its score.
func (s *search) scan(source int, t *term, open bool, factors *segment.Factors, found func(doc uint32, v float32)) {
	id := t.ids[source]
	if id < 0 || s.tick(s.sources[source].Frequency(id)) != nil {
		return
	}
	src, x := &s.sources[source], &s.scratch[source]
	weight := float32(t.weight)
	c := src.Cursor(id)
	if !open && src.Frequency(id) > seekWorth*x.compete {
		x.scored.Each(func(doc uint32) {
			if c.Seek(doc) {
				if v := weight * src.Impact(&c, factors); v > 0 {
					found(doc, v)
				}
			}
		})
		return
	}
	for c.Next() {
		if open && (!x.filter || x.allowed.Has(c.Doc)) && !src.Dead.Has(c.Doc) || x.scored.Has(c.Doc) {
			if v := weight * src.Impact(&c, factors); v > 0 {
				found(c.Doc, v)
			}
		}
	}
}

// seekWorth is how many postings per document make seeking faster than reading all.
const seekWorth = 6

// add adds to the score of a document.
func (x *scratch) add(doc uint32, v float32) {
	if x.score[doc] == 0 {
		x.touched = append(x.touched, doc)
		x.scored.Set(doc)
		x.compete++
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

	context  uint64  // units in other names of the document than its title
	asked    uint64  // units whose word itself is in a title, a heading or a link
	headed   uint64  // units that may be in its headings
	from, to int     // its occurrences
	most     float64 // maximum score

	section, passage int // the best of each, or -1
}

// byScore orders candidates like the results.
func byScore(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
}

// collect finds the candidates with the highest base, in order of their
// numbers, and returns how many documents have one.
func (s *search) collect() int {
	found := s.top(s.params.Candidates, nil)
	slices.SortFunc(found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.doc, b.doc))
	})
	s.best = s.candidates(s.best[:0], found)
	return s.touched
}

// ranked is a document and its base, small for sorting.
type ranked struct {
	base   float32
	source int32
	doc    uint32
}

// byBase orders documents by their base, highest first.
func (s *search) byBase(a, b ranked) int {
	if a.base != b.base {
		return cmp.Compare(b.base, a.base)
	}
	return cmp.Compare(s.sources[a.source].Doc(a.doc).ID, s.sources[b.source].Doc(b.doc).ID)
}

// top returns the n documents with the highest base among those that compete and are
// wanted, unordered, valid until the next call; nil means that all are wanted.
func (s *search) top(n int, wanted func(*candidate) bool) []ranked {
	n = max(n, 1)
	kept := s.ranked[:0] // a heap with the last in order on top
	for source := range s.sources {
		x := &s.scratch[source]
		x.scored.Each(func(doc uint32) {
			r := ranked{x.score[doc], int32(source), doc}
			full := len(kept) == n
			if full && (r.base < kept[0].base || s.byBase(r, kept[0]) > 0) {
				return
			}
			if wanted != nil {
				if c := s.candidate(r); !wanted(&c) {
					return
				}
			}
			if full {
				kept[0] = r
				sink(kept, 0, s.byBase)
			} else if kept = append(kept, r); len(kept) == n {
				for i := n / 2; i >= 0; i-- {
					sink(kept, i, s.byBase)
				}
			}
		})
	}
	s.ranked = kept
	return kept
}

// nth returns the n-th highest score of all. At least n documents must
// compete; all others have lower scores.
func (s *search) nth(n int) float32 {
	kept := s.highest[:0] // a heap with the lowest on top
	falling := func(a, b float32) int { return cmp.Compare(b, a) }
	factor := float32(s.params.News)
	for source := range s.sources {
		x, news := &s.scratch[source], s.news(source)
		x.scored.Each(func(doc uint32) {
			v := x.score[doc]
			if len(kept) == n && v <= kept[0] {
				return
			}
			if news.Has(doc) {
				v *= factor
			}
			if len(kept) == n {
				if v > kept[0] {
					kept[0] = v
					sink(kept, 0, falling)
				}
				return
			}
			if kept = append(kept, v); len(kept) == n {
				for i := n / 2; i >= 0; i-- {
					sink(kept, i, falling)
				}
			}
		})
	}
	s.highest = kept
	return kept[0]
}

// candidates appends documents as candidates.
func (s *search) candidates(dst []candidate, found []ranked) []candidate {
	for _, r := range found {
		dst = append(dst, s.candidate(r))
	}
	return dst
}

// sink moves the i-th element of a heap to its position.
func sink[T any](heap []T, i int, order func(a, b T) int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if order(heap[child], heap[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		heap[i], heap[last] = heap[last], heap[i]
		i = last
	}
}

// candidate returns a document that was not reranked.
func (s *search) candidate(r ranked) candidate {
	c := candidate{source: int(r.source), doc: r.doc, id: s.sources[r.source].Doc(r.doc).ID, base: float64(r.base), section: -1, passage: -1}
	c.parts.Base, c.parts.Factor = c.base, s.factor(c.source, c.doc)
	c.score = s.finalScore(c.base)
	return c
}

// finalScore scales a score to 0..1. The square root spreads out the low
// end, where most are, and keeps the order.
func (s *search) finalScore(v float64) float64 {
	p := s.params
	most := s.ideal * (1 + p.Title + p.Heading + p.Section*s.long + p.Verbatim*s.mostVerbatim())
	if s.pairs {
		most += s.ideal * p.Proximity
	}
	return math.Sqrt(min(max(v/most, 0), 1))
}
