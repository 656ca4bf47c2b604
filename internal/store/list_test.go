package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestLists: from which index a list is read makes no difference.
func TestLists(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": openSQLite, "postgres": openPostgres} {
		thresholds := []int{0, 3, 2000}
		if testing.Short() { // the race detector sees the same code with one of them
			thresholds = []int{3}
		}
		for _, few := range thresholds {
			t.Run(fmt.Sprintf("%s/%d", name, few), func(t *testing.T) {
				storetest.Lists(t, open, func(st *store.Store) { sqldb.SetFew(st, few) })
			})
		}
	}
}

// TestSlowReads: a read that takes too long ends, and says when to come
// again; meanwhile reads of single pages have connections left.
func TestSlowReads(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": openSQLite, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) {
			st := open(t, options())
			defer st.Close()
			page, err := create(t.Context(), st, newPage("a"))
			if err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			slow := make(chan error, 20)
			for range cap(slow) {
				go func() { slow <- storetest.ReadSlowly(t.Context(), st) }()
			}
			reads := 0
			for range cap(slow) {
				for waiting := true; waiting; reads++ {
					if _, err := st.Pages.Get(t.Context(), octavo.Audience{}, page.ID); err != nil {
						t.Fatal(err)
					}
					select {
					case err = <-slow:
						waiting = false
					default:
					}
				}
				var e *octavo.Error
				if !errors.As(err, &e) || e.Type != octavo.Unavailable || e.RetryAfter == 0 {
					t.Errorf("slow read: have error %v, want Unavailable with a time to come again", err)
				}
			}
			t.Logf("%d pages read while others were slow, %s", reads, time.Since(started))
		})
	}
}
