// Package search finds pages by what they say. An [Index] holds them in
// segments in memory, takes changes in batches while it answers, and can be
// written to a file and read back, so that a start need not read every page.
//
//	index := search.New(search.Config{})
//	err := index.Apply(ctx, position, []search.Change{{ID: id, Document: &document}})
//	answer, err := index.Search(ctx, search.Query{Text: "no-cache", Limit: 20})
//
// Pages that are published and others lie in segments of their own. A query for
// published pages alone sees nothing of the others: neither in what it finds,
// nor in how it corrects and completes words, nor in any score.
//
// The package reads no store and follows no log. Who calls Apply must do so in
// the order of the log, and must rebuild the index when a snapshot cannot be
// read. Who may see what, and how a query travels, is decided above.
package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo/internal/search/query"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// What goes in and comes out, from the packages that make and read it.
type (
	Document = segment.Document
	Section  = segment.Section
	Origin   = segment.Origin
	Answer   = query.Answer
	Hit      = query.Hit
	Place    = query.Cursor

	Explanation    = query.Explanation
	HitExplanation = query.HitExplanation
)

// MaxLimit is the most hits that one answer holds.
const MaxLimit = query.MaxLimit

// Query is what somebody wants to find.
type Query struct {
	Text          string
	Tags          []string  // all must be on the page
	Languages     []string  // the page is in one of them, or a kind of it; "" means that it says none
	UpdatedAfter  time.Time // exclusive; the zero time asks for nothing
	PublishedOnly bool
	Bound         []string // as Tags, and to this query there is no other page, nor anything that one says
	Limit         int      // 1 to MaxLimit
	After         *Place   // go on after this hit of the same query
	Explain       bool
}

// Config is how an index works. The zero value is a good one.
type Config struct {
	Ranking    *Ranking      // nil for DefaultRanking
	Builders   int           // goroutines that analyse pages; 1 if it is 0
	Concurrent int           // queries that are answered at once; 16 if it is 0
	Waiting    int           // queries that may wait for their turn; 256 if it is 0
	Timeout    time.Duration // of a query, its wait included; 2 s if it is 0
}

// ErrBusy tells that more queries came than can be answered.
var ErrBusy = errors.New("too many searches at once")

// Index finds documents. It is safe for use by many goroutines.
type Index struct {
	engine  *query.Engine
	config  Config
	view    atomic.Pointer[view]
	turns   chan struct{} // one for each query being answered
	waiting atomic.Int64

	writing  sync.Mutex // held while the view is replaced
	applying sync.Mutex // held by Apply, so that batches keep their order
	merging  sync.Mutex // held while segments are merged
	saving   sync.Mutex // held while a snapshot is written
	grown    chan struct{}
	builders sync.Pool
}

// New returns an empty index at position 0 of the log.
func New(config Config) *Index {
	ranking := DefaultRanking()
	if config.Ranking != nil {
		ranking = *config.Ranking
	}
	config.Builders = orElse(config.Builders, 1)
	config.Concurrent = orElse(config.Concurrent, 16)
	config.Waiting = orElse(config.Waiting, 256)
	config.Timeout = orElse(config.Timeout, 2*time.Second)
	i := &Index{
		engine: query.NewEngine(ranking),
		config: config,
		turns:  make(chan struct{}, config.Concurrent),
		grown:  make(chan struct{}, 1),
	}
	i.builders.New = func() any { return new(segment.Builder) }
	i.view.Store(&view{replaced: make(chan struct{})})
	return i
}

func orElse[N int | time.Duration](n, otherwise N) N {
	if n == 0 {
		return otherwise
	}
	return n
}

// Search answers a query from the index as it is at this moment. It fails with
// ErrBusy when too many queries wait, and with the error of the context when
// the time for a query has passed; both mean that the caller may try later.
func (i *Index) Search(ctx context.Context, q Query) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, i.config.Timeout)
	defer cancel()
	if err := i.enter(ctx); err != nil {
		return Answer{}, err
	}
	defer func() { <-i.turns }()
	return i.engine.Search(ctx, i.view.Load().sources(q.PublishedOnly), query.Query{
		Text: q.Text, Tags: q.Tags, Languages: q.Languages, UpdatedAfter: q.UpdatedAfter, Bound: q.Bound, Limit: q.Limit, After: q.After, Explain: q.Explain,
	})
}

// enter waits for the turn of a query.
func (i *Index) enter(ctx context.Context) error {
	select {
	case i.turns <- struct{}{}:
		return nil
	default:
	}
	defer i.waiting.Add(-1)
	if i.waiting.Add(1) > int64(i.config.Waiting) {
		return ErrBusy
	}
	select {
	case i.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ErrBusy
	}
}

// Position returns the position of the log up to which changes are in the
// index.
func (i *Index) Position() int64 { return i.view.Load().position }

// Reached waits until the index holds all changes up to a position.
func (i *Index) Reached(ctx context.Context, position int64) error {
	for {
		v := i.view.Load()
		if v.position >= position {
			return nil
		}
		select {
		case <-v.replaced:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stats says how large the index is.
type Stats struct {
	Published, Other int // documents
	Segments         int
	Dead             int // documents that are gone and still take memory
	Bytes            int // about
}

// Stats returns how large the index is.
func (i *Index) Stats() Stats {
	var stats Stats
	v := i.view.Load()
	for _, p := range v.parts {
		if p.published {
			stats.Published += p.Live
		} else {
			stats.Other += p.Live
		}
		stats.Segments++
		stats.Dead += p.Docs() - p.Live
		stats.Bytes += p.Size() + 8*len(p.Dead)
	}
	return stats
}

// Entry is a document of the index, as a comparison with the store needs it.
type Entry struct {
	ID        string
	UpdatedAt time.Time
	Published bool
}

// Entries calls visit for each document, in no particular order, until it
// returns false.
func (i *Index) Entries(visit func(Entry) bool) {
	for _, p := range i.view.Load().parts {
		for doc := range uint32(p.Docs()) {
			if p.Dead.Has(doc) {
				continue
			}
			info := p.Doc(doc)
			if !visit(Entry{ID: info.ID, UpdatedAt: time.UnixMilli(info.Updated).UTC(), Published: p.published}) {
				return
			}
		}
	}
}
