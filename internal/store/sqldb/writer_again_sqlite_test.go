package sqldb_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// together runs writes in one transaction, unless they take long, in order, and returns
// their results.
func together(t *testing.T, st *store.Store, writes ...func(*sqldb.Tx) error) []error {
	t.Helper()
	type told struct {
		i   int
		err error
	}
	answers := make(chan told, 1+len(writes))
	begin := func(i int, fn func(*sqldb.Tx) error) {
		go func() { answers <- told{i, st.DB.Write(t.Context(), sqldb.Cause{}, fn)} }()
	}
	entered, release := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() {
		close(entered)
		<-release
	})
	begin(0, func(*sqldb.Tx) error { // it may be with them or before them
		hold()
		return nil
	})
	<-entered
	for i, fn := range writes {
		begin(1+i, fn)
		storetest.Until(t, "it waits behind those before it", func() bool { return sqldb.WritesWaiting(st.DB) > i })
	}
	close(release)
	errs := make([]error, 1+len(writes))
	late := time.After(20 * time.Second)
	for range errs {
		select {
		case a := <-answers:
			errs[a.i] = a.err
		case <-late:
			t.Fatal("some of the writes were never answered")
		}
	}
	return errs[1:]
}

// TestWritesAnsweredAfterFailure: if the second run of a shared transaction fails, nothing
// of it is stored, all of its writes get the error, and the writer continues.
func TestWritesAnsweredAfterFailure(t *testing.T) {
	for _, statement := range []string{"BEGIN IMMEDIATE", "SAVEPOINT item", "RELEASE item", "ROLLBACK TO item", "COMMIT"} {
		t.Run(statement, func(t *testing.T) {
			st := storetest.OpenSQLite(t, storetest.Options(time.Now))
			defer st.Close() //nolint:errcheck // nothing is left to lose
			write := func(slug string, result error) func(*sqldb.Tx) error {
				return func(tx *sqldb.Tx) error {
					if _, err := st.Pages.Create(tx, storetest.NewPage(slug)); err != nil {
						return err
					}
					return result
				}
			}
			sqldb.FailAfterRollback(t, st.DB, statement, &octavo.Error{Type: octavo.Unavailable, Detail: "The disk is away."})
			errs := together(t, st, write("a", nil), write("b", nil), write("c", errors.New("refused")), write("d", nil))
			storetest.WantType(t, errs[2], octavo.Unavailable) // the refusal was not come to
			if errs[3] != nil {                                // it waited until the others were told
				t.Errorf("have %v for the write behind them", errs[3])
			}
			var kept, want []string
			for i, slug := range []string{"a", "b", "c", "d"} {
				if errs[i] == nil { // a or b, where they came to a transaction before
					want = append(want, slug)
				} else {
					storetest.WantType(t, errs[i], octavo.Unavailable)
				}
			}
			pages, _, err := st.Pages.List(t.Context(), octavo.Audience{}, pagestore.Query{Limit: 100})
			for _, p := range pages {
				kept = append(kept, p.Slug)
			}
			if err != nil || !slices.Equal(kept, want) {
				t.Errorf("have %v kept, %v, want %v", kept, err, want)
			}
			for i, err := range together(t, st, write("e", nil), write("f", nil)) {
				if err != nil {
					t.Errorf("write %d after the failure: %v", i, err)
				}
			}
		})
	}
}

// A write that has begun is completed, even if its caller has stopped waiting.
func TestCancelledWhileItRuns(t *testing.T) {
	storetest.OnBoth(t, time.Now, func(t *testing.T, open func() *store.Store) {
		st := open()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := st.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
			cancel()
			_, err := st.Pages.Create(tx, storetest.NewPage("a"))
			return err
		})
		if err != nil {
			t.Errorf("have %v, want that it was carried out", err)
		}
		if _, _, err := st.Pages.BySlug(t.Context(), octavo.Audience{}, "a"); err != nil {
			t.Error(err)
		}
		if _, err := storetest.Create(ctx, st, storetest.NewPage("b")); !errors.Is(err, context.Canceled) {
			t.Errorf("have %v for one that comes too late, want %v", err, context.Canceled)
		}
	})
}
