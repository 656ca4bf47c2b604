// Package exporttest has helpers for tests of exports: a store on either database with
// files in a folder, pages, and rendered files. Production code does not import it.
package exporttest

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
	"sync"
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

// Clock is another clock that can be set forward.
type Clock struct {
	of    func() time.Time
	ahead atomic.Int64
}

// NewClock returns a clock with the time of now, until it is set forward.
func NewClock(now func() time.Time) *Clock { return &Clock{of: now} }

// Now is the time of the clock.
func (c *Clock) Now() time.Time { return c.of().Add(time.Duration(c.ahead.Load())) }

// Forward sets the clock forward.
func (c *Clock) Forward(d time.Duration) { c.ahead.Add(int64(d)) }

// OnBoth runs a test on both databases, passing the path or URL.
func OnBoth(t *testing.T, test func(t *testing.T, database string)) {
	for name, database := range map[string]func(testing.TB) string{"sqlite": SQLite, "postgres": testenv.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, database(t))
		})
	}
}

// SQLite is the path of a database that is created when it is opened.
func SQLite(t testing.TB) string { return filepath.Join(t.TempDir(), "octavo.db") }

// Open opens the database at a path, or at a PostgreSQL URL, until the test
// ends. The folder is for the files of assets.
func Open(t testing.TB, database, folder string, now func() time.Time) (*store.Store, *book.Maker) {
	t.Helper()
	open := store.OpenSQLite
	if strings.HasPrefix(database, "postgres") {
		open = store.OpenPostgres
	}
	st, err := open(t.Context(), database, store.Options{Now: now, IDs: octavo.NewIDSource(now, rand.Reader), Derive: pages.Deriver("")})
	Must(t, err)
	blobs, err := blob.OpenFolder(folder)
	Must(t, err)
	t.Cleanup(func() {
		findings, err := storecheck.Check(context.Background(), st.DB)
		if err != nil || len(findings) > 0 {
			t.Errorf("the store is not sound: %v %v", findings, err)
		}
		Must(t, st.Close())
		Must(t, blobs.Close())
	})
	return st, &book.Maker{
		Pages: st.Selection, Assets: st.Assets, Blobs: blobs, Formats: format.All(now, "", ""),
		PublicURL: "http://docs.example", AssetURL: func(a octavo.Asset) string { return "http://docs.example/files/" + a.Key },
	}
}

// Must ends the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Published describes a published page.
func Published(slug, content string) pagestore.NewPage {
	return pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Title " + slug, Slug: slug, Content: content, Status: octavo.Published}}
}

// Create creates a page.
func Create(t testing.TB, st *store.Store, n pagestore.NewPage) (p octavo.Page) {
	t.Helper()
	Must(t, st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		p, err = st.Pages.Create(tx, n)
		return err
	}))
	return p
}

// Render makes an archive at once, without a job, and returns its files by name.
func Render(t testing.TB, m *book.Maker, in octavo.ExportRequest) (files map[string]string, archive []byte, report octavo.ExportReport) {
	t.Helper()
	in.Format = cmp.Or(in.Format, octavo.ExportMarkdown)
	in.Selection.Mode = cmp.Or(in.Selection.Mode, octavo.SelectAll)
	in.Rendering.EmbedAssets = true
	var out bytes.Buffer
	report, err := m.Render(t.Context(), in, &out, func(int, int) {})
	Must(t, err)
	if in.Format != octavo.ExportPDF {
		files = Unzip(t, out.Bytes())
	}
	return files, out.Bytes(), report
}

// Unzip returns the files of an archive by name.
func Unzip(t testing.TB, archive []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	Must(t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		Must(t, err)
		text, err := io.ReadAll(r)
		Must(t, err)
		Must(t, r.Close())
		if _, twice := files[f.Name]; twice {
			t.Errorf("%s is in the archive twice", f.Name)
		}
		files[f.Name] = string(text)
	}
	return files
}

// Output returns what a program says of its input.
func Output(t testing.TB, input []byte, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return string(out)
}

// Start runs work until the test ends; stop ends it earlier.
func Start(t testing.TB, work func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { work(ctx) })
	stop = func() { cancel(); group.Wait() }
	t.Cleanup(stop)
	return stop
}

// Until waits for a condition, which tests are given a minute for.
func Until(t testing.TB, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for !condition() {
		select {
		case <-ctx.Done():
			t.Fatal("it does not come to that")
		case <-time.After(5 * time.Millisecond):
		}
	}
}
