package store_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func openSQLite(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	st, err := store.OpenSQLite(context.Background(), filepath.Join(t.TempDir(), "octavo.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func openPostgres(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	st, err := store.OpenPostgres(context.Background(), testenv.Postgres(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestSQLite(t *testing.T)   { storetest.Run(t, openSQLite) }
func TestPostgres(t *testing.T) { storetest.Run(t, openPostgres) }
