package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
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
		err := st.Write(t.Context(), store.Cause{}, func(tx *store.Tx) (err error) {
			p, err = tx.CreatePage(store.NewPage{PageCreate: octavo.PageCreate{Title: "t", Slug: slug, Content: "c"}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	known := page("known")
	moment := func() store.Stamp {
		all, err := st.StampAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	stamp, all := st.Stamp(octavo.Audience{}, known.ID), moment()
	for i := range 3 {
		page(fmt.Sprint("own", i))
	}
	if !st.Holds(octavo.Audience{}, known.ID, stamp) || !st.SameEpoch(stamp) || all.Is(moment()) {
		t.Errorf("after own commits: have %v %v %v, want true, true, false",
			st.Holds(octavo.Audience{}, known.ID, stamp), st.SameEpoch(stamp), all.Is(moment()))
	}
	all = moment()
	if _, err := db.Exec(`UPDATE pages SET title = 'x' WHERE slug = 'known'`); err != nil {
		t.Fatal(err)
	}
	until(t, "a foreign change is noticed", func() bool {
		return !st.SameEpoch(stamp) && !all.Is(moment()) && !st.Holds(octavo.Audience{}, known.ID, stamp)
	})
}
