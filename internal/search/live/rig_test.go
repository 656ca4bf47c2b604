package live_test

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// patience bounds every wait of these tests.
const patience = 3 * time.Minute

// The two audiences.
var (
	everyone = octavo.Audience{}
	public   = octavo.Audience{PublishedOnly: true}
)

// rig is a store that is written to and searched.
type rig struct {
	testing.TB
	st *store.Store
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(r *rig)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(&rig{t, octavotest.Start(t, octavotest.Options{}).Store})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(&rig{t, octavotest.Start(t, octavotest.Options{PostgresURL: octavotest.Postgres(t)}).Store})
	})
}

// service returns a service that keeps its index in a folder, or nowhere.
func (r *rig) service(folder string, log io.Writer) *live.Service {
	if log == nil {
		log = io.Discard
	}
	return live.New(live.Options{
		Store: r.st, Format: pages.FormatOf, Now: time.Now, Log: slog.New(slog.NewTextHandler(log, nil)), Folder: folder,
	})
}

// run has a service follow until stop is called, or the test ends, and waits
// until it answers.
func (r *rig) run(s *live.Service) (stop func()) {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { s.Run(ctx) })
	stop = func() { cancel(); group.Wait() }
	r.Cleanup(stop)
	wait, done := context.WithTimeout(ctx, patience)
	defer done()
	r.noError(s.AwaitReady(wait), "wait for the index")
	return stop
}

func (r *rig) noError(err error, doing string) {
	r.Helper()
	if err != nil {
		r.Fatalf("%s: %v", doing, err)
	}
}

func (r *rig) write(fn func(tx *sqldb.Tx) error) {
	r.Helper()
	r.noError(r.st.DB.Write(r.Context(), sqldb.Cause{Actor: octavo.Actor{ID: "a", Name: "A"}}, fn), "write")
}

// page describes a page whose title and slug are the word.
func page(word string, status octavo.PageStatus, parent octavo.ID) pagestore.NewPage {
	return pagestore.NewPage{ParentID: parent, PageCreate: octavo.PageCreate{Title: word, Slug: word, Content: "Nothing.", Status: status}}
}

func (r *rig) create(n pagestore.NewPage) (p octavo.Page) {
	r.Helper()
	r.write(func(tx *sqldb.Tx) (err error) { p, err = r.st.Pages.Create(tx, n); return err })
	return p
}

func (r *rig) update(id octavo.ID, c pagestore.Change) {
	r.Helper()
	r.write(func(tx *sqldb.Tx) error { _, err := r.st.Pages.Update(tx, id, c, nil); return err })
}

func (r *rig) delete(id octavo.ID, policy pagestore.ChildrenPolicy) {
	r.Helper()
	r.write(func(tx *sqldb.Tx) error { return r.st.Pages.Delete(tx, id, policy, nil) })
}

// find searches for what is written so far.
func (r *rig) find(s *live.Service, aud octavo.Audience, text string) live.Found {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	r.noError(s.Await(ctx), "wait for what was written")
	found, err := s.Search(ctx, aud, nil, search.Query{Text: text, Limit: search.MaxLimit})
	r.noError(err, "search "+text)
	return found
}

// wantFound compares what a search finds, in any order.
func (r *rig) wantFound(s *live.Service, aud octavo.Audience, text string, want ...octavo.ID) {
	r.Helper()
	var have []octavo.ID
	for _, h := range r.find(s, aud, text).Hits {
		have = append(have, octavo.ID(h.ID))
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		r.Errorf("search for %q, published only %t: have %v, want %v", text, aud.PublishedOnly, have, want)
	}
}

func ref[T any](v T) *T { return &v }
