package store_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
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
	if err := keeper.KeepFiles(t.Context(), here); err != nil {
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

// TestPostgresFilesWereMoved: a process whose files were moved while it was cut
// off, or whose database was replaced or brought back beneath it, is told so.
func TestPostgresFilesWereMoved(t *testing.T) {
	t.Parallel()
	here := store.Place{Mark: "here", Where: "here"}
	for name, c := range map[string]struct {
		change string
		cut    bool
		want   string // what is told; nothing where empty
	}{
		"cut off":                  {`SELECT 1`, true, ""},
		"moved while cut off":      {`UPDATE settings SET value = 'there the bucket' WHERE name = 'files.place'`, true, "has its files in the bucket, with the mark there"},
		"a copy with its marks":    {`UPDATE settings SET value = 'here the copy' WHERE name = 'files.place'`, true, "has its files in the copy, with the mark here, and not in here"},
		"brought back":             {`UPDATE settings SET value = 'before before' WHERE name = 'files.place'`, false, "has its files in before"},
		"about to be brought back": {`DELETE FROM settings WHERE name = 'files.place'`, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testenv.Postgres(t)
			keeper := open(t, options(), store.OpenPostgres, url)
			defer keeper.Close()
			if _, err := keeper.BindFiles(t.Context(), store.Place{}, here); err != nil {
				t.Fatal(err)
			}
			if err := keeper.KeepFiles(t.Context(), here); err != nil {
				t.Fatal(err)
			}
			execute(t, url, c.change)
			if c.cut {
				execute(t, url, endKeepers)
			}
			wait := 30 * time.Second
			if c.want == "" {
				wait = 2 * time.Second
			}
			select {
			case err := <-keeper.FilesMoved():
				if c.want == "" || !strings.Contains(err.Error(), c.want) {
					t.Errorf("have %v, want %q", err, c.want)
				}
			case <-time.After(wait):
				if c.want != "" {
					t.Error("nothing was told")
				}
			}
		})
	}
}

// TestKeeperLooks: a database without a place, as one that is being brought back,
// is waited for, but not for long.
func TestKeeperLooks(t *testing.T) {
	t.Parallel()
	here := store.Place{Mark: "here", Where: "here"}
	look := store.KeeperLook(here)
	for range 2 {
		for range store.KeptPatience {
			if err := look(store.Place{}, false); err != nil {
				t.Fatal(err)
			}
		}
		if err := look(here, true); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	for range store.KeptPatience + 1 {
		err = look(store.Place{}, false)
	}
	if err == nil || !strings.Contains(err.Error(), "names no place for files any more") {
		t.Errorf("have %v", err)
	}
}

// TestPostgresNoRowsOfOtherPlaces: a process whose files were moved writes no row
// that names one, from the moment of the move.
func TestPostgresNoRowsOfOtherPlaces(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	st := open(t, options(), store.OpenPostgres, url)
	defer st.Close()
	here := store.Place{Mark: "here", Where: "here"}
	if _, err := st.BindFiles(t.Context(), store.Place{}, here); err != nil {
		t.Fatal(err)
	}
	upload := func(key string) error {
		return st.Write(t.Context(), store.Cause{}, func(tx *store.Tx) error {
			_, _, err := tx.CreateAsset(store.NewAsset{Key: key, ContentType: "text/plain", Name: key, Blob: store.Blob{Key: "blob" + key, Hash: sha256.Sum256([]byte(key)), Size: 1}})
			return err
		})
	}
	if err := upload("before"); err != nil {
		t.Fatal(err)
	}
	if err := st.KeepFiles(t.Context(), here); err != nil {
		t.Fatal(err)
	}
	if err := upload("kept"); err != nil {
		t.Fatal(err)
	}
	execute(t, url, `UPDATE settings SET value = 'here there' WHERE name = 'files.place'`)
	wantType(t, upload("moved"), octavo.Unavailable)
}

// TestPostgresKnowsItsOwnFilesAlone: what a database does not know that has its
// files elsewhere, or knows of none, is not told to be unused.
func TestPostgresKnowsItsOwnFilesAlone(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	st := open(t, options(), store.OpenPostgres, url)
	defer st.Close()
	here := store.Place{Mark: "here", Where: "here"}
	if _, err := st.BindFiles(t.Context(), store.Place{}, here); err != nil {
		t.Fatal(err)
	}
	store.SetKept(st, here)
	if known, err := st.KnownBlobs(t.Context(), []string{"blob"}); err != nil || len(known) != 0 {
		t.Errorf("have %v, %v; want none known", known, err)
	}
	for _, change := range []string{
		`UPDATE settings SET value = 'here there' WHERE name = 'files.place'`,
		`DELETE FROM settings WHERE name = 'files.place'`,
	} {
		execute(t, url, change)
		if known, err := st.KnownBlobs(t.Context(), []string{"blob"}); err == nil || !strings.Contains(err.Error(), "another place") {
			t.Errorf("after %s: have %v, %v; want a refusal", change, known, err)
		}
	}
}

// TestPostgresNoMoveBesideRows: while a row is written that names a file, nobody
// moves the files, also when others have forgotten that this process keeps some.
func TestPostgresNoMoveBesideRows(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	st, other := open(t, options(), store.OpenPostgres, url), open(t, options(), store.OpenPostgres, url)
	defer other.Close()
	defer st.Close()
	here, there := store.Place{Mark: "here", Where: "here"}, store.Place{Mark: "there", Where: "there"}
	if _, err := st.BindFiles(t.Context(), store.Place{}, here); err != nil {
		t.Fatal(err)
	}
	store.SetKept(st, here)
	for name, write := range map[string]func(*store.Tx) error{
		"asset": func(tx *store.Tx) error {
			_, _, err := tx.CreateAsset(store.NewAsset{Key: "key", ContentType: "text/plain", Name: "name", Blob: store.Blob{Key: "blobblob", Size: 1}})
			return err
		},
		"bytes": func(tx *store.Tx) error {
			_, err := tx.MoveBlob("blobblob", "blobnext")
			return err
		},
	} {
		err := st.Write(t.Context(), store.Cause{}, func(tx *store.Tx) error {
			if err := write(tx); err != nil {
				return err
			}
			if _, err := other.MoveFiles(t.Context(), here, there, 0); !errors.Is(err, store.ErrFilesKept) {
				t.Errorf("%s: moved beside it: %v", name, err)
			}
			return errors.New("undone")
		})
		if err == nil || err.Error() != "undone" {
			t.Errorf("%s: have %v", name, err)
		}
	}
	if _, err := other.MoveFiles(t.Context(), here, there, 0); err != nil {
		t.Error(err)
	}
}
