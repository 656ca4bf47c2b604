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
		dialect, query := "sqlite", `SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'`
		if st.Shared() {
			dialect, query = "postgres", `SELECT CASE relkind WHEN 'r' THEN 'table ' ELSE 'index ' END || relname FROM pg_class
				WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i') AND relname NOT LIKE 'goose_%'
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
	const rule = "the tables, indexes and triggers of the schema are there"
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
		wantFindings(t, st, rule)
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
