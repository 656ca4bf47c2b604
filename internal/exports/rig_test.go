package exports_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// rig is a store with exports, and the test that uses them.
type rig struct {
	testing.TB
	*exports.Service
	Store *store.Store

	maker       *book.Maker // makes files at once, without a job
	filesFolder string      // of the blob store
}

// rigs runs a test on both databases.
func rigs(t *testing.T, test func(t *testing.T, r *rig)) {
	rigsAt(t, func(t *testing.T, r *rig, _ *exporttest.Clock) { test(t, r) })
}

// rigsAt runs a test on both databases, each with a clock of its own.
func rigsAt(t *testing.T, test func(t *testing.T, r *rig, clock *exporttest.Clock)) {
	exporttest.OnBoth(t, func(t *testing.T, database string) {
		clock := exporttest.NewClock(time.Now)
		test(t, newRigIn(t, database, t.TempDir(), clock.Now), clock)
	})
}

func newRig(t testing.TB) *rig {
	t.Helper()
	return newRigIn(t, exporttest.SQLite(t), t.TempDir(), time.Now)
}

// newRigIn keeps files below a folder, and goes by a clock.
func newRigIn(t testing.TB, database, folder string, now func() time.Time) *rig {
	t.Helper()
	folder = filepath.Join(folder, "files")
	st, m := exporttest.Open(t, database, folder, now)
	return &rig{t, exports.New(exports.Options{
		DB: st.DB, Exports: st.Exports, Pages: m.Pages, Assets: m.Assets, Blobs: m.Blobs, Now: now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
		PublicURL: m.PublicURL, Formats: m.Formats, Key: make([]byte, 32), AssetURL: m.AssetURL,
	}), st, m, folder}
}

// ann is the caller.
var ann = exports.Caller{Principal: octavo.Principal{Actor: octavo.Actor{ID: "usr_ann", Name: "Ann"}, Scopes: octavo.ScopeRead}, Version: "v1"}

func (r *rig) page(n pagestore.NewPage) octavo.Page {
	r.Helper()
	return exporttest.Create(r, r.Store, n)
}

// asset makes an asset of bytes.
func (r *rig) asset(name, content string) octavo.Asset {
	r.Helper()
	s := assets.New(assets.Options{DB: r.Store.DB, Assets: r.Store.Assets, Blobs: r.Blobs, Random: rand.Reader, Now: time.Now, Log: r.Options.Log})
	up, err := s.Receive(r.Context(), bytes.NewReader([]byte(content)), name, "")
	exporttest.Must(r, err)
	a, err := s.Create(r.Context(), sqldb.Cause{}, up, assets.Description{}, nil)
	exporttest.Must(r, err)
	return a
}

func (r *rig) create(who exports.Caller, in octavo.ExportRequest) octavo.Export {
	r.Helper()
	in.Format = octavo.ExportMarkdown
	if in.Selection.Mode == "" {
		in.Selection.Mode = octavo.SelectAll
	}
	in.Rendering.EmbedAssets = true
	e, err := r.Create(r.Context(), sqldb.Cause{Actor: who.Actor}, who, in, nil)
	exporttest.Must(r, err)
	return e
}

// run works on exports until the test ends; stop ends it earlier.
func (r *rig) run(s *exports.Service) (stop func()) { return exporttest.Start(r, s.Run) }

// await waits until an export has ended.
func (r *rig) await(id octavo.ID) octavo.Export {
	r.Helper()
	var e octavo.Export
	exporttest.Until(r, func() bool {
		var err error
		e, err = r.Get(context.Background(), ann, id)
		exporttest.Must(r, err)
		return e.Status.Ended()
	})
	return e
}
