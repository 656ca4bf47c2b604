package backup_test

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/blob"
)

// altered returns an archive whose entries are changed, with sums that fit.
func altered(t *testing.T, archive []byte, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	var out, sums bytes.Buffer
	w := tar.NewWriter(&out)
	in := tar.NewReader(bytes.NewReader(archive))
	for {
		entry, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Name == "SHA256SUMS" {
			content = sums.Bytes()
		} else {
			content = change(entry.Name, content)
			sum := sha256.Sum256(content)
			sums.WriteString(hex.EncodeToString(sum[:]) + "  " + entry.Name + "\n")
		}
		entry.Size = int64(len(content))
		if err := w.WriteHeader(entry); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// newerDatabase has a later program have migrated a database, on which only
// programs can work that know a version.
func newerDatabase(t *testing.T, content []byte, floor int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "octavo.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, TRUE)`)
	_, raised := db.ExecContext(t.Context(), `UPDATE schema_floor SET version = ?`, floor)
	if err = errors.Join(err, raised, db.Close()); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return content
}

// A backup of a later version is brought back where this program can work on
// its schema. Otherwise it is refused, and leaves neither the folder nor the
// bucket with anything: the right program can bring it back there.
func TestNewerBackups(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.upload("a file")
	path := filepath.Join(t.TempDir(), "b.tar")
	if _, err := backup.Make(t.Context(), p.source(p.files), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	newer := func(floor int) *bytes.Reader {
		return bytes.NewReader(altered(t, whole, func(name string, content []byte) []byte {
			if name == "octavo.db" {
				return newerDatabase(t, content, floor)
			}
			return content
		}))
	}
	target := func() backup.Target {
		bucket, err := blob.OpenFolder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := bucket.Close(); err != nil {
				t.Error(err)
			}
		})
		return backup.Target{Folder: t.TempDir(), Bucket: bucket, Location: "s3://docs", Random: rand.Reader, Opening: options(time.Now)}
	}

	to := target()
	const want = "use a newer octavo"
	if _, err := backup.Restore(t.Context(), newer(998), to); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("for newer programs: have %v, want %q in it", err, want)
	}
	if list, err := os.ReadDir(to.Folder); err != nil || len(list) > 0 {
		t.Errorf("for newer programs: have %v, %v in the folder; want nothing left", list, err)
	}
	if _, err := backup.Restore(t.Context(), bytes.NewReader(whole), to); err != nil {
		t.Errorf("the right backup, behind one for newer programs: %v", err)
	}
	if _, err := backup.Restore(t.Context(), newer(12), target()); err != nil {
		t.Errorf("one that this program can work on: %v", err)
	}
}
