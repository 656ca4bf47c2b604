package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// onDatabases runs a test on a new database of each kind.
func onDatabases(t *testing.T, test func(t *testing.T, st *store.Store)) {
	for name, opener := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) {
			st := opener(t, options())
			defer st.Close()
			test(t, st)
		})
	}
}

// executeIn runs a statement behind the back of the store.
func executeIn(t *testing.T, st *store.Store, statement string) {
	t.Helper()
	if err := store.Execute(t.Context(), st, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// wantFindings fails unless Check finds that of each pair, and nothing else of
// its rule.
func wantFindings(t *testing.T, st *store.Store, rule string, want ...[2]string) {
	t.Helper()
	findings, err := st.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	findings = slices.DeleteFunc(findings, func(f store.Finding) bool { return f.Rule != rule })
	if len(findings) != len(want) {
		t.Errorf("have %v, want %v", findings, want)
	}
	for _, w := range want {
		if !slices.ContainsFunc(findings, func(f store.Finding) bool { return f.Subject == w[0] && strings.Contains(f.Mend, w[1]) }) {
			t.Errorf("have %q, want %q to be mended by %q", findings, w[0], w[1])
		}
	}
}

// TestSchemaIsRead: what is read out of the migrations is what they make, no
// more and no less.
func TestSchemaIsRead(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st *store.Store) {
		dialect, query := "sqlite", `SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'
			UNION ALL SELECT 'column ' || m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
				WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'goose_%'`
		if st.Shared() {
			dialect, query = "postgres", `SELECT CASE relkind WHEN 'r' THEN 'table ' ELSE 'index ' END || relname FROM pg_class
				WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND relname NOT LIKE 'goose_%'
				UNION ALL SELECT 'column ' || table_name || '.' || column_name FROM information_schema.columns
					WHERE table_schema = 'public' AND table_name NOT LIKE 'goose_%'
				UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal`
		}
		made, err := store.Column(t.Context(), st, query)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(made)
		if have := store.SchemaKeys(t, dialect); !slices.Equal(have, made) {
			t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(made, "\n"))
		}
		if findings, err := st.Check(t.Context()); err != nil || len(findings) > 0 {
			t.Errorf("a new database: have %v, %v", findings, err)
		}
	})
}

// TestWhatIsDroppedIsFound: what is missing, with the statement that makes it
// again where one does.
func TestWhatIsDroppedIsFound(t *testing.T) {
	t.Parallel()
	const rule = "the tables, columns, indexes and triggers of the schema are there"
	onDatabases(t, func(t *testing.T, st *store.Store) {
		do := func(statements ...string) {
			t.Helper()
			for _, s := range statements {
				executeIn(t, st, s)
			}
		}
		const (
			first   = "CREATE UNIQUE INDEX deliveries_first ON deliveries (lane, target) WHERE ready_at IS NOT NULL"
			status  = "CREATE INDEX pages_status ON pages (status, id, updated_at)"
			keyless = "ALTER TABLE identities ADD CONSTRAINT identities_user_id_issuer_key UNIQUE (user_id, issuer)"
		)
		do("DROP INDEX deliveries_first", "DROP INDEX pages_status")
		want := [][2]string{{"index deliveries_first of table deliveries is missing", first + ";"}, {"index pages_status of table pages is missing", status + ";"}}
		mend := []string{first, status}
		trigger := "DROP TRIGGER audit_stays"
		if st.Shared() {
			do("ALTER TABLE identities DROP CONSTRAINT identities_user_id_issuer_key")
			want = append(want, [2]string{"index identities_user_id_issuer_key of table identities is missing", keyless + ";"})
			mend = append(mend, keyless)
			trigger += " ON audit"
		}
		wantFindings(t, st, rule, want...)
		do(mend...)
		wantFindings(t, st, rule)
		do(trigger, "DROP TABLE setup_links", "DROP TABLE page_assets")
		wantFindings(t, st, rule,
			[2]string{"trigger audit_stays of table audit is missing", "bring back the newest backup"},
			[2]string{"table setup_links is missing", "bring back the newest backup"},
			[2]string{"table page_assets is missing", "bring back the newest backup"}) // and not its index
	})
}

// TestRowsOfTheLogAreFound: without what is remembered of the log nothing is
// removed from it any more, or nothing is written; what mends it does.
func TestRowsOfTheLogAreFound(t *testing.T) {
	t.Parallel()
	const rule = "what is remembered of the change log is one row"
	onDatabases(t, func(t *testing.T, st *store.Store) {
		for _, slug := range []string{"a", "b"} {
			if _, err := create(t.Context(), st, newPage(slug)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := st.LastPosition(t.Context()); err != nil { // all have one then
			t.Fatal(err)
		}
		tables := []string{"change_retention"}
		if st.Shared() {
			tables = append(tables, "change_position")
		}
		for _, table := range tables {
			executeIn(t, st, "DELETE FROM "+table)
			wantFindings(t, st, rule, [2]string{"table " + table + " has 0", "INSERT INTO " + table})
			mendAll(t, st, rule)
			wantFindings(t, st, rule)
		}
		if st.Shared() {
			const end = "the change log ends with its newest change or behind it, and behind what was removed of it"
			executeIn(t, st, "UPDATE change_position SET last = 1")
			wantFindings(t, st, end, [2]string{"it ends at 1, and was at 2 before", "DELETE FROM change_position"})
			mendAll(t, st, end)
		} else { // as after a copy of the rows alone
			executeIn(t, st, "DELETE FROM sqlite_sequence")
			if err := st.MoveFollower(t.Context(), "at the end", 2); err != nil {
				t.Fatal(err)
			}
		}
		if findings, err := st.Check(t.Context()); err != nil || len(findings) > 0 {
			t.Errorf("after all was mended: have %v, %v", findings, err)
		}
	})
}

// mendAll runs the statements that mend findings of a rule.
func mendAll(t *testing.T, st *store.Store, rule string) {
	t.Helper()
	findings, err := st.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		_, statements, ok := strings.Cut(f.Mend, "run on the database: ")
		if f.Rule != rule || !ok {
			continue
		}
		for statement := range strings.SplitSeq(statements, "; ") {
			if strings.HasPrefix(statement, "DELETE ") || strings.HasPrefix(statement, "INSERT ") {
				executeIn(t, st, statement)
			}
		}
	}
}

// TestImpossibleRowsAreFound: in a page as such, and in an asset without bytes.
func TestImpossibleRowsAreFound(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st *store.Store) {
		page, err := create(t.Context(), st, newPage("a"))
		if err != nil {
			t.Fatal(err)
		}
		const rule = "a page has a status that there is, and times that there are"
		for _, set := range []string{"status = 'lost'", "updated_at = -1", "updated_at = 9000000000000000"} {
			executeIn(t, st, "UPDATE pages SET "+set)
			wantFindings(t, st, rule, [2]string{string(page.ID), "bring back the newest backup"})
			executeIn(t, st, "UPDATE pages SET status = 'draft', updated_at = created_at")
		}
		wantFindings(t, st, rule)

		if !st.Shared() {
			return // SQLite itself looks for rows that refer to none
		}
		executeIn(t, st, "INSERT INTO blobs (hash, key, size, uses) VALUES ('h', 'k', 1, 1)")
		executeIn(t, st, "INSERT INTO assets (id, key, hash, content_type, media_type, kind, name, width, height, metadata, source, version, created_at, updated_at) VALUES ('asset_1', 'k', 'h', '', '', '', '', 0, 0, '{}', '', 1, 0, 0)")
		wantFindings(t, st, "the bytes of an asset are counted")
		executeIn(t, st, "ALTER TABLE assets DROP CONSTRAINT assets_hash_fkey")
		executeIn(t, st, "UPDATE blobs SET hash = 'lost'")
		wantFindings(t, st, "the bytes of an asset are counted", [2]string{"asset_1", "bring back the newest backup"})
	})
}

// TestFollowerAheadIsFound: one that was moved, or saved by hand, to where the
// log has not come is handed nothing.
func TestFollowerAheadIsFound(t *testing.T) {
	t.Parallel()
	const rule = "a follower of the change log has not handled what is still to come"
	onDatabases(t, func(t *testing.T, st *store.Store) {
		for _, slug := range []string{"a", "b"} {
			if _, err := create(t.Context(), st, newPage(slug)); err != nil {
				t.Fatal(err)
			}
		}
		last, err := st.LastPosition(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for name, position := range map[string]int64{"at the end": last, "ahead": last + 1, "new": 0} {
			if err := st.MoveFollower(t.Context(), name, position); err != nil {
				t.Fatal(err)
			}
		}
		wantFindings(t, st, rule, [2]string{"ahead is at 3, and the log ends at 2", "UPDATE followers SET position = "})
		findings, err := st.Check(t.Context())
		if err != nil || len(findings) != 1 {
			t.Fatalf("have %v, %v", findings, err)
		}
		statement, _, _ := strings.Cut(strings.TrimPrefix(findings[0].Mend, "run on the database: "), ";")
		executeIn(t, st, statement)
		wantSound(t, st, "mended")
	})
}

// TestWebhookWithoutSecretIsFound: its events cannot be signed.
func TestWebhookWithoutSecretIsFound(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st *store.Store) {
		for _, id := range []octavo.ID{"wh_1", "wh_10"} {
			secret := store.Secret{Name: store.WebhookSecrets(id) + "000001", Value: []byte("x")}
			err := st.InsertWebhook(t.Context(), store.Cause{}, store.Webhook{ID: id, URL: "https://receiver.example/"}, secret)
			if err != nil {
				t.Fatal(err)
			}
		}
		const rule = "a webhook has a secret that signs its events"
		wantFindings(t, st, rule)
		executeIn(t, st, `DELETE FROM secrets WHERE name = 'webhook/wh_1/000001'`)
		wantFindings(t, st, rule, [2]string{"wh_1", "rotate its secret"})
	})
}
