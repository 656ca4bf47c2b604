// Package search finds pages by their text. An [Index] holds them in segments in
// memory, and applies changes in batches while it serves queries. It can be written to
// a file and read back, so that a start need not read every page.
//
//	index := search.New(search.Config{})
//	err := index.Apply(ctx, position, []search.Change{{ID: id, Document: &document}})
//	answer, err := index.Search(ctx, search.Query{Text: "no-cache", Limit: 20})
//
// Published pages and others are in separate segments. A query for published
// pages sees nothing of the others: neither in its hits, nor in corrections
// and completions, nor in any score.
//
// The package reads no store and follows no log. The caller applies changes
// in the order of the log, and rebuilds the index if a snapshot cannot be
// read. Package live does both. Start with [Index].
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

// Input and output types, from the packages that define them.
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

// MaxLimit is the maximum of hits in one result.
const MaxLimit = query.MaxLimit

// Query is a search request.
type Query struct {
	Text          string
	Tags          []string  // all must be on the page
	Languages     []string  // the page is in one of them, or a variant; "" means without a language
	UpdatedAfter  time.Time // exclusive; zero does not filter
	PublishedOnly bool
	Bound         []string // as Tags, but other pages and their texts do not exist for this query
	Limit         int      // 1 to MaxLimit
	After         *Place   // continue after this hit of the same query
	Explain       bool
}

// Config configures an index. The zero value is suitable.
type Config struct {
	Ranking    *Ranking      // nil for DefaultRanking
	Builders   int           // goroutines that analyse pages; 0 means 1
	Concurrent int           // concurrent queries; 0 means 16
	Waiting    int           // waiting queries; 0 means 256
	Timeout    time.Duration // of a query, including its wait; 0 means 2 s
}

// ErrBusy is returned if there are too many queries.
var ErrBusy = errors.New("too many searches at once")

// Index finds documents. It is safe for concurrent use.
type Index struct {
	engine  *query.Engine
	config  Config
	view    atomic.Pointer[view]
	turns   chan struct{} // one for each running query
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

// Search runs a query on the present index. It fails with ErrBusy if too
// many queries wait, and with the error of the context if the time for a
// query has passed; in both cases the caller may retry later.
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

// Position returns the position of the log up to which the index has all changes.
func (i *Index) Position() int64 { return i.view.Load().position }

// Reached waits until the index has all changes up to a position.
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

// Stats are the sizes of the index.
type Stats struct {
	Published, Other int // documents
	Segments         int
	Dead             int // dead documents that still take memory
	Bytes            int // approximate
}

// Stats returns the sizes of the index.
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

// Entry is a document of the index, for comparison with the store.
type Entry struct {
	ID        string
	UpdatedAt time.Time
	Published bool
}

// Entries calls visit for each document, unordered, until it returns false.
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
