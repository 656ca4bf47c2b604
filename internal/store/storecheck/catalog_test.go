package storecheck_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

var update = flag.Bool("update", false, "write the snapshots of the schemas anew")

const ruleSchema = "the schema of the database is as the migrations make it"

//go:generate ../../../scripts/with-postgres go test -count=1 -run TestCatalog -update

// TestCatalog: the snapshots are what the migrations make.
func TestCatalog(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		lines, err := storecheck.Catalog(t.Context(), st.DB)
		if err != nil {
			t.Fatal(err)
		}
		file, have := "catalog/sqlite.txt", strings.Join(lines, "\n")+"\n"
		if st.DB.Shared() {
			file = "catalog/postgres.txt"
		}
		if *update {
			if err := os.WriteFile(file, []byte(have), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || have != string(want) {
			t.Errorf("%s is not what the migrations make (%v): run make generate", file, err)
		}
	})
}

// TestCatalogMissingParts: each with the statements that make it again, where
// there are some.
func TestCatalogMissingParts(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		const lost = "restore the newest backup"
		st.execute(t, "DROP INDEX deliveries_first")
		st.execute(t, "ALTER TABLE pages ADD COLUMN of_an_administrator TEXT")
		want := [][2]string{{"index deliveries_first of table deliveries is missing", "CREATE UNIQUE INDEX deliveries_first ON deliveries (lane, target) WHERE ready_at IS NOT NULL"}}
		trigger := "DROP TRIGGER audit_stays"
		if st.DB.Shared() {
			st.execute(t, "ALTER TABLE identities DROP CONSTRAINT identities_user_id_issuer_key")
			st.execute(t, "ALTER TABLE assets DROP CONSTRAINT assets_hash_fkey")
			want = append(want,
				[2]string{"constraint identities_user_id_issuer_key of table identities is missing", "ADD CONSTRAINT identities_user_id_issuer_key UNIQUE (user_id, issuer)"},
				[2]string{"constraint assets_hash_fkey of table assets is missing", "ADD CONSTRAINT assets_hash_fkey FOREIGN KEY (hash) REFERENCES blobs(hash)"})
			trigger += " ON audit"
		}
		wantFindings(t, st, ruleSchema, want...)
		mendAll(t, st, ruleSchema)
		wantSound(t, st, "mended")

		st.execute(t, "ALTER TABLE pages RENAME COLUMN version TO edition")
		wantFindings(t, st, ruleSchema, [2]string{"column version of table pages is missing", lost})
		st.execute(t, "ALTER TABLE pages RENAME COLUMN edition TO version")

		for _, statement := range []string{trigger, "DROP TABLE setup_links", "DROP TABLE page_assets"} {
			st.execute(t, statement)
		}
		wantFindings(t, st, ruleSchema,
			[2]string{"trigger audit_stays of table audit is missing", lost},
			[2]string{"table setup_links is missing", lost},
			[2]string{"table page_assets is missing", lost}) // and not its index
	})
}

// TestCatalogExtraParts: a name is not enough, and what doctor says mends it.
func TestCatalogExtraParts(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		var want [][2]string
		for _, c := range []struct{ name, table, instead, should string }{
			{"pages_title", "pages", "CREATE INDEX pages_title ON pages (id, title)", "CREATE INDEX pages_title ON pages (title, id)"},
			{"deliveries_first", "deliveries", "CREATE INDEX deliveries_first ON deliveries (lane, target)", "CREATE UNIQUE INDEX deliveries_first ON deliveries (lane, target) WHERE ready_at IS NOT NULL"},
			{"deliveries_due", "deliveries", "CREATE INDEX deliveries_due ON deliveries (target, ready_at, id) WHERE ready_at IS NULL", "CREATE INDEX deliveries_due ON deliveries (target, ready_at, id) WHERE ready_at IS NOT NULL"},
			{"pages_parent", "pages", "CREATE INDEX pages_parent ON pages (parent_id, id, status) WHERE version > 1", "CREATE INDEX pages_parent ON pages (parent_id, id, status)"},
			{"pages_status", "pages", "CREATE INDEX pages_status ON pages (status, id DESC, updated_at)", "CREATE INDEX pages_status ON pages (status, id, updated_at)"},
		} {
			st.execute(t, "DROP INDEX "+c.name)
			st.execute(t, c.instead)
			want = append(want, [2]string{"index " + c.name + " of table " + c.table + " is " + c.instead + "; it should be " + c.should, c.should})
		}
		st.execute(t, "DROP INDEX sessions_user")
		st.execute(t, "CREATE INDEX sessions_user ON sessions (lower(user_id))")
		want = append(want, [2]string{"index sessions_user of table sessions is CREATE INDEX sessions_user ON sessions (an expression); it should be CREATE INDEX sessions_user ON sessions (user_id)", "DROP INDEX IF EXISTS sessions_user; "})
		st.execute(t, "DROP INDEX pages_updated")
		st.execute(t, "CREATE INDEX pages_updated ON revisions (slug)") // on another table
		want = append(want, [2]string{"index pages_updated of table pages is missing", "DROP INDEX IF EXISTS pages_updated; "})
		if st.DB.Shared() {
			st.execute(t, "ALTER TABLE webhooks DROP CONSTRAINT webhooks_pkey")
			st.execute(t, "ALTER TABLE webhooks ADD CONSTRAINT webhooks_pkey PRIMARY KEY (url)")
			st.execute(t, "ALTER TABLE settings DROP CONSTRAINT settings_pkey")
			st.execute(t, "CREATE INDEX settings_pkey ON settings (name)")
			want = append(want,
				[2]string{"constraint webhooks_pkey of table webhooks is PRIMARY KEY (url); it should be PRIMARY KEY (id)", "ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id)"},
				[2]string{"constraint settings_pkey of table settings is missing", "ADD CONSTRAINT settings_pkey PRIMARY KEY (name)"})
		}
		wantFindings(t, st, ruleSchema, want...)
		mendAll(t, st, ruleSchema)
		wantSound(t, st, "mended")
	})
}

// TestCatalogOtherColumns: a table that somebody made anew has the columns, and
// not what binds them.
func TestCatalogOtherColumns(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		st.execute(t, "ALTER TABLE settings RENAME TO before")
		st.execute(t, "CREATE TABLE settings AS SELECT * FROM before")
		findings, err := storecheck.Check(t.Context(), st.DB)
		if err != nil || !slices.ContainsFunc(findings, func(f storecheck.Finding) bool {
			return strings.HasPrefix(f.Subject, "column name of table settings is ")
		}) {
			t.Errorf("have %v, %v; want that a column of settings is another", findings, err)
		}
	})
}

// TestIndexesOfAnAdministrator are no findings, however they were written down,
// and neither are those of the schema when they were made again by hand.
func TestIndexesOfAnAdministrator(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		statements := []string{
			"CREATE INDEX of_an_administrator ON pages (lower(title), version DESC) WHERE version > 1",
			"CREATE TABLE notes (a TEXT, b TEXT, UNIQUE (a, b))", "CREATE UNIQUE INDEX notes_b ON notes (b)",
			"DROP INDEX pages_title", `create index if not exists "pages_title" on "pages" ( "title" ASC,id )`,
			"DROP INDEX deliveries_first", "CREATE UNIQUE INDEX deliveries_first ON deliveries(lane,target) where ready_at IS NOT NULL",
		}
		if st.DB.Shared() {
			statements = append(statements, "DROP INDEX pages_parent", "CREATE INDEX pages_parent ON pages (parent_id, id, status) INCLUDE (title)")
		}
		for _, statement := range statements {
			st.execute(t, statement)
		}
		wantSound(t, st, "with indexes of an administrator")
	})
}
