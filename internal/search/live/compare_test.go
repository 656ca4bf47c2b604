package live_test

import (
	"crypto/rand"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestCheckComparesLinks: a page that the index has under another name than the
// links on other pages give it is found.
func TestCheckComparesLinks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "octavo.db")
	open := func() *store.Store {
		st, err := store.OpenSQLite(t.Context(), path,
			store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader), Derive: pages.Deriver("")})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	st := open()
	r := &rig{t, st}
	target := r.create(page("target", octavo.Published, ""))
	r.create(linking("early", octavo.Published, "walkthrough", "target"))
	folder := filepath.Join(t.TempDir(), "search")
	r.run(r.service(folder, nil))()
	check := func(want ...octavo.ID) {
		t.Helper()
		findings, err := live.Differences(t.Context(), r.st, folder)
		var have []octavo.ID
		for _, f := range findings {
			have = append(have, f.Page)
		}
		if err != nil || len(have) != len(want) || len(have) > 0 && have[0] != want[0] {
			t.Errorf("have %v, %v; want findings about %v", findings, err, want)
		}
	}
	check()
	r.noError(st.Close(), "close the store")
	db, err := sql.Open("sqlite", path)
	r.noError(err, "open the file")
	_, err = db.Exec(`UPDATE page_links SET label = 'handbook'`)
	r.noError(err, "change a link behind the store's back")
	r.noError(db.Close(), "close the file")
	r.st = open()
	defer r.st.Close() //nolint:errcheck // nothing is left to lose
	check(target.ID)
	r.create(page("other", octavo.Published, "")) // the saved index is behind now
	check()
}

// TestCheckOfALaterState: where the database was brought back from a backup
// under a saved index, the next start makes that anew, and it is no finding.
func TestCheckOfALaterState(t *testing.T) {
	later := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	later.create(page("kept", octavo.Published, ""))
	later.create(page("lost", octavo.Published, ""))
	folder := filepath.Join(t.TempDir(), "search")
	later.run(later.service(folder, nil))()
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	for i, want := range []int{0, 4} { // then it is taken for one of these pages, of which it has none
		r.create(page("new"+string(rune('a'+i)), octavo.Published, ""))
		findings, err := live.Differences(t.Context(), r.st, folder)
		if err != nil || len(findings) != want {
			t.Errorf("with %d changes: have %v, %v; want %d findings", i+1, findings, err, want)
		}
	}
}
