package imports_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Whatever a test starts ends with it, but for the clock of lexers.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// ann is the caller, bob another person.
var (
	ann = octavo.Principal{Actor: octavo.Actor{ID: "ann", Name: "Ann"}, Scopes: octavo.ScopeWrite}
	bob = octavo.Principal{Actor: octavo.Actor{ID: "bob", Name: "Bob"}, Scopes: octavo.ScopeWrite}
)

// rig is a store with imports, and the test that uses them.
type rig struct {
	testing.TB
	*imports.Service
}

// rigs runs a test on both databases.
func rigs(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Parallel()
	exporttest.OnBoth(t, func(t *testing.T, database string) { test(t, newRig(t, database, t.TempDir())) })
}

func newRig(t testing.TB, database, folder string) *rig {
	t.Helper()
	st, m := exporttest.Open(t, database, filepath.Join(folder, "files"), time.Now)
	log := slog.New(slog.DiscardHandler)
	read := pages.New(st.DB, st.Pages, st.Assets, 0)
	files := assets.New(assets.Options{DB: st.DB, Assets: st.Assets, Blobs: m.Blobs, Random: rand.Reader, Now: time.Now, Log: log})
	return &rig{t, imports.New(imports.Options{
		Store: st, Pages: read, Assets: files, Proposals: proposals.New(st.DB, st.Proposals, st.Pages, st.Assets.Pending),
		Blobs: m.Blobs, Now: time.Now, Random: rand.Reader, Log: log,
	})}
}

// zipOf makes a zip of paths and texts.
func zipOf(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.Create(pairs[i])
		exporttest.Must(t, err)
		_, err = f.Write([]byte(pairs[i+1]))
		exporttest.Must(t, err)
	}
	exporttest.Must(t, w.Close())
	return b.Bytes()
}

// many makes a zip of so many pages.
func many(t testing.TB, n int) []byte {
	t.Helper()
	var pairs []string
	for i := range n {
		pairs = append(pairs, fmt.Sprintf("p%05d.md", i), fmt.Sprintf("# Page %d\n\nText of page %d.\n", i, i))
	}
	return zipOf(t, pairs...)
}

// send accepts an import, whose options are the default but for what change does.
func (r *rig) send(who octavo.Principal, name string, file []byte, change func(*octavo.ImportOptions)) octavo.Import {
	r.Helper()
	o := octavo.DefaultImportOptions()
	if change != nil {
		change(&o)
	}
	up, err := r.Assets.Receive(r.Context(), bytes.NewReader(file), name, "application/zip")
	exporttest.Must(r, err)
	v, err := r.Create(r.Context(), sqldb.Cause{Actor: who.Actor, TraceID: "trace"}, who, up, o, nil)
	exporttest.Must(r, err)
	return v
}

// run works on imports until the test ends; stop ends it earlier.
func (r *rig) run(s *imports.Service) (stop func()) { return exporttest.Start(r, s.Run) }

// await waits until an import has ended.
func (r *rig) await(id octavo.ID) (v octavo.Import) {
	r.Helper()
	exporttest.Until(r, func() bool {
		x, err := r.Store.Imports.Get(context.Background(), id)
		exporttest.Must(r, err)
		return x.Status.Ended()
	})
	v, err := r.Get(r.Context(), octavo.Principal{Scopes: octavo.ScopeAdmin}, id)
	exporttest.Must(r, err)
	return v
}

// pages returns the pages that there are by slug.
func (r *rig) pages() map[string]octavo.Page {
	r.Helper()
	all := map[string]octavo.Page{}
	for page, err := range imports.NewTarget(r.Store, r.Pages, r.Assets).Pages(r.Context()) {
		exporttest.Must(r, err)
		all[page.Slug] = page
	}
	return all
}

// files returns how many files the blob store has. That of an import that has ended is
// removed a moment later.
func (r *rig) files(want int) (n int) {
	r.Helper()
	exporttest.Until(r, func() bool {
		n = 0
		for _, err := range r.Blobs.All(context.Background()) {
			exporttest.Must(r, err)
			n++
		}
		return n == want
	})
	return n
}

// lines returns what became of files by path: action, and the first note.
func (r *rig) lines(id octavo.ID) (lines []string) {
	r.Helper()
	for from, more := 0, true; more; {
		list, next, err := r.Lines(r.Context(), octavo.Principal{Scopes: octavo.ScopeAdmin}, id, from, 1000)
		exporttest.Must(r, err)
		for _, l := range list {
			lines, from = append(lines, string(l.Content)), l.Number+1
		}
		more = next
	}
	return lines
}

func proposalAsker() proposals.Asker {
	return proposals.Asker{Actor: bob.Actor, Propose: true, Write: true, Origin: octavo.OriginAPI}
}
