package app

import (
	"runtime"
	"time"

	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
)

// SearchFolder is the folder in the data folder that keeps the search index.
const SearchFolder = "search"

// Search makes the search of a process, which finds nothing until it is run.
// Its index is kept in the folder, or nowhere when that is ""; counts may be
// nil.
func Search(e Env, st *store.Store, folder string, counts *metrics.Metrics) *live.Service {
	o := live.Options{
		Store: st, Format: pages.FormatOf, Now: e.Now, Log: e.Log, Folder: folder,
		Index: search.Config{Builders: runtime.GOMAXPROCS(0)},
	}
	if counts == nil {
		return live.New(o)
	}
	o.Observe = func(took time.Duration, found int, err error) { counts.Search(took, found, err != nil) }
	s := live.New(o)
	gauge := func(name, help string, of func(live.Stats) int) {
		counts.Gauge(name, help, func() float64 { return float64(of(s.Stats())) })
	}
	gauge("octavo_search_pages", "Pages in the search index.", func(n live.Stats) int { return n.Published + n.Other })
	gauge("octavo_search_segments", "Segments that the search index consists of.", func(n live.Stats) int { return n.Segments })
	gauge("octavo_search_bytes", "Bytes of memory that the search index takes, about.", func(n live.Stats) int { return n.Bytes })
	gauge("octavo_search_position", "Position of the change log up to which changes can be found.", func(n live.Stats) int { return int(n.Position) })
	return s
}
