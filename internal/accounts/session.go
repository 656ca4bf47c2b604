package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Session is a person's sign-in in a browser. Hash is the SHA-256 of the
// browser's cookie.
type Session struct {
	ID        octavo.ID
	Hash      [32]byte
	UserID    octavo.ID
	Agent     string
	Address   string
	CreatedAt time.Time // of the sign-in
	SeenAt    time.Time
	ExpiresAt time.Time
	By        string // the issuer that signed the person in, "" for a password; for the audit log, not stored
	Password  string // the stored hash that the password was checked against, or ""; not stored
	Renewed   string // the new hash of the password, or ""
}

const sessionColumns = `s.id, s.hash, s.user_id, s.agent, s.address, s.created_at, s.seen_at, s.expires_at`

// sessionFields returns the Scan destinations of a session, and a function
// that completes it afterwards.
func sessionFields(v *Session) (dest []any, complete func()) {
	var hash []byte
	return []any{
		&v.ID, &hash, &v.UserID, &v.Agent, &v.Address, sqldb.ScanTime(&v.CreatedAt), sqldb.ScanTime(&v.SeenAt), sqldb.ScanTime(&v.ExpiresAt),
	}, func() { copy(v.Hash[:], hash) }
}

// Add starts a session, and ends the one with the hash old, if any. If the person was
// disabled or their password changed since they authenticated, it fails with NotFound.
func (s *Sessions) Add(ctx context.Context, cause sqldb.Cause, v Session, old [32]byte) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		// It locks the row, so that a password change comes before this
		// transaction or ends the session that it starts.
		n, err := tx.Exec(`UPDATE users SET password = CASE WHEN $3 = '' THEN password ELSE $3 END
			WHERE id = $1 AND disabled_at IS NULL AND ($2 = '' OR password = $2)`, v.UserID, v.Password, v.Renewed)
		if err != nil {
			return fmt.Errorf("look whether %s may sign in still: %w", v.UserID, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.NotFound, "The person %s can no longer sign in this way.", v.UserID)
		}
		if _, err := endSessions(tx, `hash = $1`, old[:]); err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO sessions (id, hash, user_id, agent, address, created_at, seen_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
			v.ID, v.Hash[:], v.UserID, sqldb.Plain(v.Agent), sqldb.Plain(v.Address), tx.Now().UnixMilli(), v.ExpiresAt.UnixMilli())
		if err != nil {
			return fmt.Errorf("add session %s: %w", v.ID, err)
		}
		detail := map[string]any{"session": v.ID}
		if v.By != "" {
			detail["by"] = v.By
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.SignInSucceeded, Subject: string(v.UserID), Detail: detail})
	})
}

// ByHash returns an unexpired session and its person, who may sign in, or a
// NotFound error.
func (s *Sessions) ByHash(ctx context.Context, hash [32]byte) (Session, User, error) {
	type both struct {
		session Session
		user    User
	}
	none := octavo.Errorf(octavo.NotFound, "There is no such session.")
	found, err := sqldb.One(ctx, s.read, "look up a session", none, func(row sqldb.Scanner) (b both, err error) {
		dest, complete := sessionFields(&b.session)
		b.user, err = scanUser(row, dest...)
		complete()
		return b, err
	}, `SELECT `+userColumns+`, `+sessionColumns+` FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE s.hash = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL`, hash[:], s.db.Now().UnixMilli())
	return found.session, found.user, err
}

// List returns the unexpired sessions of a person, oldest first.
func (s *Sessions) List(ctx context.Context, user octavo.ID) ([]Session, error) {
	list, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (v Session, err error) {
		dest, complete := sessionFields(&v)
		err = row.Scan(dest...)
		complete()
		return v, err
	}, `SELECT `+sessionColumns+` FROM sessions s WHERE s.user_id = $1 AND s.expires_at > $2 ORDER BY s.id`, user, s.db.Now().UnixMilli())
	return list, octavo.Wrapf(err, "list the sessions of %s", user)
}

// Touch records that a session was used now.
func (s *Sessions) Touch(ctx context.Context, id octavo.ID) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`UPDATE sessions SET seen_at = $2 WHERE id = $1`, id, tx.Now().UnixMilli())
		return octavo.Wrapf(err, "note the use of session %s", id)
	})
}

// End ends a session of a person; it ignores sessions of others.
func (s *Sessions) End(ctx context.Context, cause sqldb.Cause, user, id octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := endSessions(tx, `id = $1 AND user_id = $2`, sqldb.Plain(string(id)), user)
		if err != nil || n == 0 {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.SessionEnded, Subject: string(user), Detail: map[string]any{"session": id}})
	})
}

// EndOthers ends the sessions of a person, except the one with the id keep.
func (s *Sessions) EndOthers(ctx context.Context, cause sqldb.Cause, user, keep octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := endSessions(tx, `user_id = $1 AND id <> $2`, user, keep)
		if err != nil || n == 0 {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.SessionEnded, Subject: string(user), Detail: map[string]any{"sessions": n}})
	})
}

// endSessions ends sessions, and the access tokens that Studio got in them.
func endSessions(tx *sqldb.Tx, condition string, args ...any) (ended int, err error) {
	ids, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[string], `DELETE FROM sessions WHERE `+condition+` RETURNING id`, args...)
	if err != nil {
		return 0, fmt.Errorf("end sessions: %w", err)
	}
	for _, id := range ids {
		if err := revoke(tx, id, tx.Now().Add(revocationLife)); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}
