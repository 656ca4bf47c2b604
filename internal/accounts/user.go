package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// revocationLife is how long an access token can still be valid after what it
// comes from was ended: their life, and a margin for clocks that differ.
const revocationLife = 20 * time.Minute

// longestTokenLife is that of tokens which were issued by hand, for a person or an
// application (auth.MaxTokenTTL), and some time beyond.
const longestTokenLife = 30*24*time.Hour + 5*time.Minute

// User is a person with what their password is checked against: argon2id in
// PHC form, "" where no password lets them in.
type User struct {
	octavo.User
	Password string
}

const userColumns = `u.id, u.email, u.name, u.role, u.password, u.created_at, u.disabled_at`

// scanUser reads the columns of a person and then those of more.
func scanUser(row sqldb.Scanner, more ...any) (User, error) {
	var (
		u        User
		disabled *int64
	)
	if err := row.Scan(append([]any{&u.ID, &u.Email, &u.Name, &u.Role, &u.Password, sqldb.ScanTime(&u.CreatedAt), &disabled}, more...)...); err != nil {
		return User{}, fmt.Errorf("read a person: %w", err)
	}
	u.Disabled = disabled != nil
	return u, nil
}

// Add adds a person. Where somebody has the e-mail address already it
// fails with Conflict.
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
	n, err := tx.Exec(`INSERT INTO users (id, email, name, role, password, created_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (email) DO NOTHING`, u.ID, sqldb.Plain(u.Email), sqldb.Plain(u.Name), u.Role, u.Password, tx.Now().UnixMilli())
	if err != nil {
		return fmt.Errorf("add person %s: %w", u.ID, err)
	}
	if n == 0 {
		return octavo.Errorf(octavo.Conflict, "There is a person with the e-mail address %s already.", u.Email)
	}
	return nil
}

// ByEmail returns the person with the e-mail address, in its normal form,
// also when they are disabled, or a NotFound error.
func (s *Users) ByEmail(ctx context.Context, email string) (User, error) {
	return s.user(ctx, `u.email = $1`, email)
}

// ByID returns a person, or a NotFound error.
func (s *Users) ByID(ctx context.Context, id octavo.ID) (User, error) {
	return s.user(ctx, `u.id = $1`, string(id))
}

func (s *Users) user(ctx context.Context, condition, arg string) (User, error) {
	users, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (User, error) { return scanUser(row) },
		`SELECT `+userColumns+` FROM users u WHERE `+condition, sqldb.Plain(arg))
	if err != nil {
		return User{}, fmt.Errorf("look up a person: %w", err)
	}
	if len(users) == 0 {
		return User{}, octavo.Errorf(octavo.NotFound, "There is no person %q.", arg)
	}
	return users[0], nil
}

// List returns at most limit people, oldest first, behind the one with
// the id after, and whether more follow.
func (s *Users) List(ctx context.Context, after octavo.ID, limit int) (users []octavo.User, more bool, err error) {
	users, err = sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (octavo.User, error) {
		u, err := scanUser(row)
		return u.User, err
	}, `SELECT `+userColumns+` FROM users u WHERE u.id > $1 ORDER BY u.id LIMIT $2`, sqldb.Plain(string(after)), limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list people: %w", err)
	}
	users, more = sqldb.Cut(users, limit)
	return users, more, nil
}

// SetDisabled keeps a person out, or lets them in again; one that is
// unknown is a NotFound error. Who is kept out loses their sessions, what they
// granted to clients, and the access tokens that came of it, for good.
func (s *Users) SetDisabled(ctx context.Context, cause sqldb.Cause, id octavo.ID, disabled bool) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		var at *int64
		if disabled {
			at = sqldb.UnlessZero(tx.Now())
		}
		n, err := tx.Exec(`UPDATE users SET disabled_at = $2 WHERE id = $1`, sqldb.Plain(string(id)), at)
		if err != nil {
			return fmt.Errorf("change person %s: %w", id, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.NotFound, "There is no person %q.", id)
		}
		// Also of who is let in: what was on its way when they were kept out
		// must not come to life now.
		if _, err := endSessions(tx, id, ""); err != nil {
			return err
		}
		if err := endGrants(tx, "the person was disabled", `user_id = $1`, id); err != nil {
			return err
		}
		if !disabled {
			if err := unrevoke(tx, string(id)); err != nil {
				return err
			}
			return tx.Audit(octavo.AuditEntry{Action: octavo.UserEnabled, Subject: string(id)})
		}
		if err := revoke(tx, string(id), tx.Now().Add(longestTokenLife)); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.UserDisabled, Subject: string(id)})
	})
}

// SetRole changes what a person may do. Access tokens with more are refused
// until they have expired; refreshed ones follow the role.
func (s *Users) SetRole(ctx context.Context, cause sqldb.Cause, id octavo.ID, role octavo.Role) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		u, found, err := userWhere(tx, `WHERE u.id = $1`, sqldb.Plain(string(id)))
		if err != nil {
			return err
		}
		if !found {
			return octavo.Errorf(octavo.NotFound, "There is no person %q.", id)
		}
		return setRole(tx, u, role)
	})
}

// SetPassword gives a person another password. It ends what they granted to
// clients and their sessions, but for the one with the id keep.
func (s *Users) SetPassword(ctx context.Context, cause sqldb.Cause, id octavo.ID, password string, keep octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`UPDATE users SET password = $2 WHERE id = $1`, sqldb.Plain(string(id)), password)
		if err != nil {
			return fmt.Errorf("set the password of %s: %w", id, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.NotFound, "There is no person %q.", id)
		}
		if _, err := endSessions(tx, id, keep); err != nil {
			return err
		}
		if err := endGrants(tx, "the password was changed", `user_id = $1`, id); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.UserChanged, Subject: string(id), Detail: map[string]any{"changed": "password"}})
	})
}
