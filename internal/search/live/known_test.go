package live

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestForgetPagesDeleted: what is kept in memory of pages that were
// changed goes with them.
func TestForgetPagesDeleted(t *testing.T) {
	t.Parallel()
	st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"),
		store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader), Derive: pages.Deriver("")})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close() //nolint:errcheck // nothing is left to lose
	s := New(Options{Store: st, Format: pages.FormatOf, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx)
	}()
	if err := s.AwaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	const created, kept = 20, 5
	for i := range created {
		var id octavo.ID
		for _, change := range []func(tx *sqldb.Tx) error{
			func(tx *sqldb.Tx) error {
				p, err := st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: fmt.Sprint("s", i), Content: "c"}})
				id = p.ID
				return err
			},
			func(tx *sqldb.Tx) error {
				if i < kept {
					return nil
				}
				return st.Pages.Delete(tx, id, pagestore.ChildrenRefuse, nil)
			},
		} {
			if err := st.DB.Write(ctx, sqldb.Cause{}, change); err != nil {
				t.Fatal(err)
			}
			if err := s.Await(ctx); err != nil { // so that the two come in batches of their own
				t.Fatal(err)
			}
		}
	}
	stop()
	<-ended
	if len(s.known) != kept {
		t.Errorf("have %d pages in memory after %d were created and all but %d deleted", len(s.known), created, kept)
	}
}
