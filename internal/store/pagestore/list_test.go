package pagestore_test

import (
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestLists: from which index a list is read makes no difference.
func TestLists(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		thresholds := []int{0, 3, 2000}
		if testing.Short() { // the race detector sees the same code with one of them
			thresholds = []int{3}
		}
		for _, few := range thresholds {
			t.Run(fmt.Sprintf("%s/%d", name, few), func(t *testing.T) {
				storetest.Lists(t, open, func(st *store.Store) { pagestore.SetFew(st.Pages, few) })
			})
		}
	}
}
