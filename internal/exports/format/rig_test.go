package format_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/testenv"
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
	rigsAt(t, func(t *testing.T, r *rig, _ *movable) { test(t, r) })
}

// rigsAt runs a test on both databases, each with a clock of its own.
func rigsAt(t *testing.T, test func(t *testing.T, r *rig, clock *movable)) {
	for name, open := range map[string]func(testing.TB) func(context.Context, store.Options) (*store.Store, error){
		"sqlite": openSQLite,
		"postgres": func(t testing.TB) func(context.Context, store.Options) (*store.Store, error) {
			return openAt(testenv.Postgres(t))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := &movable{}
			test(t, newRigAt(t, open(t), clock.now), clock)
		})
	}
}

// movable is the clock of the machine, set forward.
type movable struct{ ahead atomic.Int64 }

func (m *movable) now() time.Time          { return time.Now().Add(time.Duration(m.ahead.Load())) }
func (m *movable) forward(d time.Duration) { m.ahead.Add(int64(d)) }

func openSQLite(t testing.TB) func(context.Context, store.Options) (*store.Store, error) {
	return openAt(filepath.Join(t.TempDir(), "octavo.db"))
}

// openAt returns what opens the database at a path, or at the URL of a
// PostgreSQL.
func openAt(place string) func(context.Context, store.Options) (*store.Store, error) {
	return func(ctx context.Context, o store.Options) (*store.Store, error) {
		if strings.HasPrefix(place, "postgres") {
			return store.OpenPostgres(ctx, place, o)
		}
		return store.OpenSQLite(ctx, place, o)
	}
}

func newRig(t testing.TB, open func(context.Context, store.Options) (*store.Store, error)) *rig {
	t.Helper()
	return newRigAt(t, open, time.Now)
}

// newRigAt goes by a clock.
func newRigAt(t testing.TB, open func(context.Context, store.Options) (*store.Store, error), now func() time.Time) *rig {
	t.Helper()
	st, err := open(t.Context(), store.Options{Now: now, IDs: octavo.NewIDSource(now, rand.Reader), Derive: pages.Deriver("")})
	must(t, err)
	blobs, err := blob.OpenFolder(filepath.Join(t.TempDir(), "files"))
	must(t, err)
	t.Cleanup(func() {
		findings, err := storecheck.Check(context.Background(), st.DB)
		if err != nil || len(findings) > 0 {
			t.Errorf("the store is not sound: %v %v", findings, err)
		}
		must(t, st.Close())
		must(t, blobs.Close())
	})
	return &rig{t, &book.Maker{
		Pages: st.Selection, Assets: st.Assets, Blobs: blobs, PublicURL: "http://docs.example", AssetURL: func(a octavo.Asset) string { return "http://docs.example/files/" + a.Key },
		Formats: format.All(time.Now, ""),
	}, st, pages.New(st.DB, st.Pages, st.Assets, 0)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) page(n pagestore.NewPage) (p octavo.Page) {
	r.Helper()
	must(r, r.Store.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		p, err = r.Store.Pages.Create(tx, n)
		return err
	}))
	return p
}

// published describes a published page.
func published(slug, content string) pagestore.NewPage {
	return pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Title " + slug, Slug: slug, Content: content, Status: octavo.Published}}
}

// files renders at once and returns the files of the archive, by name.
func (r *rig) files(in octavo.ExportRequest) (files map[string]string, archive []byte, report octavo.ExportReport) {
	r.Helper()
	in.Format = cmp.Or(in.Format, octavo.ExportMarkdown)
	if in.Selection.Mode == "" {
		in.Selection.Mode = octavo.SelectAll
	}
	in.Rendering.EmbedAssets = true
	var out bytes.Buffer
	report, err := r.Render(r.Context(), in, &out, func(int, int) {})
	must(r, err)
	if in.Format != octavo.ExportPDF {
		files = unzip(r, out.Bytes())
	}
	return files, out.Bytes(), report
}

func unzip(t testing.TB, archive []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	must(t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, err)
		must(t, r.Close())
		if _, twice := files[f.Name]; twice {
			t.Errorf("%s is in the archive twice", f.Name)
		}
		files[f.Name] = string(text)
	}
	return files
}

// run returns what a program says of its input.
func run(t *testing.T, input []byte, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return string(out)
}
