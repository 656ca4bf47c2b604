package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Revoke revokes the access tokens that come from the id of a token, a
// grant, a person or a client, until all of them have expired.
func (s *Grants) Revoke(ctx context.Context, cause sqldb.Cause, id string, until time.Time) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := revoke(tx, id, until); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.TokenRevoked, Subject: id})
	})
}

func revoke(tx *sqldb.Tx, id string, until time.Time) error {
	_, err := tx.Exec(`INSERT INTO revocations (id, expires_at) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET expires_at = CASE WHEN excluded.expires_at > revocations.expires_at
			THEN excluded.expires_at ELSE revocations.expires_at END`, sqldb.Plain(id), until.UnixMilli())
	return octavo.Wrapf(err, "revoke the tokens of %s", id)
}

func unrevoke(tx *sqldb.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM revocations WHERE id = $1`, sqldb.Plain(id))
	return octavo.Wrapf(err, "accept the tokens of %s again", id)
}

// If a clock is set back, expired tokens are valid again.
const (
	// revokedAhead is how far the clock may have been ahead when a revoked
	// token was made.
	revokedAhead = 24 * time.Hour
	// keepRevoked is how long a revocation is kept after its tokens have
	// expired: it still applies if the clock is set back by a day.
	keepRevoked = 2 * revokedAhead
)

// Revocations returns the ids whose access tokens are revoked, in order.
func (s *Grants) Revocations(ctx context.Context) ([]string, error) {
	ids, err := sqldb.Collect(ctx, s.read, sqldb.Column[string], `SELECT id FROM revocations WHERE expires_at > $1 ORDER BY id`,
		s.db.Now().Add(-revokedAhead).UnixMilli())
	return ids, octavo.Wrapf(err, "list revoked tokens")
}

// keepEnded is how long an ended grant is kept, so that reuse is recognised.
const keepEnded = time.Hour

func sweepExpired(tx *sqldb.Tx) error {
	now := tx.Now().UnixMilli()
	ago := func(d time.Duration) int64 { return tx.Now().Add(-d).UnixMilli() }
	for _, s := range []struct {
		query  string
		before int64
	}{
		{`DELETE FROM audit WHERE expires_at <= $1`, now},
		{`DELETE FROM api_key_formers WHERE until <= $1`, now},
		{`DELETE FROM sessions WHERE expires_at <= $1`, now},
		{`DELETE FROM setup_links WHERE expires_at <= $1`, now},
		{`DELETE FROM revocations WHERE expires_at <= $1`, ago(keepRevoked)},
		{`DELETE FROM grants WHERE expires_at <= $1 OR ended_at <= $1`, ago(keepEnded)},
	} {
		if _, err := tx.Exec(s.query, s.before); err != nil {
			return fmt.Errorf("remove what has expired: %w", err)
		}
	}
	return nil
}
