package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestSQLiteForeignChanges: what somebody does to the file with a tool of his
// own, not even raising a version, ends what was known; what the store does
// itself does not.
func TestSQLiteForeignChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "octavo.db")
	st, err := store.OpenSQLite(t.Context(), path, storetest.Options(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil { // its migrations were made by a connection of their own
		t.Fatal(err)
	}
	if st, err = store.OpenSQLite(t.Context(), path, storetest.Options(time.Now)); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	db := rawSQLite(t, path)
	page := func(slug string) (p octavo.Page) {
		err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
			p, err = st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "t", Slug: slug, Content: "c"}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	known := page("known")
	moment := func() sqldb.Stamp {
		all, err := st.Stamps.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	stamp, all := st.Stamps.Page(octavo.Audience{}, known.ID), moment()
	for i := range 3 {
		page(fmt.Sprint("own", i))
	}
	if !st.Stamps.Holds(octavo.Audience{}, known.ID, stamp) || !st.Stamps.SameEpoch(stamp) || all.Is(moment()) {
		t.Errorf("after own commits: have %v %v %v, want true, true, false",
			st.Stamps.Holds(octavo.Audience{}, known.ID, stamp), st.Stamps.SameEpoch(stamp), all.Is(moment()))
	}
	all = moment()
	if _, err := db.Exec(`UPDATE pages SET title = 'x' WHERE slug = 'known'`); err != nil {
		t.Fatal(err)
	}
	storetest.Until(t, "a foreign change is noticed", func() bool {
		return !st.Stamps.SameEpoch(stamp) && !all.Is(moment()) && !st.Stamps.Holds(octavo.Audience{}, known.ID, stamp)
	})
}

// TestFileLocked: while another program writes to the file for
// too long a write is refused as one to be tried again, and once it has ended
// those that wait are carried out.
func TestFileLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "octavo.db")
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenSQLite, path)
	defer st.Close() //nolint:errcheck // nothing is left to lose
	db := rawSQLite(t, path)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	const writes = 20
	answers := make(chan error, writes)
	for i := range writes {
		go func() {
			_, err := storetest.Create(t.Context(), st, storetest.NewPage(fmt.Sprint("p", i)))
			answers <- err
		}()
	}
	storetest.WantType(t, <-answers, octavo.Unavailable)
	if _, err := db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	for range writes - 1 {
		if err := <-answers; err != nil {
			t.Errorf("a write that waited: %v", err)
		}
	}
}
