package store

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// HasUsers reports whether there is a person, disabled or not.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	found, err := s.read.row(ctx, []any{new(string)}, `SELECT id FROM users LIMIT 1`)
	if err != nil {
		return false, fmt.Errorf("look for people: %w", err)
	}
	return found, nil
}

// AddSetupLink lets whoever has what hashes to hash add the first person until
// expires. Several links may stand, one for each process that started.
func (s *Store) AddSetupLink(ctx context.Context, hash [32]byte, expires time.Time) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		if _, err := tx.exec(`INSERT INTO setup_links (hash, expires_at) VALUES ($1, $2)`, hash[:], expires.UnixMilli()); err != nil {
			return fmt.Errorf("add a set-up link: %w", err)
		}
		return nil
	})
}

// SetupLinkValid reports whether UseSetupLink would take the link.
func (s *Store) SetupLinkValid(ctx context.Context, hash [32]byte) (bool, error) {
	found, err := s.read.row(ctx, []any{new(int64)}, `SELECT expires_at FROM setup_links
		WHERE hash = $1 AND expires_at > $2 AND NOT EXISTS (SELECT 1 FROM users)`, hash[:], s.now().UnixMilli())
	if err != nil {
		return false, fmt.Errorf("look up a set-up link: %w", err)
	}
	return found, nil
}

// UseSetupLink adds the first person. It voids every link; one that is not
// valid, or not any more, is a NotFound error.
func (s *Store) UseSetupLink(ctx context.Context, cause Cause, hash [32]byte, u User) error {
	return s.write(ctx, cause, func(tx *Tx) error {
		found, err := tx.row([]any{new(int64)}, `SELECT expires_at FROM setup_links
			WHERE hash = $1 AND expires_at > $2 AND NOT EXISTS (SELECT 1 FROM users)`, hash[:], tx.now.UnixMilli())
		if err != nil {
			return fmt.Errorf("look up a set-up link: %w", err)
		}
		if found { // of two who come at once, one finds nothing to remove
			n, err := tx.exec(`DELETE FROM setup_links`)
			if err != nil {
				return fmt.Errorf("void the set-up links: %w", err)
			}
			found = n > 0
		}
		if !found {
			return octavo.Errorf(octavo.NotFound, "This set-up link is not valid: it was used, or has expired.")
		}
		if err := tx.addUser(u); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.UserAdded, Actor: u.Actor(), Subject: string(u.ID),
			Detail: map[string]any{"email": u.Email, "role": u.Role, "by": "set-up link"},
		})
	})
}
