package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Link lets the holder of a text, whose SHA-256 is Hash, set a person's password once,
// until ExpiresAt. Each new link of a person ends the one before.
type Link struct {
	Hash      [32]byte
	ExpiresAt time.Time
}

const (
	maxForgotten  = 3 // messages to one person
	forgottenSpan = time.Hour
	keepForgotten = 90 * 24 * time.Hour // strangers can cause these audit entries
)

// Any reports whether there are people, disabled or not.
func (s *Users) Any(ctx context.Context) (bool, error) {
	found, err := s.read.Row(ctx, []any{new(string)}, `SELECT id FROM users LIMIT 1`)
	return found, octavo.Wrapf(err, "look for people")
}

// AddSetupLink adds a link for creating the first person. There may be
// several, one for each process that started.
func (s *Users) AddSetupLink(ctx context.Context, l Link) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return addLink(tx, "", l) })
}

// addLink adds a link for a person whose row is locked.
func addLink(tx *sqldb.Tx, user octavo.ID, l Link) error {
	if err := endLinks(tx, user); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO setup_links (hash, user_id, expires_at) VALUES ($1, $2, $3)`, l.Hash[:], sqldb.Null(user), l.ExpiresAt.UnixMilli())
	return octavo.Wrapf(err, "add a link")
}

func endLinks(tx *sqldb.Tx, user octavo.ID) error {
	_, err := tx.Exec(`DELETE FROM setup_links WHERE user_id = $1`, user)
	return octavo.Wrapf(err, "end the links of %s", user)
}

// Invite adds a person without a password, and a link for setting one.
func (s *Users) Invite(ctx context.Context, cause sqldb.Cause, u User, l Link) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		u.Invited, u.Password = true, ""
		if err := addUser(tx, u); err != nil {
			return err
		}
		if err := addLink(tx, u.ID, l); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.UserAdded, Subject: string(u.ID), Detail: map[string]any{"email": u.Email, "role": u.Role, "by": "invitation"},
		})
	})
}

// Reset adds a link for a person. Their password, sessions and grants end.
func (s *Users) Reset(ctx context.Context, cause sqldb.Cause, id octavo.ID, l Link) (u User, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if u, err = lockUser(tx, id); err != nil {
			return err
		}
		if u.Disabled {
			return octavo.Errorf(octavo.Conflict, "The person %s is disabled: enable them first.", id)
		}
		if err := setPassword(tx, id, "", "", "the password was reset"); err != nil {
			return err
		}
		if err := addLink(tx, id, l); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.UserReset, Subject: string(id)})
	})
	return u, err
}

// Forgotten adds a link for the person with an e-mail address, and changes
// nothing else. It fails with NotFound if there is none who may sign in by
// password, and with RateLimited after three within an hour.
func (s *Users) Forgotten(ctx context.Context, cause sqldb.Cause, email string, l Link) (u User, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		var id octavo.ID
		found, err := tx.Row([]any{&id}, `SELECT u.id FROM users u WHERE u.email = $1 AND u.disabled_at IS NULL
			AND (u.password <> '' OR NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id))`, sqldb.Plain(email))
		if err != nil {
			return fmt.Errorf("look up who has forgotten a password: %w", err)
		}
		if !found {
			return octavo.Errorf(octavo.NotFound, "Nobody with this address signs in with a password.")
		}
		if u, err = lockUser(tx, id); err != nil {
			return err
		}
		var asked int
		if _, err := tx.Row([]any{&asked}, `SELECT COUNT(*) FROM audit WHERE action = $1 AND subject = $2 AND created_at > $3`,
			octavo.UserForgot, id, tx.Now().Add(-forgottenSpan).UnixMilli()); err != nil {
			return fmt.Errorf("count links of %s: %w", id, err)
		}
		if asked >= maxForgotten {
			return octavo.Errorf(octavo.RateLimited, "The person %s has been sent %d links within an hour.", id, asked)
		}
		if err := addLink(tx, id, l); err != nil {
			return err
		}
		return tx.AuditUntil(octavo.AuditEntry{Action: octavo.UserForgot, Subject: string(id)}, tx.Now().Add(keepForgotten))
	})
	return u, err
}

// linkQuery finds the person of a valid link; "" is the first person.
// Arguments are the hash and the time.
const linkQuery = `SELECT COALESCE(l.user_id, '') FROM setup_links l LEFT JOIN users u ON u.id = l.user_id
	WHERE l.hash = $1 AND l.expires_at > $2 AND CASE WHEN l.user_id IS NULL THEN NOT EXISTS (SELECT 1 FROM users) ELSE u.disabled_at IS NULL END`

// OfLink returns the person of a link, without an ID for a link that creates
// the first one. An invalid link is a NotFound error.
func (s *Users) OfLink(ctx context.Context, hash [32]byte) (User, error) {
	var id octavo.ID
	found, err := s.read.Row(ctx, []any{&id}, linkQuery, hash[:], s.db.Now().UnixMilli())
	switch {
	case err != nil:
		return User{}, fmt.Errorf("look up a link: %w", err)
	case !found:
		return User{}, linkNotValid()
	case id == "":
		return User{}, nil
	}
	return s.ByID(ctx, id)
}

func linkNotValid() error {
	return octavo.Errorf(octavo.NotFound, "This link is not valid: it was used, has expired, or there is a newer one.")
}

// UseLink sets the password of a link's person, or adds u as the first person, and
// returns the result. A link works once; an invalid one is a NotFound error.
func (s *Users) UseLink(ctx context.Context, cause sqldb.Cause, hash [32]byte, u User) (known User, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		var id octavo.ID
		found, err := tx.Row([]any{&id}, linkQuery, hash[:], tx.Now().UnixMilli())
		if err != nil {
			return fmt.Errorf("look up a link: %w", err)
		}
		if !found {
			return linkNotValid()
		}
		if id == "" {
			known = u
			return useSetupLink(tx, u)
		}
		if known, err = lockUser(tx, id); err != nil {
			return err
		}
		n, err := tx.Exec(`DELETE FROM setup_links WHERE hash = $1`, hash[:])
		if err != nil {
			return fmt.Errorf("use a link of %s: %w", id, err)
		}
		if n == 0 || known.Disabled {
			return linkNotValid()
		}
		tx.Cause().Actor = known.Actor()
		known.Password, known.Invited = u.Password, false
		if err := setPassword(tx, id, u.Password, "", "the password was changed"); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.UserChanged, Subject: string(id), Detail: map[string]any{"changed": "password", "by": "link"}})
	})
	return known, err
}

// useSetupLink adds the first person and ends every link. Of two concurrent
// calls, one finds nothing to remove.
func useSetupLink(tx *sqldb.Tx, u User) error {
	n, err := tx.Exec(`DELETE FROM setup_links`)
	if err != nil {
		return fmt.Errorf("end the set-up links: %w", err)
	}
	if n == 0 {
		return linkNotValid()
	}
	if err := addUser(tx, u); err != nil {
		return err
	}
	return tx.Audit(octavo.AuditEntry{
		Action: octavo.UserAdded, Actor: u.Actor(), Subject: string(u.ID),
		Detail: map[string]any{"email": u.Email, "role": u.Role, "by": "set-up link"},
	})
}
