package store

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// Revoke refuses the access tokens that come from what has the id, a token, a
// grant, a person or a client, until all of them have expired.
func (s *Store) Revoke(ctx context.Context, cause Cause, id string, until time.Time) error {
	return s.write(ctx, cause, func(tx *Tx) error {
		if err := tx.revoke(id, until); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.TokenRevoked, Subject: id})
	})
}

func (tx *Tx) revoke(id string, until time.Time) error {
	_, err := tx.exec(`INSERT INTO revocations (id, expires_at) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET expires_at = CASE WHEN excluded.expires_at > revocations.expires_at
			THEN excluded.expires_at ELSE revocations.expires_at END`, plain(id), until.UnixMilli())
	if err != nil {
		return fmt.Errorf("revoke the tokens of %s: %w", id, err)
	}
	return nil
}

func (tx *Tx) unrevoke(id string) error {
	if _, err := tx.exec(`DELETE FROM revocations WHERE id = $1`, plain(id)); err != nil {
		return fmt.Errorf("accept the tokens of %s again: %w", id, err)
	}
	return nil
}

// Clocks are set back, and tokens that had expired are valid again then.
const (
	// revokedAhead is by how much the clock may have been ahead when a token was
	// made that was revoked afterwards.
	revokedAhead = 24 * time.Hour
	// keepRevoked is how long a revocation is kept when its tokens have expired:
	// it still counts where the clock is set back by a day.
	keepRevoked = 2 * revokedAhead
)

// Revocations returns the ids whose access tokens are refused, in order.
func (s *Store) Revocations(ctx context.Context) ([]string, error) {
	ids, err := collect(ctx, s.read, column[string], `SELECT id FROM revocations WHERE expires_at > $1 ORDER BY id`,
		s.now().Add(-revokedAhead).UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("list revoked tokens: %w", err)
	}
	return ids, nil
}

// keepEnded is how long what has ended is kept, so that using it again is
// recognised.
const keepEnded = time.Hour

// sweepCredentials removes what nobody can sign in with any more.
func (tx *Tx) sweepCredentials() error {
	now := tx.now.UnixMilli()
	ago := func(d time.Duration) int64 { return tx.now.Add(-d).UnixMilli() }
	for _, s := range []struct {
		query  string
		before int64
	}{
		{`DELETE FROM sessions WHERE expires_at <= $1`, now},
		{`DELETE FROM setup_links WHERE expires_at <= $1`, now},
		{`DELETE FROM revocations WHERE expires_at <= $1`, ago(keepRevoked)},
		{`DELETE FROM grants WHERE expires_at <= $1 OR ended_at <= $1`, ago(keepEnded)},
	} {
		if _, err := tx.exec(s.query, s.before); err != nil {
			return fmt.Errorf("remove what has expired: %w", err)
		}
	}
	return nil
}
