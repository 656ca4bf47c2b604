package format_test

import (
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// rig makes books of a store, for a test.
type rig struct {
	testing.TB
	*book.Maker
	Store *store.Store
	pages *pages.Service
}

// rigs runs a test on both databases.
func rigs(t *testing.T, test func(t *testing.T, r *rig)) {
	rigsAt(t, func(t *testing.T, r *rig, _ *exporttest.Clock) { test(t, r) })
}

// rigsAt runs a test on both databases, each with a clock of its own.
func rigsAt(t *testing.T, test func(t *testing.T, r *rig, clock *exporttest.Clock)) {
	exporttest.OnBoth(t, func(t *testing.T, database string) {
		clock := exporttest.NewClock(time.Now)
		test(t, newRigAt(t, database, clock.Now), clock)
	})
}

func newRig(t testing.TB) *rig {
	t.Helper()
	return newRigAt(t, exporttest.SQLite(t), time.Now)
}

// newRigAt goes by a clock.
func newRigAt(t testing.TB, database string, now func() time.Time) *rig {
	t.Helper()
	st, m := exporttest.Open(t, database, t.TempDir(), now)
	return &rig{t, m, st, pages.New(st.DB, st.Pages, st.Assets, 0)}
}

func (r *rig) page(n pagestore.NewPage) octavo.Page {
	r.Helper()
	return exporttest.Create(r, r.Store, n)
}

// files renders at once and returns the files of the archive, by name.
func (r *rig) files(in octavo.ExportRequest) (files map[string]string, archive []byte, report octavo.ExportReport) {
	r.Helper()
	return exporttest.Render(r, r.Maker, in)
}
