package assetstore

import (
	"context"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const filesSetting = "files"

// OldRoot is where versions without a files identifier stored files:
// directly in the folder or bucket.
const OldRoot = "/"

// Files says where the files of an installation are. The zero Files are for
// an installation that never had any.
type Files struct {
	ID       string `json:"id"`                 // the folder or prefix of all files
	Location string `json:"location,omitempty"` // the folder or bucket that it is in
	// Old, unless "", is the earlier identifier of the files, or [OldRoot].
	// Some may still be there, and have to be moved or copied.
	Old  string `json:"old,omitempty"`
	Move bool   `json:"move,omitempty"`
	Lost bool   `json:"lost,omitempty"` // the operator has given up all earlier files
	// Mark is the key of a file that identifies the folder. Containers that share no
	// disk may have different folders at the same path. "" until the file exists.
	Mark string `json:"mark,omitempty"`

	text string // as stored
}

// NewKey returns a key for a file, or a files identifier, of 128 random bits.
func NewKey(random io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("make a key: %w", err)
	}
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:])), nil
}

// Files returns the location of the installation's files.
func (s *Assets) Files(ctx context.Context) (Files, error) {
	text, _, err := s.db.Setting(ctx, filesSetting)
	if err != nil {
		return Files{}, err
	}
	return parseFiles(text)
}

func parseFiles(text string) (f Files, err error) {
	if text == "" {
		return f, nil
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return f, fmt.Errorf("read where the files are: %w", err)
	}
	f.text = text
	return f, nil
}

// SetFiles replaces the location was by is, unless it has changed meanwhile. It returns
// the resulting location, which is the same for all concurrent callers.
func (s *Assets) SetFiles(ctx context.Context, was, is Files) (now Files, err error) {
	text, err := json.Marshal(is)
	if err != nil {
		return now, fmt.Errorf("write where the files are: %w", err)
	}
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if err := tx.Lock(sqldb.FilesLock); err != nil {
			return err
		}
		if was.text == "" {
			_, err = tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, filesSetting, string(text))
		} else {
			_, err = tx.Exec(`UPDATE settings SET value = $3 WHERE name = $1 AND value = $2`, filesSetting, was.text, string(text))
		}
		if err != nil {
			return fmt.Errorf("write where the files are: %w", err)
		}
		var stored string
		if _, err := tx.Row([]any{&stored}, `SELECT value FROM settings WHERE name = $1`, filesSetting); err != nil {
			return fmt.Errorf("read where the files are: %w", err)
		}
		now, err = parseFiles(stored)
		return err
	})
	return now, err
}

// checkFiles refuses a file that was put under another identifier than that
// of the database, where nobody would find it. A server may do so if it was
// disconnected while octavo migrate assigned a new identifier.
func checkFiles(tx *sqldb.Tx, id string) error {
	if err := tx.LockShared(sqldb.FilesLock); err != nil {
		return err
	}
	var text string
	if _, err := tx.Row([]any{&text}, `SELECT value FROM settings WHERE name = $1`, filesSetting); err != nil {
		return fmt.Errorf("read where the files are: %w", err)
	}
	have, err := parseFiles(text)
	if err == nil && have.ID != id {
		err = octavo.Errorf(octavo.Unavailable, "The files identifier has changed since this server was started. Restart the server.")
	}
	return err
}

// CountFiles returns how many files the database names. It counts only
// exports that are ready, and imports that have not ended.
func (s *Assets) CountFiles(ctx context.Context) (n int, err error) {
	read := s.db.Read().Within(0)
	_, err = read.Row(ctx, []any{&n}, `SELECT (SELECT COUNT(*) FROM blobs) + (SELECT COUNT(*) FROM exports x WHERE x.blob <> '' AND x.status = 'ready')
		+ (SELECT COUNT(*) FROM imports i WHERE i.blob <> '')`)
	return n, octavo.Wrapf(err, "count the files")
}
