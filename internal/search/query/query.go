// Package query finds the documents that answer a query best and says where in
// them the answer stands: it reads the query, looks up its words, their other
// forms, completions and corrections, scores documents field by field (BM25F),
// ranks the best again by how near the words stand and how well they fit titles
// and headings, and cuts the passage to show.
//
// It reads segments and changes nothing. Which segments a reader may see is
// decided by who calls it; all that it knows of words comes from these.
package query

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Query is what somebody wants to find.
type Query struct {
	Text         string
	Tags         []string  // all of them must be on the page
	Languages    []string  // the page is in one of them, or a kind of it; "" means that it says none
	UpdatedAfter time.Time // exclusive; the zero time asks for nothing
	Bound        []string  // tags without which no page is there for it, and nothing that such a page says
	Limit        int       // hits wanted; at most MaxLimit
	After        *Place    // go on after this hit of the same query
	Explain      bool
}

// Limits of a query. What goes beyond is left out.
const (
	MaxLimit = 100
	MaxText  = 4096 // bytes that are read
	MaxWords = 32   // words that count, the first ones
	maxUnits = 64   // words, parts and joined forms

	MaxPhrases = 32 // different texts in quotes that a page must have
)

// Place is the position of a hit in the order of an answer.
type Place struct {
	Score float64
	ID    string
}

// Hit is a document found.
type Hit struct {
	ID, Title, Slug string
	UpdatedAt       time.Time
	Score           float64 // in 0..1
	Anchor          string  // of the section that answers best, or empty
	Heading         string  // of that section
	Excerpt         string  // HTML: escaped text with <mark> around what matched
	Explanation     *HitExplanation
}

// Place returns where the hit stands, to go on after it.
func (h *Hit) Place() *Place { return &Place{Score: h.Score, ID: h.ID} }

// Answer is what was found, best first.
type Answer struct {
	Hits        []Hit
	Total       int  // documents that match
	More        bool // there are hits after the last one
	Explanation *Explanation
}

// Source is a segment that may be searched.
type Source struct {
	segment.Source
	Live    int                    // documents that are not dead
	Lengths [segment.Fields]uint64 // sums over the live documents
}

// Engine answers queries. It is safe for use by many goroutines.
type Engine struct {
	params Params
	total  float64 // of the weights of the fields that every page has
	pool   sync.Pool
}

// NewEngine returns an engine that ranks by some parameters.
func NewEngine(params Params) *Engine {
	e := &Engine{params: params}
	for _, f := range []segment.Field{segment.Title, segment.Heading, segment.Body, segment.Slug} {
		e.total += params.Fields[f].Weight
	}
	e.pool.New = func() any { return &search{counts: make(map[sourceTerm]int)} }
	return e
}

// Search answers a query from some sources. It fails only if the context ends
// first or a segment is damaged.
func (e *Engine) Search(ctx context.Context, sources []Source, q Query) (Answer, error) {
	s, _ := e.pool.Get().(*search)
	defer e.pool.Put(s)
	s.reset(ctx, e, sources, q)
	defer s.release()
	answer, err := s.run()
	if err != nil {
		return Answer{}, fmt.Errorf("searching: %w", err)
	}
	return answer, nil
}

// search is the state of one query. It is used again for others, for its
// memory.
type search struct {
	ctx     context.Context //nolint:containedctx // lives as long as one call
	engine  *Engine
	params  *Params
	sources []Source
	bound   []Source           // memory for sources of which a part is there
	counts  map[sourceTerm]int // see standing
	own     bool               // pages have only what they say themselves, not what others call them
	query   Query

	docs        int // live documents
	average     [segment.Fields]float32
	parsed      parsed
	units       []unit
	maxIDF      float64
	ideal       float64 // the base of a perfect document
	work        int     // postings that may be read before the context is asked
	err         error
	scratch     []scratch // by source
	order       []int     // of the units, the rarest first
	touched     int       // documents with a score
	best        []candidate
	after       *Place // from which to go on, see resume
	ranked      []ranked
	highest     []float32    // see nth
	found       []occurrence // of all candidates, in order of the units
	promising   []int        // candidates, the most promising first
	bar         []float64    // the highest scores of candidates
	layout      segment.Layout
	places      [][]uint32   // by unit
	occurrences []occurrence // the same, in order of the candidates
	context     uint64       // units in what names the document besides its title
	sectional   []sectionMatch
	text        segment.Text
	excerpter   excerpter

	words                       int    // that are no stop words
	pairs, content, contentOnly bool   // see countWords
	sentence                    bool   // the query is written as one
	asked                       uint64 // see candidate
	headed                      uint64 // units that may stand in headings of the document
	askedNews                   bool   // see asksForNews
}

func (s *search) reset(ctx context.Context, e *Engine, sources []Source, q Query) {
	s.ctx, s.engine, s.params, s.query = ctx, e, &e.params, q
	if s.own = len(q.Bound) > 0; s.own {
		s.bound = narrow(s.bound[:0], sources, q.Bound)
		sources = s.bound
	}
	s.sources = sources
	s.docs, s.work, s.touched, s.err = 0, 0, 0, nil
	s.units, s.best = s.units[:0], s.best[:0]
	var lengths [segment.Fields]uint64
	for _, source := range sources {
		s.docs += source.Live
		for f, n := range source.Lengths {
			lengths[f] += n
		}
	}
	for f, n := range lengths {
		s.average[f] = max(float32(n)/float32(max(s.docs, 1)), 1)
	}
	for len(s.scratch) < len(sources) {
		s.scratch = append(s.scratch, scratch{})
	}
	for i, source := range sources {
		s.scratch[i].reset(source.Docs())
	}
}

// release lets go of what belongs to the caller.
func (s *search) release() {
	s.ctx, s.engine, s.params, s.sources, s.after, s.query = nil, nil, nil, nil, nil, Query{}
	clear(s.units)
	clear(s.best)
	clear(s.found)
	clear(s.occurrences)
	clear(s.bound)
	clear(s.counts)
	s.parsed = parsed{}
	s.text.Close()
}

func (s *search) run() (Answer, error) {
	s.parsed = parse(s.query.Text)
	s.plan()
	if err := s.tick(0); err != nil {
		return Answer{}, err
	}
	var answer Answer
	if s.score() && s.err == nil {
		answer.Total = s.collect()
		s.rerank()
		if s.err == nil {
			s.answer(&answer)
		}
	}
	if s.query.Explain {
		answer.Explanation = s.explain()
	}
	return answer, s.err
}

// tick counts work, and now and then asks whether there is time left.
func (s *search) tick(work int) error {
	if s.work -= work; s.work <= 0 && s.err == nil {
		s.work = 20_000
		s.err = s.ctx.Err()
	}
	return s.err
}
