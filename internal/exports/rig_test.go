package exports_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// rig is a store with exports, and the test that uses them.
type rig struct {
	testing.TB
	*exports.Service
	Store *store.Store

	filesFolder string // of the blob store
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
			test(t, newRigIn(t, open(t), t.TempDir(), clock.now), clock)
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
	return newRigIn(t, open, t.TempDir(), time.Now)
}

// newRigIn keeps files below a folder, and goes by a clock.
func newRigIn(t testing.TB, open func(context.Context, store.Options) (*store.Store, error), folder string, now func() time.Time) *rig {
	t.Helper()
	st, err := open(t.Context(), store.Options{Now: now, IDs: octavo.NewIDSource(now, rand.Reader), Derive: pages.Deriver("")})
	must(t, err)
	folder = filepath.Join(folder, "files")
	blobs, err := blob.OpenFolder(folder)
	must(t, err)
	t.Cleanup(func() {
		findings, err := storecheck.Check(context.Background(), st.DB)
		if err != nil || len(findings) > 0 {
			t.Errorf("the store is not sound: %v %v", findings, err)
		}
		must(t, st.Close())
		must(t, blobs.Close())
	})
	return &rig{t, exports.New(exports.Options{
		DB: st.DB, Exports: st.Exports, Pages: st.Selection, Assets: st.Assets, Blobs: blobs, Now: now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), PublicURL: "http://docs.example",
		Formats: format.All(now, ""), Key: make([]byte, 32), AssetURL: func(a octavo.Asset) string { return "http://docs.example/files/" + a.Key },
	}), st, folder}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ann is who asks.
var ann = exports.Caller{Principal: octavo.Principal{Actor: octavo.Actor{ID: "usr_ann", Name: "Ann"}, Scopes: octavo.ScopeRead}, Version: "v1"}

func (r *rig) page(n pagestore.NewPage) (p octavo.Page) {
	r.Helper()
	must(r, r.Store.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		p, err = r.Store.Pages.Create(tx, n)
		return err
	}))
	return p
}

// asset makes an asset of bytes.
func (r *rig) asset(name, content string) octavo.Asset {
	r.Helper()
	s := assets.New(assets.Options{DB: r.Store.DB, Assets: r.Store.Assets, Blobs: r.Blobs, Random: rand.Reader, Now: time.Now, Log: r.Options.Log})
	up, err := s.Receive(r.Context(), bytes.NewReader([]byte(content)), name, "")
	must(r, err)
	a, err := s.Create(r.Context(), sqldb.Cause{}, up, assets.Description{}, nil)
	must(r, err)
	return a
}

// published describes a published page.
func published(slug, content string) pagestore.NewPage {
	return pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Title " + slug, Slug: slug, Content: content, Status: octavo.Published}}
}

func (r *rig) create(who exports.Caller, in octavo.ExportRequest) octavo.Export {
	r.Helper()
	in.Format = octavo.ExportMarkdown
	if in.Selection.Mode == "" {
		in.Selection.Mode = octavo.SelectAll
	}
	in.Rendering.EmbedAssets = true
	e, err := r.Create(r.Context(), sqldb.Cause{Actor: who.Actor}, who, in, nil)
	must(r, err)
	return e
}

// book makes files at once, without a job.
func (r *rig) book() *book.Maker {
	return &book.Maker{Pages: r.Store.Selection, Assets: r.Store.Assets, Blobs: r.Blobs, Formats: r.Formats, PublicURL: r.PublicURL, AssetURL: r.AssetURL}
}

// run works on exports until the test ends; stop ends it earlier.
func (r *rig) run(s *exports.Service) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	stop = func() { cancel(); <-done }
	r.Cleanup(stop)
	return stop
}

// await waits until an export has ended.
func (r *rig) await(id octavo.ID) octavo.Export {
	r.Helper()
	var e octavo.Export
	r.until(func() bool {
		var err error
		e, err = r.Get(context.Background(), ann, id)
		must(r, err)
		return e.Status.Ended()
	})
	return e
}

// until waits for a condition, which tests are given 30 seconds for.
func (r *rig) until(condition func() bool) {
	r.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-ctx.Done():
			r.Fatal("it does not come to that")
		case <-tick.C:
		}
	}
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
	report, err := r.book().Render(r.Context(), in, &out, func(int, int) {})
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
