package accounts

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Secret is a secret of the installation under a name. The value is stored
// as it is given: the caller encrypts it (decision 60).
type Secret struct {
	Name      string
	Value     []byte
	CreatedAt time.Time
}

// Get returns the value of a secret and whether it exists.
func (s *Secrets) Get(ctx context.Context, name string) (value []byte, found bool, err error) {
	found, err = s.read.Row(ctx, []any{&value}, `SELECT value FROM secrets WHERE name = $1`, name)
	return value, found, octavo.Wrapf(err, "read secret %s", name)
}

// PutIfAbsent stores a secret unless there is one of that name, and returns
// the stored one: the same for all concurrent callers.
func (s *Secrets) PutIfAbsent(ctx context.Context, name string, value []byte) (kept []byte, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			name, value, tx.Now().UnixMilli()); err != nil {
			return fmt.Errorf("store secret %s: %w", name, err)
		}
		_, err := tx.Row([]any{&kept}, `SELECT value FROM secrets WHERE name = $1`, name)
		return octavo.Wrapf(err, "read secret %s", name)
	})
	return kept, err
}

// Add stores a secret as the newest, by CreatedAt, of those whose names
// start with prefix, even if the clock is behind.
func (s *Secrets) Add(ctx context.Context, prefix, name string, value []byte) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		var newest int64
		if _, err := tx.Row([]any{&newest}, `SELECT COALESCE(MAX(created_at), 0) FROM secrets WHERE substr(name, 1, $1) = $2`,
			utf8.RuneCountInString(prefix), prefix); err != nil {
			return fmt.Errorf("find the newest secret %s: %w", prefix, err)
		}
		if _, err := tx.Exec(`INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, $3)`,
			name, value, max(tx.Now().UnixMilli(), newest+1)); err != nil {
			return fmt.Errorf("store secret %s: %w", name, err)
		}
		return nil
	})
}

// Replace gives a secret a new value if it still has the old one, and
// reports whether it did.
func (s *Secrets) Replace(ctx context.Context, name string, old, value []byte) (replaced bool, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`UPDATE secrets SET value = $3 WHERE name = $1 AND value = $2`, name, old, value)
		if err != nil {
			return fmt.Errorf("replace secret %s: %w", name, err)
		}
		replaced = n > 0
		return nil
	})
	return replaced, err
}

// All returns the secrets whose names start with prefix, by name.
func (s *Secrets) All(ctx context.Context, prefix string) ([]Secret, error) {
	list, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (v Secret, err error) {
		err = row.Scan(&v.Name, &v.Value, sqldb.ScanTime(&v.CreatedAt))
		return v, err
	}, `SELECT name, value, created_at FROM secrets WHERE substr(name, 1, $1) = $2 ORDER BY name`,
		utf8.RuneCountInString(prefix), prefix)
	return list, octavo.Wrapf(err, "read the secrets %s", prefix)
}

// Rotate stores a secret and removes the ended ones, with an entry in the audit log. If
// the name exists, it is a Conflict: somebody else rotates at the same time.
func (s *Secrets) Rotate(ctx context.Context, cause sqldb.Cause, v Secret, ended []string, entry octavo.AuditEntry) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			v.Name, v.Value, tx.Now().UnixMilli())
		if err != nil {
			return fmt.Errorf("store secret %s: %w", v.Name, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.Conflict, "The secret is being rotated concurrently. Try again.")
		}
		for _, name := range ended {
			if _, err := tx.Exec(`DELETE FROM secrets WHERE name = $1`, name); err != nil {
				return fmt.Errorf("remove secret %s: %w", name, err)
			}
		}
		return tx.Audit(entry)
	})
}

// Delete removes a secret; a missing one is no error.
func (s *Secrets) Delete(ctx context.Context, name string) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`DELETE FROM secrets WHERE name = $1`, name)
		return octavo.Wrapf(err, "remove secret %s", name)
	})
}
