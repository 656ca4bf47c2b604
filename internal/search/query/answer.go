package query

import (
	"math"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// answer fills in the requested hits.
func (s *search) answer(answer *Answer) {
	limit := s.limit()
	chosen := make([]candidate, 0, limit+1)
	for _, c := range s.best {
		if len(chosen) <= limit && s.follows(&c) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) <= limit && answer.Total > len(s.best) {
		chosen = append(chosen, s.beyond(limit+1-len(chosen))...)
	}
	if answer.More = len(chosen) > limit; answer.More {
		chosen = chosen[:limit]
	}
	s.excerpter.seek(s.matched())
	answer.Hits = make([]Hit, len(chosen))
	for i := range chosen {
		if err := s.fill(&answer.Hits[i], &chosen[i]); err != nil && s.err == nil {
			s.err = err
		}
	}
}

// limit returns the requested number of hits.
func (s *search) limit() int { return min(max(s.query.Limit, 1), MaxLimit) }

// follows reports whether a candidate comes after the place from which to continue.
func (s *search) follows(c *candidate) bool {
	if s.after == nil {
		return true
	}
	return byScore(candidate{score: s.after.Score, id: s.after.ID}, *c) < 0
}

// drift is the share of its score by which the hit from which to continue
// may have moved and still count as unchanged.
const drift = .1

// resume finds the place from which to continue: the present place of that hit. Every
// added or removed document moves all scores a little, so that hits would otherwise be
// repeated or skipped. If the hit is gone or has changed, its former place counts.
func (s *search) resume() {
	s.after = s.query.After
	if s.after == nil {
		return
	}
	for source := range s.sources {
		src, x := &s.sources[source], &s.scratch[source]
		doc, there := src.Lookup(s.after.ID)
		if !there || src.Dead.Has(doc) || x.score[doc] == 0 {
			continue
		}
		score := s.finalScore(float64(x.score[doc]))
		for i := range s.best {
			if c := &s.best[i]; c.source == source && c.doc == doc {
				s.place(c)
				score = c.score
			}
		}
		if math.Abs(score-s.after.Score) <= drift*s.after.Score {
			s.after = &Cursor{Score: score, ID: s.after.ID}
		}
		return
	}
}

// beyond returns the next n documents of those that were not reranked. None of them can
// come before a reranked one, because reranking only adds to the base.
func (s *search) beyond(n int) []candidate {
	ranked := make(map[string]bool, len(s.best))
	for i := range s.best {
		ranked[s.best[i].id] = true
	}
	found := s.top(n, func(c *candidate) bool { return !ranked[c.id] && s.follows(c) })
	slices.SortFunc(found, s.byBase)
	return s.candidates(nil, found)
}

// fill makes a hit from a candidate.
func (s *search) fill(h *Hit, c *candidate) error {
	src := &s.sources[c.source]
	info := src.Doc(c.doc)
	h.ID, h.Title, h.Slug, h.UpdatedAt, h.Score = info.ID, info.Title, info.Slug, updatedAt(info), c.score
	if s.query.Explain {
		parts := c.parts
		h.Explanation = &parts
	}
	src.Layout(c.doc, &s.layout)
	text := &s.text
	text.Open(src.Segment, c.doc)
	var err error
	if c.section >= 0 && c.section < len(s.layout.Sections) {
		if h.Anchor, h.Heading, err = text.Names(&s.layout.Sections[c.section]); err != nil {
			return err
		}
	}
	passage := s.shown(c)
	if passage == nil {
		return nil
	}
	raw, err := text.Passage(passage)
	h.Excerpt = s.excerpter.excerpt(raw)
	return err
}

// shown returns the passage to show for a candidate: the best of its best
// section, or else the first one of the document.
func (s *search) shown(c *candidate) *segment.Passage {
	sections := s.layout.Sections
	if c.section >= 0 && c.section < len(sections) {
		if passages := sections[c.section].Passages; c.passage >= 0 && c.passage < len(passages) {
			return &passages[c.passage]
		}
	}
	for i := range sections {
		if len(sections[i].Passages) > 0 {
			return &sections[i].Passages[0]
		}
	}
	return nil
}

// shownShare is the minimum share of the heaviest unit for marking a unit's
// terms: if a name is known as a whole, its parts are not marked.
const shownShare = .05

// matched returns all terms that stand for words of the query, with their weight for
// excerpts. Stop words are among them only if the query has nothing else.
func (s *search) matched() map[string]float64 {
	terms := make(map[string]float64)
	most := 0.0
	for i := range s.units {
		most = max(most, s.units[i].idf*s.units[i].weight)
	}
	for i := range s.units {
		u := &s.units[i]
		if u.kind == otherUnit || u.stop && s.content {
			continue
		}
		if u.kind == wordUnit && u.idf*u.weight < shownShare*most {
			continue
		}
		for _, g := range u.groups {
			for _, t := range g.terms {
				terms[t.text] = max(terms[t.text], u.idf*u.weight*t.weight, .01)
			}
		}
	}
	return terms
}
