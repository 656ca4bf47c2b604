package store_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// benchContent is a page of usual size.
func benchContent() string { return strings.Repeat("Some words of a page that is read. ", 100) }

// BenchmarkCreate creates pages from 64 goroutines, each waiting for the disk.
func BenchmarkCreate(b *testing.B) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		b.Run(name, func(b *testing.B) {
			st := open(b, storetest.Options(time.Now))
			defer st.Close()
			createMany(b, st)
		})
	}
}

func createMany(b *testing.B, st *store.Store) {
	content := benchContent()
	var n atomic.Int64
	b.SetParallelism(64 / runtime.GOMAXPROCS(0))
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p := storetest.NewPage(fmt.Sprint("p", n.Add(1)))
			p.Content = content
			if _, err := storetest.Create(b.Context(), st, p); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "creates/s")
}

// BenchmarkRead reads from a store of 2,000 pages.
func BenchmarkRead(b *testing.B) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		st := open(b, storetest.Options(time.Now))
		defer st.Close()
		ids := fill(b, st, 2000)
		storetest.Analyze(b, st)
		everyone := octavo.Audience{}
		for _, read := range []struct {
			name string
			run  func(i int) error
		}{
			{"page", func(i int) error { _, err := st.Pages.Get(b.Context(), everyone, ids[i%len(ids)]); return err }},
			{"slug", func(i int) error {
				_, _, err := st.Pages.BySlug(b.Context(), everyone, fmt.Sprint("p", i%len(ids)))
				return err
			}},
			{"list20", func(i int) error {
				_, _, err := st.Pages.List(b.Context(), everyone, pagestore.Query{Limit: 20, After: &sqldb.Cursor{ID: ids[i%len(ids)]}})
				return err
			}},
			{"title20", func(i int) error {
				_, _, err := st.Pages.List(b.Context(), everyone, pagestore.Query{Limit: 20, Sort: pagestore.SortTitle})
				return err
			}},
			{"published20", func(i int) error {
				_, _, err := st.Pages.List(b.Context(), octavo.Audience{PublishedOnly: true}, pagestore.Query{Limit: 20, After: &sqldb.Cursor{ID: ids[i%len(ids)]}})
				return err
			}},
		} {
			b.Run(name+"/"+read.name, func(b *testing.B) {
				var n atomic.Int64
				b.ReportAllocs()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if err := read.run(int(n.Add(1))); err != nil {
							b.Error(err)
						}
					}
				})
			})
		}
	}
}

// fill creates published pages p0, p1, … in one transaction.
func fill(b *testing.B, st *store.Store, count int) (ids []octavo.ID) {
	b.Helper()
	content := benchContent()
	err := st.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		ids = nil
		for i := range count {
			n := storetest.NewPage(fmt.Sprint("p", i))
			n.Status, n.Content = octavo.Published, content
			p, err := st.Pages.Create(tx, n)
			if err != nil {
				return err
			}
			ids = append(ids, p.ID)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return ids
}
