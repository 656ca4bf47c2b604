package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// revocationLife is how long an access token can remain valid after its
// source has ended: its lifetime, and a margin for differing clocks.
const revocationLife = 20 * time.Minute

// longestTokenLife is the lifetime of tokens that were issued by hand, for a
// person or an application (auth.MaxTokenTTL), and a margin.
const longestTokenLife = 30*24*time.Hour + 5*time.Minute

// User is a person with the hash of their password: argon2id in PHC form, or
// "" if they cannot sign in by password.
type User struct {
	octavo.User
	Password string
}

const userColumns = `u.id, u.email, u.name, u.role, u.password, u.invited, u.created_at, u.disabled_at`

// scanUser reads the columns of a person and then those of more.
func scanUser(row sqldb.Scanner, more ...any) (User, error) {
	var (
		u        User
		disabled *int64
	)
	if err := row.Scan(append([]any{&u.ID, &u.Email, &u.Name, &u.Role, &u.Password, &u.Invited, sqldb.ScanTime(&u.CreatedAt), &disabled}, more...)...); err != nil {
		return User{}, fmt.Errorf("read a person: %w", err)
	}
	u.Disabled = disabled != nil
	return u, nil
}

// Add adds a person. If somebody has the e-mail address already, it fails
// with Conflict.
func (s *Users) Add(ctx context.Context, cause sqldb.Cause, u User) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := addUser(tx, u); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.UserAdded, Subject: string(u.ID), Detail: map[string]any{"email": u.Email, "role": u.Role},
		})
	})
}

func addUser(tx *sqldb.Tx, u User) error {
	n, err := tx.Exec(`INSERT INTO users (id, email, name, role, password, invited, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (email) DO NOTHING`, u.ID, sqldb.Plain(u.Email), sqldb.Plain(u.Name), u.Role, u.Password, u.Invited, tx.Now().UnixMilli())
	if err != nil {
		return fmt.Errorf("add person %s: %w", u.ID, err)
	}
	if n == 0 {
		return octavo.Errorf(octavo.Conflict, "There is a person with the e-mail address %s already.", u.Email)
	}
	return nil
}

// ByEmail returns the person with the normalized e-mail address, even if
// disabled, or a NotFound error.
func (s *Users) ByEmail(ctx context.Context, email string) (User, error) {
	return s.user(ctx, `u.email = $1`, email)
}

// ByID returns a person, or a NotFound error.
func (s *Users) ByID(ctx context.Context, id octavo.ID) (User, error) {
	return s.user(ctx, `u.id = $1`, string(id))
}

func (s *Users) user(ctx context.Context, condition, arg string) (User, error) {
	return sqldb.One(ctx, s.read, "look up a person", octavo.Errorf(octavo.NotFound, "There is no person %q.", arg),
		func(row sqldb.Scanner) (User, error) { return scanUser(row) }, `SELECT `+userColumns+` FROM users u WHERE `+condition, sqldb.Plain(arg))
}

// List returns at most limit people, oldest first, after the given id, and
// whether more follow.
func (s *Users) List(ctx context.Context, after octavo.ID, limit int) (users []octavo.User, more bool, err error) {
	return s.list(ctx, ``, after, limit)
}

// Enabled is List without disabled people.
func (s *Users) Enabled(ctx context.Context, after octavo.ID, limit int) (users []octavo.User, more bool, err error) {
	return s.list(ctx, ` AND u.disabled_at IS NULL`, after, limit)
}

func (s *Users) list(ctx context.Context, condition string, after octavo.ID, limit int) (users []octavo.User, more bool, err error) {
	return sqldb.CollectUpTo(ctx, s.read, "list people", limit, func(row sqldb.Scanner) (octavo.User, error) {
		u, err := scanUser(row)
		return u.User, err
	}, `SELECT `+userColumns+` FROM users u WHERE u.id > $1`+condition+` ORDER BY u.id LIMIT $2`, sqldb.Plain(string(after)), limit+1)
}

// SetPassword gives a person another password. It ends their grants, their
// links and their sessions, except the one with the id keep.
func (s *Users) SetPassword(ctx context.Context, cause sqldb.Cause, id octavo.ID, password string, keep octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if _, err := lockUser(tx, id); err != nil {
			return err
		}
		if err := setPassword(tx, id, password, keep, "the password was changed"); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.UserChanged, Subject: string(id), Detail: map[string]any{"changed": "password"}})
	})
}

// setPassword is SetPassword for a locked row, without the audit entry. It
// ends the state of being invited.
func setPassword(tx *sqldb.Tx, id octavo.ID, password string, keep octavo.ID, reason string) error {
	if _, err := tx.Exec(`UPDATE users SET password = $2, invited = (invited AND $2 = '') WHERE id = $1`, id, password); err != nil {
		return fmt.Errorf("set the password of %s: %w", id, err)
	}
	if err := endLinks(tx, id); err != nil {
		return err
	}
	return endAccess(tx, id, keep, reason)
}

// endAccess ends the grants of a person, and their sessions except the one
// with the id keep.
func endAccess(tx *sqldb.Tx, id, keep octavo.ID, reason string) error {
	if _, err := endSessions(tx, `user_id = $1 AND id <> $2`, id, keep); err != nil {
		return err
	}
	return endGrants(tx, reason, `user_id = $1`, id)
}

// lockUser reads a person and keeps others from changing them until the
// transaction ends. An unknown person is a NotFound error.
func lockUser(tx *sqldb.Tx, id octavo.ID) (User, error) {
	if err := tx.LockRow("users", sqldb.Plain(string(id))); err != nil {
		return User{}, fmt.Errorf("lock person %s: %w", id, err)
	}
	u, found, err := userWhere(tx, `WHERE u.id = $1`, sqldb.Plain(string(id)))
	if err == nil && !found {
		err = octavo.Errorf(octavo.NotFound, "There is no person %q.", id)
	}
	return u, err
}
