package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestOnePlace: of all who name a place at once one does, and it is changed by
// who knows it alone.
func TestOnePlace(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st *store.Store) {
		named := make([]store.Place, 8)
		var group sync.WaitGroup
		for i := range named {
			group.Go(func() {
				var err error
				named[i], err = st.BindFiles(t.Context(), store.Place{}, store.Place{Mark: string(rune('a' + i)), Where: "the folder of a b"})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		first, found, err := st.FilesPlace(t.Context())
		if err != nil || !found {
			t.Fatalf("have %v, %v", found, err)
		}
		for _, p := range named {
			if p != first {
				t.Errorf("have %v, want %v", p, first)
			}
		}
		next := store.Place{Mark: "next", Where: "elsewhere"}
		if have, err := st.BindFiles(t.Context(), next, store.Place{Mark: "never"}); err != nil || have != first {
			t.Errorf("from a place that is not named: have %v, %v; want %v", have, err, first)
		}
		if _, err := st.MoveFiles(t.Context(), first, next, 1); !errors.Is(err, store.ErrFilesKept) {
			t.Errorf("with one file that the database does not name: have %v", err)
		}
		if have, err := st.MoveFiles(t.Context(), first, next, 0); err != nil || have != next {
			t.Errorf("have %v, %v; want %v", have, err, next)
		}
	})
}

// TestPostgresFilesAreKept: while a process keeps files nobody moves them, also
// when it had lost its connection, and once it has ended they may be.
func TestPostgresFilesAreKept(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	keeper, other := open(t, options(), store.OpenPostgres, url), open(t, options(), store.OpenPostgres, url)
	defer other.Close()
	defer keeper.Close()
	here := store.Place{Mark: "here", Where: "here"}
	if _, err := other.BindFiles(t.Context(), store.Place{}, here); err != nil {
		t.Fatal(err)
	}
	kept := func() bool {
		_, err := other.MoveFiles(t.Context(), here, here, 0)
		if err != nil && !errors.Is(err, store.ErrFilesKept) {
			t.Fatal(err)
		}
		return err != nil
	}
	if kept() {
		t.Error("files are kept before anybody does")
	}
	if err := keeper.KeepFiles(t.Context(), "here"); err != nil {
		t.Fatal(err)
	}
	if !kept() {
		t.Error("files are not kept")
	}
	execute(t, url, endKeepers)
	until(t, "the process keeps files again", kept)
	if err := keeper.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, "nobody keeps files", func() bool { return !kept() })
}

// endKeepers ends the connections that keep files.
const endKeepers = `SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// TestPostgresFilesWereMoved: a process that was cut off while its files were
// moved, or its database was replaced, is told so when it is back.
func TestPostgresFilesWereMoved(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]string{
		`SELECT 1`: "",
		`UPDATE settings SET value = 'there the bucket' WHERE name = 'files.place'`: "has its files in the bucket, with the mark there",
		`DELETE FROM settings WHERE name = 'files.place'`:                           "names no place for files any more",
	} {
		url := testenv.Postgres(t)
		keeper := open(t, options(), store.OpenPostgres, url)
		defer keeper.Close()
		if _, err := keeper.BindFiles(t.Context(), store.Place{}, store.Place{Mark: "here", Where: "here"}); err != nil {
			t.Fatal(err)
		}
		if err := keeper.KeepFiles(t.Context(), "here"); err != nil {
			t.Fatal(err)
		}
		execute(t, url, change)
		execute(t, url, endKeepers)
		wait := 30 * time.Second
		if want == "" {
			wait = 2 * time.Second
		}
		select {
		case err := <-keeper.FilesMoved():
			if want == "" || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: have %v, want %q", change, err, want)
			}
		case <-time.After(wait):
			if want != "" {
				t.Errorf("%s: nothing was told", change)
			}
		}
	}
}
