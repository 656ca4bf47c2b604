package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/store"
)

const ruleOfIndexes = "an index is of the columns that the schema says, and whole"

// TestRenamedColumnIsFound, and one that somebody added is not.
func TestRenamedColumnIsFound(t *testing.T) {
	t.Parallel()
	const rule = "the tables, columns, indexes and triggers of the schema are there"
	onDatabases(t, func(t *testing.T, st *store.Store) {
		executeIn(t, st, "ALTER TABLE pages ADD COLUMN of_an_administrator TEXT")
		executeIn(t, st, "ALTER TABLE pages RENAME COLUMN version TO edition")
		wantFindings(t, st, rule, [2]string{"column version of table pages is missing", "bring back the newest backup"})
		executeIn(t, st, "ALTER TABLE pages RENAME COLUMN edition TO version")
		wantFindings(t, st, rule)
	})
}

// TestOtherIndexesAreFound: a name is not enough, and what doctor says mends it.
func TestOtherIndexesAreFound(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st *store.Store) {
		var want [][2]string
		for _, c := range []struct{ name, instead, shape string }{
			{"pages_title", "CREATE INDEX pages_title ON pages (id, title)", "on pages (id, title); it should be on pages (title, id)"},
			{"pages_updated", "CREATE INDEX pages_updated ON revisions (slug)", "on revisions (slug); it should be on pages (updated_at, id)"},
			{"deliveries_first", "CREATE INDEX deliveries_first ON deliveries (lane, target)", "on deliveries (lane, target); it should be unique on deliveries (lane, target) of some rows"},
			{"sessions_user", "CREATE INDEX sessions_user ON sessions (lower(user_id))", "on sessions (an expression); it should be on sessions (user_id)"},
			{"pages_status_title", "CREATE INDEX pages_status_title ON pages (status, title, id, lower(slug))", "on pages (status, title, id, an expression); it should be on pages (status, title, id)"},
			{"pages_parent", "CREATE INDEX pages_parent ON pages (parent_id, id, status) WHERE version > 1", "on pages (parent_id, id, status) of some rows; it should be on pages (parent_id, id, status)"},
			{"pages_status", "CREATE INDEX pages_status ON pages (status, id DESC, updated_at)", "on pages (status, id DESC, updated_at); it should be on pages (status, id, updated_at)"},
		} {
			executeIn(t, st, "DROP INDEX "+c.name)
			executeIn(t, st, c.instead)
			want = append(want, [2]string{"index " + c.name + " is " + c.shape, "DROP INDEX " + c.name + ", and then: CREATE "})
		}
		if st.Shared() {
			executeIn(t, st, "ALTER TABLE webhooks DROP CONSTRAINT webhooks_pkey")
			executeIn(t, st, "ALTER TABLE webhooks ADD CONSTRAINT webhooks_pkey PRIMARY KEY (url)")
			executeIn(t, st, "ALTER TABLE settings DROP CONSTRAINT settings_pkey")
			executeIn(t, st, "CREATE INDEX settings_pkey ON settings (name)")
			for name, shape := range map[string]string{
				"webhooks_pkey": "unique on webhooks (url); it should be unique on webhooks (id)",
				"settings_pkey": "on settings (name); it should be unique on settings (name)",
			} {
				want = append(want, [2]string{"index " + name + " is " + shape, "DROP INDEX IF EXISTS " + name + ", and then: ALTER TABLE "})
			}
		}
		wantFindings(t, st, ruleOfIndexes, want...)
		findings, err := st.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if statements, ok := strings.CutPrefix(f.Mend, "run on the database: "); ok {
				statements, _, _ = strings.Cut(statements, ";")
				for statement := range strings.SplitSeq(statements, ", and then: ") {
					executeIn(t, st, statement)
				}
			}
		}
		wantSound(t, st, "mended")
	})
}

// TestIndexesOfAnAdministrator are no findings, however they were written down,
// and neither are those of the schema when they were made again by hand.
func TestIndexesOfAnAdministrator(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st *store.Store) {
		statements := []string{
			"CREATE INDEX of_an_administrator ON pages (lower(title), version DESC) WHERE version > 1",
			"CREATE TABLE notes (a TEXT, b TEXT, UNIQUE (a, b))", "CREATE UNIQUE INDEX notes_b ON notes (b)",
			"DROP INDEX pages_title", `create index if not exists "pages_title" on "pages" ( "title" ASC,id )`,
			"DROP INDEX deliveries_first", "CREATE UNIQUE INDEX deliveries_first ON deliveries(lane,target) where ready_at IS NOT NULL",
		}
		if st.Shared() {
			statements = slices.Concat(statements, []string{"DROP INDEX pages_parent", "CREATE INDEX pages_parent ON pages (parent_id, id, status) INCLUDE (title)"})
		}
		for _, statement := range statements {
			executeIn(t, st, statement)
		}
		wantSound(t, st, "with indexes of an administrator")
	})
}
