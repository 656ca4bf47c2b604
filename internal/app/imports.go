package app

import (
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
)

// Imports opens the imports of a store. maxFile limits the size of a file in bytes; counts
// may be nil.
func Imports(e Env, st *store.Store, blobs blob.Store, files *assets.Service, maxFile int64, counts *metrics.Metrics) *imports.Service {
	read := pages.New(st.DB, st.Pages, st.Assets, 0)
	o := imports.Options{
		Store: st, Pages: read, Assets: files, Proposals: Proposals(st, read), Blobs: blobs, Now: e.Now, Random: e.Random, Log: e.Log,
		Alone: !st.DB.Shared(), MaxFile: maxFile, // the data folder is locked
	}
	if counts != nil {
		o.Answered = counts.Answered
		o.Observe = func(status octavo.ImportStatus, took time.Duration) { counts.Import(string(status), took) }
	}
	return imports.New(o)
}
