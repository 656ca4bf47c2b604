package sqldb

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestNoFilesElsewhere: no connection puts files aside in folders of the system,
// which a container does not have.
func TestNoFilesElsewhere(t *testing.T) {
	t.Parallel()
	db, err := openSQLite(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	_, migrating, err := db.migrator()
	if err != nil {
		t.Fatal(err)
	}
	defer migrating.Close()
	const memory = 2
	for what, row := range map[string]interface{ Scan(...any) error }{
		"those that read":     db.pool.QueryRowContext(t.Context(), "PRAGMA temp_store"),
		"that which migrates": migrating.QueryRowContext(t.Context(), "PRAGMA temp_store"),
	} {
		var have int
		if err := row.Scan(&have); err != nil || have != memory {
			t.Errorf("%s: have temp_store %d, %v; want %d", what, have, err, memory)
		}
	}
}

// The error says that the database is writable but the files beside it are not.
func TestUnwritableFolder(t *testing.T) {
	if testenv.AsNobody(t) {
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	o := Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)}
	st, err := OpenSQLite(t.Context(), path, o)
	if err == nil {
		err = st.Close()
	}
	if err = errors.Join(err, os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700) //nolint:errcheck // else the removal of the folder tells
	if st, err = OpenSQLite(t.Context(), path, o); err == nil {
		err = st.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "must be writable by the user") {
		t.Errorf("have %v, want that the folder must be writable", err)
	}
}

// TestMissingDatabase: where the file is removed while it is open, a connection
// that is opened later fails. It makes no empty database of that name.
func TestMissingDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := openSQLite(t.Context(), path, Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	opened, err := db.pool.Conn(t.Context()) // the one that there is
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	later, err := db.pool.Conn(t.Context())
	if err == nil {
		err = errors.Join(later.PingContext(t.Context()), later.Close())
	}
	if code, _ := sqliteCode(err); code != sqlite3.SQLITE_CANTOPEN {
		t.Errorf("have %v, want that the database cannot be opened", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a new file has the name (%v)", err)
	}
}
