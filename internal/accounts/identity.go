package accounts

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Identity is how an external issuer identifies a person. An issuer never
// gives a subject to two people, whatever happens to e-mail addresses.
type Identity struct {
	Issuer, Subject string
	// SetRole sets the person's role at each sign-in, not only the first.
	SetRole bool
	// Link identifies them with the person who has their e-mail address,
	// unless the issuer knows that person by another subject.
	Link bool
}

// SignIn returns the person with an identity of an external issuer. For a
// new identity, it adds u. It fails with Forbidden for a disabled person,
// and with Conflict if somebody else has the e-mail address.
func (s *Users) SignIn(ctx context.Context, cause sqldb.Cause, id Identity, u User) (User, error) {
	known := u
	err := s.db.Write(ctx, cause, func(tx *sqldb.Tx) (err error) {
		tx.Cause().Actor = u.Actor()
		known, err = signIn(tx, id, u)
		return err
	})
	return known, err
}

func signIn(tx *sqldb.Tx, id Identity, u User) (User, error) {
	known, found, err := userWhere(tx, `JOIN identities i ON i.user_id = u.id WHERE i.issuer = $1 AND i.subject = $2`, sqldb.Plain(id.Issuer), sqldb.Plain(id.Subject))
	if err != nil {
		return User{}, err
	}
	if !found {
		if known, err = meet(tx, id, u); err != nil {
			return User{}, err
		}
	}
	tx.Cause().Actor = known.Actor()
	if known.Disabled {
		return User{}, octavo.Errorf(octavo.Forbidden, "The person %s is disabled.", known.ID)
	}
	if id.SetRole && known.Role != u.Role {
		if err := setRole(tx, known, u.Role); err != nil {
			return User{}, err
		}
		known.Role = u.Role
	}
	return known, nil
}

// meet finds or adds the person for a new identity.
func meet(tx *sqldb.Tx, id Identity, u User) (User, error) {
	known, found, err := userWhere(tx, `WHERE u.email = $1`, sqldb.Plain(u.Email))
	if err != nil {
		return User{}, err
	}
	entry := octavo.AuditEntry{
		Action: octavo.UserAdded, Actor: u.Actor(), Subject: string(u.ID),
		Detail: map[string]any{"email": u.Email, "role": u.Role, "by": id.Issuer, "as": id.Subject},
	}
	if found {
		if !id.Link || known.Disabled {
			return User{}, octavo.Errorf(octavo.Conflict, "There is a person with the e-mail address %s already.", u.Email)
		}
		entry.Action, entry.Actor, entry.Subject = octavo.UserChanged, known.Actor(), string(known.ID)
		entry.Detail = map[string]any{"changed": "identity", "by": id.Issuer, "as": id.Subject}
	} else {
		known, known.CreatedAt = u, sqldb.Moment(tx.Now().UnixMilli())
		if err := addUser(tx, u); err != nil {
			return User{}, err
		}
	}
	n, err := tx.Exec(`INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
		sqldb.Plain(id.Issuer), sqldb.Plain(id.Subject), known.ID, tx.Now().UnixMilli())
	if err != nil {
		return User{}, fmt.Errorf("add an identity of %s: %w", known.ID, err)
	}
	if n == 0 {
		return User{}, octavo.Errorf(octavo.Conflict, "The issuer knows the person with the e-mail address %s by another subject.", u.Email)
	}
	if _, err := tx.Exec(`UPDATE users SET invited = FALSE WHERE id = $1`, known.ID); err != nil {
		return User{}, fmt.Errorf("accept the invitation of %s: %w", known.ID, err)
	}
	known.Invited = false
	return known, tx.Audit(entry)
}

// userWhere reads a person; rest follows FROM users u.
func userWhere(tx *sqldb.Tx, rest string, args ...any) (u User, found bool, err error) {
	err = tx.Query(func(row sqldb.Scanner) (err error) {
		u, err = scanUser(row)
		found = true
		return err
	}, `SELECT `+userColumns+` FROM users u `+rest, args...)
	return u, found, octavo.Wrapf(err, "look up a person")
}
