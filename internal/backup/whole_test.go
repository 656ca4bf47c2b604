package backup_test

import (
	"crypto/rand"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/octavo-docs/octavo/internal/backup"
)

// On a full disk SQLite silently leaves writes to the restored database in its log.
// Restoring then fails, rather than installing a file without them. A concurrent reader
// simulates that.
func TestRestoreIncompleteDatabase(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.upload("a file")
	path := filepath.Join(t.TempDir(), "backup.tar")
	_, err := backup.Make(t.Context(), backup.Source{Store: p.st, Files: p.files, Now: p.clock, Opening: options(p.clock)}, path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	folder := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(folder, backup.Staging, "octavo.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var once sync.Once
	o := options(p.clock)
	o.Committed = func(int, time.Duration) {
		once.Do(func() {
			if err := db.PingContext(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := db.ExecContext(t.Context(), `SELECT * FROM assets`); err != nil {
				t.Error(err)
			}
		})
	}
	_, err = backup.Restore(t.Context(), file, backup.Target{Folder: folder, Random: rand.Reader, Opening: o})
	if err == nil || !strings.Contains(err.Error(), "octavo.db-wal") {
		t.Errorf("have error %v, want one about octavo.db-wal", err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) > 0 {
		t.Errorf("have %v in the folder, error %v, want nothing", list, err)
	}
}
