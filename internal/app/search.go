package app

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
)

// SearchFolder is the folder in the data folder that keeps the search index.
const SearchFolder = "search"

// SearchOptions configure the search of a process. All are optional.
type SearchOptions struct {
	Folder  string             // for the saved index; "" saves none
	Weights map[string]float64 // by name of the field, replacing the default
	Metrics *metrics.Metrics
	// Snapshots is where processes of an installation share snapshots of the index, see
	// [live.SharedSnapshots]; may be nil.
	Snapshots blob.Store

	// OpenBlob opens files that pages embed; see pages.Service.
	OpenBlob func(ctx context.Context, key string) (io.ReadCloser, error)
}

// Search returns the search of a process. It finds nothing until it is run. ctx limits
// reading the metrics.
func Search(ctx context.Context, e Env, st *store.Store, o SearchOptions) (*live.Service, error) {
	ranking, err := search.RankingOf(o.Weights)
	if err != nil {
		return nil, fmt.Errorf("weigh the fields of pages: %w", err)
	}
	read := pages.New(st.DB, st.Pages, st.Assets, 0)
	read.OpenBlob = o.OpenBlob
	lo := live.Options{
		Store: st, Format: pages.FormatOf, Include: read.Include, Now: e.Now, Log: e.Log, Folder: o.Folder,
		Index: search.Config{Ranking: &ranking, Builders: runtime.GOMAXPROCS(0)},
	}
	if o.Snapshots != nil {
		lo.Snapshots = &live.SharedSnapshots{Blobs: o.Snapshots, Random: e.Random}
	}
	if o.Metrics == nil {
		return live.New(lo), nil
	}
	lo.Observe = func(took time.Duration, found int, err error) { o.Metrics.Search(took, found, err != nil) }
	s := live.New(lo)
	gauge := func(name, help string, of func(live.Stats) int) {
		o.Metrics.Gauge(name, help, func() float64 { return float64(of(s.Stats())) })
	}
	gauge("octavo_search_pages", "Pages in the search index.", func(n live.Stats) int { return n.Published + n.Other })
	gauge("octavo_search_segments", "Segments that the search index consists of.", func(n live.Stats) int { return n.Segments })
	gauge("octavo_search_bytes", "Approximate bytes of memory that the search index takes.", func(n live.Stats) int { return n.Bytes })
	gauge("octavo_search_position", "Position of the newest change in the search index.", func(n live.Stats) int { return int(n.Position) })
	gauge("octavo_search_snapshot_position", "Position of the change log of the newest shared snapshot of the search index that this process has seen.", func(n live.Stats) int { return int(n.Shared) })
	o.Metrics.Gauge("octavo_search_lag", "Changes that the search index is behind the change log.", func() float64 {
		ctx, cancel := context.WithTimeout(ctx, scrapeTimeout)
		defer cancel()
		lag, err := s.Lag(ctx)
		if err != nil {
			return math.NaN() // /readyz shows the reason
		}
		return float64(lag)
	})
	return s, nil
}
