package storecheck_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// wantFindings fails unless Check finds that of each pair, and nothing else of
// its rule.
func wantFindings(t *testing.T, st database, rule string, want ...[2]string) {
	t.Helper()
	findings, err := storecheck.Check(t.Context(), st.DB)
	if err != nil {
		t.Fatal(err)
	}
	findings = slices.DeleteFunc(findings, func(f storecheck.Finding) bool { return f.Rule != rule })
	if len(findings) != len(want) {
		t.Errorf("have %v, want %v", findings, want)
	}
	for _, w := range want {
		if !slices.ContainsFunc(findings, func(f storecheck.Finding) bool { return f.Subject == w[0] && strings.Contains(f.Mend, w[1]) }) {
			t.Errorf("have %q, want %q to be mended by %q", findings, w[0], w[1])
		}
	}
}

// TestCheckLogRows: without what is remembered of the log nothing is
// removed from it any more, or nothing is written; what mends it does.
func TestCheckLogRows(t *testing.T) {
	t.Parallel()
	const rule = "what is remembered of the change log is one row"
	onDatabases(t, func(t *testing.T, st database) {
		for _, slug := range []string{"a", "b"} {
			st.create(t, slug)
		}
		if _, err := st.Log.Last(t.Context()); err != nil { // all have one then
			t.Fatal(err)
		}
		tables := []string{"change_retention"}
		if st.DB.Shared() {
			tables = append(tables, "change_position")
		}
		for _, table := range tables {
			st.execute(t, "DELETE FROM "+table)
			wantFindings(t, st, rule, [2]string{"table " + table + " has 0", "INSERT INTO " + table})
			mendAll(t, st, rule)
			wantFindings(t, st, rule)
		}
		if st.DB.Shared() {
			const end = "the change log ends with or after its newest change, and after the changes removed from it"
			st.execute(t, "UPDATE change_position SET last = 1")
			wantFindings(t, st, end, [2]string{"it ends at 1, and was at 2 before", "DELETE FROM change_position"})
			mendAll(t, st, end)
		} else { // as after a copy of the rows alone
			st.execute(t, "DELETE FROM sqlite_sequence")
			if err := st.Log.MoveFollower(t.Context(), "at the end", 2); err != nil {
				t.Fatal(err)
			}
		}
		if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
			t.Errorf("after all was mended: have %v, %v", findings, err)
		}
	})
}

// mendAll runs the statements that mend findings of a rule.
func mendAll(t *testing.T, st database, rule string) {
	t.Helper()
	findings, err := storecheck.Check(t.Context(), st.DB)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		_, statements, ok := strings.Cut(f.Mend, "run on the database: ")
		if f.Rule != rule || !ok {
			continue
		}
		for statement := range strings.SplitSeq(statements, "; ") {
			verb, _, _ := strings.Cut(statement, " ")
			if slices.Contains([]string{"DELETE", "INSERT", "DROP", "CREATE", "ALTER"}, verb) {
				st.execute(t, statement)
			}
		}
	}
}

// TestCheckImpossibleRows: in a page as such, and in an asset without bytes.
func TestCheckImpossibleRows(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		page := st.create(t, "a")
		const rule = "a page has a status that there is, and times that there are"
		for _, set := range []string{"status = 'lost'", "updated_at = -1", "updated_at = 9000000000000000"} {
			st.execute(t, "UPDATE pages SET "+set)
			wantFindings(t, st, rule, [2]string{string(page.ID), "restore the newest backup"})
			st.execute(t, "UPDATE pages SET status = 'draft', updated_at = created_at")
		}
		wantFindings(t, st, rule)

		if !st.DB.Shared() {
			return // SQLite itself looks for rows that refer to none
		}
		st.execute(t, "INSERT INTO blobs (hash, key, size, uses) VALUES ('h', 'k', 1, 1)")
		st.execute(t, "INSERT INTO assets (id, key, hash, content_type, media_type, kind, name, width, height, metadata, source, version, created_at, updated_at) VALUES ('asset_1', 'k', 'h', '', '', '', '', 0, 0, '{}', '', 1, 0, 0)")
		wantFindings(t, st, "the bytes of an asset are counted")
		st.execute(t, "ALTER TABLE assets DROP CONSTRAINT assets_hash_fkey")
		st.execute(t, "UPDATE blobs SET hash = 'lost'")
		wantFindings(t, st, "the bytes of an asset are counted", [2]string{"asset_1", "restore the newest backup"})
	})
}

// TestCheckFollowerAhead: one that was moved, or saved by hand, to where the
// log has not come is handed nothing.
func TestCheckFollowerAhead(t *testing.T) {
	t.Parallel()
	const rule = "a follower of the change log has not handled what is still to come"
	onDatabases(t, func(t *testing.T, st database) {
		for _, slug := range []string{"a", "b"} {
			st.create(t, slug)
		}
		last, err := st.Log.Last(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for name, position := range map[string]int64{"at the end": last, "ahead": last + 1, "new": 0} {
			if err := st.Log.MoveFollower(t.Context(), name, position); err != nil {
				t.Fatal(err)
			}
		}
		wantFindings(t, st, rule, [2]string{"ahead is at 3, and the log ends at 2", "UPDATE followers SET position = "})
		findings, err := storecheck.Check(t.Context(), st.DB)
		if err != nil || len(findings) != 1 {
			t.Fatalf("have %v, %v", findings, err)
		}
		statement, _, _ := strings.Cut(strings.TrimPrefix(findings[0].Mend, "run on the database: "), ";")
		st.execute(t, statement)
		wantSound(t, st, "mended")
	})
}

// TestCheckWebhookSecret: its events cannot be signed.
func TestCheckWebhookSecret(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		for _, id := range []octavo.ID{"wh_1", "wh_10"} {
			secret := accounts.Secret{Name: hookstore.SecretPrefix(id) + "000001", Value: []byte("x")}
			err := st.Hooks.Insert(t.Context(), sqldb.Cause{}, hookstore.Webhook{ID: id, URL: "https://receiver.example/"}, secret)
			if err != nil {
				t.Fatal(err)
			}
		}
		const rule = "a webhook has a secret that signs its events"
		wantFindings(t, st, rule)
		st.execute(t, `DELETE FROM secrets WHERE name = 'webhook/wh_1/000001'`)
		wantFindings(t, st, rule, [2]string{"wh_1", "rotate its secret"})
	})
}
