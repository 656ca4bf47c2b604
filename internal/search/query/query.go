// Package query finds the documents that match a query best, and the best
// passage in them. It parses the query and looks up its words with their
// other forms, completions and corrections. It scores documents field by
// field (BM25F) and reranks the best by how near the words are and how well
// they fit titles and headings. Then it makes excerpts.
//
// It reads segments and changes nothing. The caller decides which segments a reader may
// see; all knowledge about words comes from these. Start with [Engine.Search].
package query

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/octavo-docs/octavo/internal/search/analysis"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Query is a search request.
type Query struct {
	Text         string
	Tags         []string  // all of them must be on the page
	Languages    []string  // the page is in one of them, or a variant; "" means without a language
	UpdatedAfter time.Time // exclusive; zero does not filter
	Bound        []string  // tags without which a page and its texts do not exist for the query
	Limit        int       // maximum number of hits; at most MaxLimit
	After        *Cursor   // continue after this hit of the same query
	Explain      bool
}

// Limits of a query. The excess is ignored.
const (
	MaxLimit = 100
	MaxText  = 4096 // bytes that are read
	MaxWords = 32   // words that count, the first ones
	maxUnits = 64   // words, parts and joined forms

	MaxPhrases = 32 // different quoted texts
)

// Cursor is the position of a hit in the order of results.
type Cursor struct {
	Score float64
	ID    string
}

// Hit is a document found.
type Hit struct {
	ID, Title, Slug string
	UpdatedAt       time.Time
	Score           float64 // in 0..1
	Anchor          string  // of the best section, or empty
	Heading         string  // of that section
	Excerpt         string  // HTML: escaped text with <mark> around matches
	Explanation     *HitExplanation
}

// Cursor returns the position of the hit, for continuing after it.
func (h *Hit) Cursor() *Cursor { return &Cursor{Score: h.Score, ID: h.ID} }

// Answer is the result, best first.
type Answer struct {
	Hits        []Hit
	Total       int  // matching documents
	More        bool // there are further hits
	Explanation *Explanation
}

// Source is a segment to search.
type Source struct {
	segment.Source
	Live    int                    // living documents
	Lengths [segment.Fields]uint64 // sums over the living documents
}

// Engine runs queries. It is safe for concurrent use.
type Engine struct {
	params Params
	total  float64 // sum of the weights of the fields that every page has
	pool   sync.Pool
}

// NewEngine returns an engine with some parameters.
func NewEngine(params Params) *Engine {
	e := &Engine{params: params}
	for _, f := range []segment.Field{segment.Title, segment.Heading, segment.Body, segment.Slug} {
		e.total += params.Fields[f].Weight
	}
	e.pool.New = func() any { return &search{counts: make(map[sourceTerm]int)} }
	return e
}

// Search runs a query on some sources. It fails only if the context ends
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

// search is the state of one query. It is reused for its memory.
type search struct {
	ctx     context.Context //nolint:containedctx // lives as long as one call
	engine  *Engine
	params  *Params
	sources []Source
	bound   []Source           // memory for partially visible sources
	counts  map[sourceTerm]int // see standing
	own     bool               // only pages' own texts count, not texts of others
	query   Query

	docs        int // living documents
	average     [segment.Fields]float32
	parsed      parsed
	units       []unit
	said        []string // inflected forms of the words of the query
	maxIDF      float64
	ideal       float64 // the base of a perfect document
	work        int     // postings that may be read before the context is checked
	err         error
	scratch     []scratch // by source
	order       []int     // of the units, rarest first
	touched     int       // documents with a score
	best        []candidate
	after       *Cursor // where to continue, see resume
	ranked      []ranked
	highest     []float32    // see nth
	found       []occurrence // of all candidates, by unit
	promising   []int        // candidates, most promising first
	bar         []float64    // the highest scores of candidates
	layout      segment.Layout
	places      [][]uint32   // by unit
	occurrences []occurrence // the same, by candidate
	context     uint64       // units in other names of the document than its title
	sectional   []sectionMatch
	text        segment.Text
	excerpter   excerpter

	words                       int     // that are no stop words
	pairs, content, contentOnly bool    // see countWords
	sentence                    bool    // the query is a sentence
	long                        float64 // how long a sentence it is, 0 to 1
	asked                       uint64  // see candidate
	headed                      uint64  // units that may stand in headings of the document
	askedNews                   bool    // see asksForNews
	name                        string  // the query, if it is a name with capitals within, as in programs
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

// release drops references to the caller's data.
func (s *search) release() {
	s.ctx, s.engine, s.params, s.sources, s.after, s.query = nil, nil, nil, nil, nil, Query{}
	clear(s.units)
	clear(s.said)
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
	s.name, s.said = "", s.said[:0]
	for i := range s.parsed.slots {
		s.said = append(s.said, analysis.Inflection(s.parsed.slots[i].text))
	}
	if last := strings.LastIndexFunc(s.query.Text, unicode.IsUpper); last > 0 && len(s.parsed.slots) > 0 && s.alone(s.parsed.slots[0].pos) {
		s.name = strings.TrimSpace(s.query.Text)
	}
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

// tick counts work, and checks from time to time whether the context has ended.
func (s *search) tick(work int) error {
	if s.work -= work; s.work <= 0 && s.err == nil {
		s.work = 20_000
		s.err = s.ctx.Err()
	}
	return s.err
}
