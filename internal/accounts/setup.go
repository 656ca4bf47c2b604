package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Any reports whether there is a person, disabled or not.
func (s *Users) Any(ctx context.Context) (bool, error) {
	found, err := s.read.Row(ctx, []any{new(string)}, `SELECT id FROM users LIMIT 1`)
	if err != nil {
		return false, fmt.Errorf("look for people: %w", err)
	}
	return found, nil
}

// AddSetupLink lets whoever has what hashes to hash add the first person until
// expires. Several links may stand, one for each process that started.
func (s *Users) AddSetupLink(ctx context.Context, hash [32]byte, expires time.Time) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`INSERT INTO setup_links (hash, expires_at) VALUES ($1, $2)`, hash[:], expires.UnixMilli()); err != nil {
			return fmt.Errorf("add a set-up link: %w", err)
		}
		return nil
	})
}

// SetupLinkValid reports whether UseSetupLink would take the link.
func (s *Users) SetupLinkValid(ctx context.Context, hash [32]byte) (bool, error) {
	found, err := s.read.Row(ctx, []any{new(int64)}, `SELECT expires_at FROM setup_links
		WHERE hash = $1 AND expires_at > $2 AND NOT EXISTS (SELECT 1 FROM users)`, hash[:], s.db.Now().UnixMilli())
	if err != nil {
		return false, fmt.Errorf("look up a set-up link: %w", err)
	}
	return found, nil
}

// UseSetupLink adds the first person. It voids every link; one that is not
// valid, or not any more, is a NotFound error.
func (s *Users) UseSetupLink(ctx context.Context, cause sqldb.Cause, hash [32]byte, u User) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		found, err := tx.Row([]any{new(int64)}, `SELECT expires_at FROM setup_links
			WHERE hash = $1 AND expires_at > $2 AND NOT EXISTS (SELECT 1 FROM users)`, hash[:], tx.Now().UnixMilli())
		if err != nil {
			return fmt.Errorf("look up a set-up link: %w", err)
		}
		if found { // of two who come at once, one finds nothing to remove
			n, err := tx.Exec(`DELETE FROM setup_links`)
			if err != nil {
				return fmt.Errorf("void the set-up links: %w", err)
			}
			found = n > 0
		}
		if !found {
			return octavo.Errorf(octavo.NotFound, "This set-up link is not valid: it was used, or has expired.")
		}
		if err := addUser(tx, u); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.UserAdded, Actor: u.Actor(), Subject: string(u.ID),
			Detail: map[string]any{"email": u.Email, "role": u.Role, "by": "set-up link"},
		})
	})
}
