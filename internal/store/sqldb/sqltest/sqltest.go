// Package sqltest has helpers for tests of packages on sqldb: an empty
// SQLite database, and query plans.
package sqltest

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Open opens an empty SQLite database until the test ends.
func Open(t *testing.T, now func() time.Time) *sqldb.DB {
	t.Helper()
	db, err := sqldb.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"),
		sqldb.Options{Now: now, IDs: octavo.NewIDSource(now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

// Explain returns the query plan of a statement.
func Explain(t *testing.T, db *sqldb.DB, text string, a sqldb.Args) string {
	t.Helper()
	lines, err := sqldb.Collect(t.Context(), db.Read(), func(row sqldb.Scanner) (line string, err error) {
		var id, parent, unused int
		err = row.Scan(&id, &parent, &unused, &line)
		return line, err
	}, "EXPLAIN QUERY PLAN "+text, a...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// Places returns placeholder arguments for a statement.
func Places(text string) sqldb.Args {
	n := 0
	for strings.Contains(text, fmt.Sprintf("$%d", n+1)) {
		n++
	}
	return make(sqldb.Args, n)
}

// NoWholeTables fails if a statement scans a whole table, except for the
// tables in made.
func NoWholeTables(t *testing.T, db *sqldb.DB, statements map[string]string, made ...string) {
	t.Helper()
	for name, text := range statements {
		plan := Explain(t, db, text, Places(text))
		for line := range strings.SplitSeq(plan, "\n") {
			table, ok := strings.CutPrefix(line, "SCAN ")
			if ok && table != "CONSTANT ROW" && !slices.Contains(made, table) {
				t.Errorf("%s: reads a whole table:\n%s", name, plan)
			}
		}
	}
}
