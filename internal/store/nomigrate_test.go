package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestNoMigrateRefusesAnotherSchema checks that a command which promises to
// change nothing does not bring a schema up to date.
func TestNoMigrateRefusesAnotherSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "octavo.db")
	ctx := context.Background()
	look := func() {
		t.Helper()
		st, err := store.OpenSQLite(ctx, path, store.Options{NoMigrate: true})
		if err == nil {
			st.Close()
			t.Fatal("an empty database is opened as it is")
		}
		if !errors.Is(err, sqldb.ErrEmpty) || !strings.Contains(err.Error(), "octavo migrate") {
			t.Errorf("have %v, want ErrEmpty, which names octavo migrate", err)
		}
	}
	look()
	if _, err := os.Stat(path); err == nil {
		t.Error("looking made a file")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	look()
	if text, err := os.ReadFile(path); err != nil || len(text) > 0 {
		t.Errorf("looking left %d bytes in an empty file, %v; want none", len(text), err)
	}
	db, err := sql.Open("sqlite", path) // one without a schema, such as a kill leaves
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		t.Fatal(err)
	}
	look()
	var tables int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master").Scan(&tables); err != nil || tables != 0 {
		t.Errorf("looking left %d tables in the database, %v; want none", tables, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := store.OpenSQLite(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	if st, err = store.OpenSQLite(ctx, path, store.Options{NoMigrate: true}); err != nil {
		t.Fatalf("a schema that is up to date: %v", err)
	}
	defer st.Close()
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s: have mode %o, want 600", filepath.Base(name), mode)
		}
	}
}

// TestLostMigrations: without what says how far the schema is, a database with
// all that was written is neither taken for an empty one nor begun anew. What was
// lost mends it.
func TestLostMigrations(t *testing.T) {
	t.Parallel()
	const rows = "INSERT INTO goose_db_version SELECT * FROM copied"
	for _, c := range []struct{ lose, mend string }{
		{"ALTER TABLE goose_db_version RENAME TO lost", "ALTER TABLE lost RENAME TO goose_db_version"},
		{"DELETE FROM goose_db_version", rows},
		{"DELETE FROM goose_db_version WHERE version_id > 0", rows + " WHERE version_id > 0"},
	} {
		for name, kind := range map[string]struct {
			opener  func(context.Context, string, store.Options) (*store.Store, error)
			address string
		}{
			"sqlite":   {store.OpenSQLite, filepath.Join(t.TempDir(), "octavo.db")},
			"postgres": {store.OpenPostgres, testenv.Postgres(t)},
		} {
			st := storetest.Open(t, storetest.Options(time.Now), kind.opener, kind.address)
			if err := storetest.Execute(t.Context(), st, "CREATE TABLE copied AS SELECT * FROM goose_db_version"); err != nil {
				t.Fatal(err)
			}
			if err := storetest.Execute(t.Context(), st, c.lose); err != nil {
				t.Fatal(err)
			}
			for _, o := range []store.Options{{NoMigrate: true}, {}} {
				again, err := kind.opener(t.Context(), kind.address, o)
				if err == nil {
					again.Close()
				}
				if err == nil || errors.Is(err, sqldb.ErrEmpty) || !strings.Contains(err.Error(), "goose_db_version, which records the version of their schema, is missing or empty") {
					t.Errorf("%s, after %s: have %v, want what is gone", name, c.lose, err)
				}
			}
			if err := storetest.Execute(t.Context(), st, c.mend); err != nil {
				t.Fatal(err)
			}
			if err := st.Close(); err != nil {
				t.Fatal(err)
			}
			st, err := kind.opener(t.Context(), kind.address, store.Options{NoMigrate: true})
			if err != nil {
				t.Fatalf("%s, after %s and %s: %v", name, c.lose, c.mend, err)
			}
			if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
				t.Errorf("brought back: have %v, %v; want nothing", findings, err)
			}
			st.Close()
		}
	}
}
