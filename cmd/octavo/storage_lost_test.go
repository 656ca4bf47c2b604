package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// entries are the names in a folder, but of the file that locks it.
func entries(t *testing.T, dir string) (names string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Name() != storage.LockFile {
			names += e.Name() + " "
		}
	}
	return names
}

// TestADatabaseOnADiskThatIsGone: no database is made through a link that leads
// nowhere, and what was written beside where it led stays.
func TestADatabaseOnADiskThatIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, disk := filepath.Join(dir, "d"), filepath.Join(dir, "disk")
	for _, folder := range []string{data, disk} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(disk, "real.db"), filepath.Join(data, storage.DatabaseFile)); err != nil {
		t.Fatal(err)
	}
	wal := filepath.Join(disk, "real.db-wal")
	if err := os.WriteFile(wal, []byte("writes"), 0o600); err != nil {
		t.Fatal(err)
	}
	const why = "real.db, which leads to no file: is its disk mounted?"
	serve := []string{"serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--data", data}
	run(t, exitFailed, why, serve...)
	run(t, exitFailed, why, "migrate", "--data", data)
	run(t, exitFailed, why, "keys", "list", "--data", data)
	run(t, exitFailed, why, "import", "--dry-run", "--data", data, t.TempDir())
	if have := entries(t, disk); have != "real.db-wal " {
		t.Errorf("have %q on the disk, want what was written alone", have)
	}
	if err := os.WriteFile(filepath.Join(disk, "real.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, exitFailed, "real.db-wal holds writes, but the database octavo.db", serve...)
	if text, err := os.ReadFile(wal); string(text) != "writes" {
		t.Errorf("have %q, %v, want the writes", text, err)
	}
}

// TestALostDatabaseWithoutFiles: where an installation has its mark no other one
// begins, and nothing is made that a restore would refuse.
func TestALostDatabaseWithoutFiles(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(*testing.T) []string{
		"folder": func(*testing.T) []string { return nil },
		"bucket": func(t *testing.T) []string { return []string{"--blob-url", testenv.S3(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			data, backup := filepath.Join(dir, "d"), filepath.Join(dir, "b.tar")
			flags := append([]string{"--data", data}, place(t)...)
			s := startServer(t, data, flags...)
			s.stop()
			<-s.ended
			run(t, exitDone, "", append([]string{"backup", backup}, flags...)...)
			if err := os.Rename(filepath.Join(data, storage.DatabaseFile), filepath.Join(dir, "lost")); err != nil {
				t.Fatal(err)
			}
			before := entries(t, data)
			for _, command := range []string{"serve --addr 127.0.0.1:0 --ops-addr=", "keys create --name n --scopes pages:read", "migrate", "import " + t.TempDir(), "import --dry-run " + t.TempDir()} {
				run(t, exitFailed, "lies under owner/, but the database octavo.db is not there or empty: bring it back from a backup, or ", append(strings.Fields(command), flags...)...)
			}
			if have := entries(t, data); have != before {
				t.Errorf("have %q in the folder, want %q as before", have, before)
			}
			run(t, exitDone, "", "restore", "--data", filepath.Join(dir, "r"), backup)
		})
	}
}

// TestRestoredWhereNothingIs: a folder that was mistyped, or an empty database, is
// none that was brought back.
func TestRestoredWhereNothingIs(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "d")
	run(t, exitFailed, "holds no data of octavo", "migrate", "--restored", "--data", data)
	if _, err := os.Stat(data); err == nil {
		t.Error("the folder was made")
	}
	url := testenv.Postgres(t)
	for range 2 {
		run(t, exitFailed, "holds nothing of octavo", "migrate", "--restored", "--database-url", url)
	}
	run(t, exitDone, "", "migrate", "--database-url", url)
	run(t, exitDone, "", "migrate", "--restored", "--database-url", url)
}

// TestPartsOfAPlace: no prefix leads to where another installation keeps what is
// not its files.
func TestPartsOfAPlace(t *testing.T) {
	t.Parallel()
	for _, name := range []string{assets.OwnerName, live.ShelfName, "tmp"} { // package blob refuses that one as a name

		o := config.Storage{Data: "d", BlobURL: config.Bucket("s3://key:hush@s3.example/bucket?prefix=docs/" + name)}
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), "with the part "+name) {
			t.Errorf("%s: have %v, want it refused", o.BlobURL, err)
		}
	}
}
