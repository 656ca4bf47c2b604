package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// schedulePages makes pages that are to be published at the time.
func schedulePages(t *testing.T, st *store.Store, prefix string, n int, at time.Time) {
	t.Helper()
	err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		for i := range n {
			p, err := st.Pages.Create(tx, storetest.NewPage(fmt.Sprint(prefix, i)))
			if err != nil {
				return err
			}
			if _, err := st.Pages.Update(tx, p.ID, pagestore.Change{Publish: &octavo.OptTime{Value: &at}}, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Pages that cannot be changed, however many, keep no other from its time.
func TestScheduleAfterFailure(t *testing.T) {
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	defer st.Close()
	due := time.Now().Add(-time.Hour)
	schedulePages(t, st, "broken-", 150, due)
	schedulePages(t, st, "sound-", 150, due)
	err := storetest.Execute(t.Context(), st, `CREATE TRIGGER broken BEFORE UPDATE ON pages WHEN NEW.slug LIKE 'broken-%'
		BEGIN SELECT RAISE(ABORT, 'this page is broken'); END`)
	if err != nil {
		t.Fatal(err)
	}
	next, n, err := st.Pages.RunSchedule(t.Context(), octavo.Actor{})
	if n != 150 || err == nil || strings.Count(err.Error(), "this page is broken") != 150 || next.After(due) {
		t.Errorf("have %d changed, next at %s, %.100v; want 150, an error for each other, and those still due", n, next, err)
	}
}

// Of several processes that run the schedule of one database, each due time
// takes effect in one.
func TestScheduleInManyProcesses(t *testing.T) {
	for _, db := range []struct {
		name    string
		opener  storetest.OpenFunc
		address func(testing.TB) string
	}{
		{"sqlite", store.OpenSQLite, func(t testing.TB) string { return filepath.Join(t.TempDir(), "octavo.db") }},
		{"postgres", store.OpenPostgres, testenv.Postgres},
	} {
		t.Run(db.name, func(t *testing.T) {
			t.Parallel()
			const processes, pages = 4, 60
			address := db.address(t)
			var stores []*store.Store
			for range processes {
				st := storetest.Open(t, storetest.Options(time.Now), db.opener, address)
				defer st.Close()
				stores = append(stores, st)
			}
			schedulePages(t, stores[0], "p-", pages, time.Now().Add(-time.Hour))
			var group sync.WaitGroup
			var changed atomic.Int64
			for _, st := range stores {
				group.Go(func() {
					_, n, err := st.Pages.RunSchedule(context.Background(), octavo.Actor{})
					if err != nil {
						t.Error(err)
					}
					changed.Add(int64(n))
				})
			}
			group.Wait()
			published := 0
			changes, err := stores[1].Log.Changes(t.Context(), 0, 10*pages)
			for _, c := range changes {
				if c.Kind == octavo.PagePublished {
					published++
				}
			}
			if changed.Load() != pages || published != pages || err != nil {
				t.Errorf("have %d changed and %d published, %v; want %d of both", changed.Load(), published, err, pages)
			}
		})
	}
}
