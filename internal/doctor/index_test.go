package doctor

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestIndexOfInvalidPage for a page that cannot be: making it anew would not
// help. Another page is found beside it.
func TestIndexOfInvalidPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "octavo.db")
	st, err := store.OpenSQLite(t.Context(), path, store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var ids []octavo.ID
	for _, slug := range []string{"status", "moment", "differs"} {
		err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			page, err := st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: slug, Content: "x"}})
			ids = append(ids, page.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, status := db.Exec(`UPDATE pages SET status = 'lost' WHERE id = $1`, ids[0])
	_, moment := db.Exec(`UPDATE pages SET updated_at = 9000000000000000 WHERE id = $1`, ids[1])
	if err := errors.Join(status, moment, db.Close()); err != nil {
		t.Fatal(err)
	}
	var differences []live.Difference
	for _, id := range ids {
		differences = append(differences, live.Difference{Page: id})
	}
	findings, err := indexFindings(t.Context(), st, differences, mendFolder)
	if err != nil || len(findings) != 1 || findings[0].Subject != string(ids[2]) || findings[0].Rule != ruleHolds {
		t.Errorf("have %v, %v; want %s alone", findings, err, ids[2])
	}
}
