package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestSQLiteForeignChanges: what somebody does to the file with a tool of his
// own, not even raising a version, ends what was known; what the store does
// itself does not.
func TestSQLiteForeignChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "octavo.db")
	st, err := store.OpenSQLite(t.Context(), path, options())
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil { // its migrations were made by a connection of their own
		t.Fatal(err)
	}
	if st, err = store.OpenSQLite(t.Context(), path, options()); err != nil {
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
	until(t, "a foreign change is noticed", func() bool {
		return !st.Stamps.SameEpoch(stamp) && !all.Is(moment()) && !st.Stamps.Holds(octavo.Audience{}, known.ID, stamp)
	})
}
