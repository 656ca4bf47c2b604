// Package backup copies a running installation on SQLite into one file, with a
// consistent state of its database and files, and restores it into an empty place.
//
// A backup is a tar archive. It begins with an entry that states its format. Then come
// the database and the files, each in a folder named by the first two characters of its
// key. It ends with a list of their SHA-256, in the form of the program sha256sum.
// Because the list comes last, a truncated archive has none and is never taken for a
// backup.
//
// The database is copied first, then the files that the copy names. Deletions meanwhile
// could remove some of them, so a backup first protects the files: see [Held], which
// everything that removes files must use.
//
// PostgreSQL has its own tools and is not copied here. Start with [Make] and [Restore].
package backup

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Format is the version of the backup format that this program writes and reads.
const Format = 1

// The entries of an archive except files, in order.
const (
	labelEntry    = "octavo-backup.json"
	databaseEntry = "octavo.db"
	sumsEntry     = "SHA256SUMS"
)

// filesPrefix begins the entries of files.
const filesPrefix = "files/"

// Label describes a backup; it is its first entry.
type Label struct {
	Format    int       `json:"format"`
	CreatedAt time.Time `json:"createdAt"` // the database has the state of this time or slightly later
	Program   string    `json:"program"`   // version of the program that made it
	Schema    int64     `json:"schemaVersion"`
}

// ErrNoBackup means that a file is no backup, or a truncated one.
var ErrNoBackup = errors.New("this is not a complete backup of octavo")

// maxLabel is the maximum size of a label in bytes.
const maxLabel = 64 << 10

func readLabel(r io.Reader) (l Label, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxLabel))
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return l, fmt.Errorf("%w: its first entry cannot be read: %w", ErrNoBackup, err)
	}
	if l.Format != Format {
		return l, fmt.Errorf("the backup has format %d, and this program understands only %d: use the program that made it, octavo %s", l.Format, Format, l.Program)
	}
	return l, nil
}

// entryOf returns the path of a file in an archive.
func entryOf(key string) string { return filesPrefix + key[:2] + "/" + key }

// keyOf returns the key of the file in an entry.
func keyOf(entry string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(entry, filesPrefix)
	dir, key, found := strings.Cut(rest, "/")
	return key, ok && found && len(key) > 2 && key[:2] == dir && !strings.ContainsAny(key, "/\\.")
}

// sums are SHA-256 sums by entry name.
type sums map[string][32]byte

// line is a line of the list of sums.
func line(entry string, sum [32]byte) string { return hex.EncodeToString(sum[:]) + "  " + entry + "\n" }

// compare checks the list of sums of an archive against the entries that were read.
func (s sums) compare(r io.Reader) error {
	listed := 0
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text, entry, found := bytes.Cut(lines.Bytes(), []byte("  "))
		sum, known := s[string(entry)]
		switch {
		case !found:
			return fmt.Errorf("%w: its list of sums cannot be read", ErrNoBackup)
		case !known:
			return fmt.Errorf("%w: %s is missing", ErrNoBackup, entry)
		case hex.EncodeToString(sum[:]) != string(text):
			return fmt.Errorf("%w: %s is damaged, its SHA-256 is %x and was %s", ErrNoBackup, entry, sum, text)
		}
		listed++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the list of sums: %w", err)
	}
	if listed != len(s) {
		return fmt.Errorf("%w: it has %d entries and sums of %d", ErrNoBackup, len(s), listed)
	}
	return nil
}
