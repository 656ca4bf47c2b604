package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestSlowReads: a read that takes too long ends, and says when to come
// again; meanwhile reads of single pages have connections left.
func TestSlowReads(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			st := open(t, storetest.Options(time.Now))
			defer st.Close()
			page, err := storetest.Create(t.Context(), st, storetest.NewPage("a"))
			if err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			slow := make(chan error, 20)
			for range cap(slow) {
				go func() { slow <- readSlowly(t.Context(), st) }()
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

// readSlowly is a list that would take very long.
func readSlowly(ctx context.Context, st *store.Store) error {
	ctx, end, err := st.DB.List(ctx)
	if err != nil {
		return err
	}
	defer end()
	_, err = st.DB.Read().Row(ctx, []any{new(int64)},
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT COUNT(*) FROM n")
	return err
}
