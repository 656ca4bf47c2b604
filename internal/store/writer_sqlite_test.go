package store_test

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestSharedTransactionFailure: of writes that share a transaction
// those that fail leave nothing, whether they had changed something or not, and
// the others are kept once.
func TestSharedTransactionFailure(t *testing.T) {
	st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), storetest.Options(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close() //nolint:errcheck // nothing is left to lose
	refused := errors.New("refused")
	for round, failing := range []struct {
		slug            string
		changes, panics bool
	}{{"early", false, false}, {"late", true, false}, {"later", true, false}, {"last-of-all", true, true}, {"panicking", false, true}} {
		entered, arriving := make(chan struct{}), make(chan struct{}, 3)
		hold := sync.OnceFunc(func() {
			close(entered)
			for range cap(arriving) { // the others come to wait meanwhile
				<-arriving
			}
		})
		var group sync.WaitGroup
		var mu sync.Mutex
		have := map[string]error{}
		write := func(slug string, fn func(*sqldb.Tx) error) {
			group.Go(func() {
				if slug != "first" {
					arriving <- struct{}{}
				}
				err := st.DB.Write(t.Context(), sqldb.Cause{}, fn)
				mu.Lock()
				defer mu.Unlock()
				have[slug] = err
			})
		}
		create := func(tx *sqldb.Tx, slug string) error {
			_, err := st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "t", Slug: slug, Content: "c"}})
			return err
		}
		prefix := string(rune('a' + round))
		write("first", func(tx *sqldb.Tx) error {
			hold()
			return create(tx, prefix+"-first")
		})
		<-entered
		for _, slug := range []string{"second", failing.slug, "last"} {
			write(slug, func(tx *sqldb.Tx) error {
				if slug != failing.slug || failing.changes {
					if err := create(tx, prefix+"-"+slug); err != nil {
						return err
					}
				}
				if slug == failing.slug && failing.panics {
					panic("as told")
				}
				if slug == failing.slug {
					return refused
				}
				return nil
			})
		}
		group.Wait()
		var kept []string
		for slug, err := range have {
			if want := slug == failing.slug; errors.Is(err, refused) != (want && !failing.panics) || (err != nil) != want {
				t.Errorf("round %d, %s: have %v", round, slug, err)
			}
		}
		pages, _, err := st.Pages.List(t.Context(), octavo.Audience{}, pagestore.Query{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			if p.Slug[:1] == prefix {
				kept = append(kept, p.Slug[2:])
			}
		}
		slices.Sort(kept)
		if want := []string{"first", "last", "second"}; !slices.Equal(kept, want) {
			t.Errorf("round %d: have %v kept, want %v", round, kept, want)
		}
	}
	if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
		t.Errorf("have findings %v, error %v", findings, err)
	}
}
