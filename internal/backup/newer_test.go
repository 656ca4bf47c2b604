package backup_test

import (
	"archive/tar"
	"bytes"
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

// newerDatabase has a later program have migrated a database.
func newerDatabase(t *testing.T, content []byte) []byte {
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
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return content
}

// A backup of a later version is refused, whether its label says so or its
// database alone, and leaves neither the folder nor the bucket with anything:
// the right program can bring it back there.
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
	for what, c := range map[string]struct {
		change func(name string, content []byte) []byte
		want   string
	}{
		"the label": {func(name string, content []byte) []byte {
			if name == "octavo-backup.json" {
				return []byte(`{"format":1,"program":"v9.9.9","schemaVersion":999}`)
			}
			return content
		}, "the backup has schema version 999, but this program knows only up to "},
		"the database": {func(name string, content []byte) []byte {
			if name == "octavo.db" {
				return newerDatabase(t, content)
			}
			return content
		}, "use a newer octavo"},
	} {
		bucket, err := blob.OpenFolder(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer bucket.Close()
		dir := t.TempDir()
		to := backup.Target{Folder: dir, Files: bucket, Opening: options(time.Now)}
		_, err = backup.Restore(t.Context(), bytes.NewReader(altered(t, whole, c.change)), to)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s is newer: have %v, want %q in it", what, err, c.want)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Errorf("%s is newer: have %v, %v in the folder; want nothing left", what, list, err)
		}
		if _, err := backup.Restore(t.Context(), bytes.NewReader(whole), to); err != nil {
			t.Errorf("%s was newer: the right backup: %v", what, err)
		}
	}
}
