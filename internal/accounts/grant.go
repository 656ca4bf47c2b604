package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ErrSpent is returned if a code or a refresh token was used before.
// Everything that came of its grant has ended.
var ErrSpent = errors.New("it was used before")

// Grant is a person's authorization of a client: first a code, then a family
// of refresh tokens. A refresh token has two parts, one of the family and
// one of its own; the fields are SHA-256 of them.
type Grant struct {
	ID              octavo.ID
	User            User // only its ID is written
	ClientID        octavo.ID
	Scope           string
	RedirectURI     string
	Challenge       string // of PKCE, by S256
	Nonce           string
	AuthenticatedAt time.Time
	Code            [32]byte
	CreatedAt       time.Time
	ExpiresAt       time.Time // of the code, and once redeemed of the newest token
	RedeemedAt      time.Time
	EndedAt         time.Time
	Asked           bool // whether the person was asked just now; for the audit log, not stored
	token           []byte
}

const grantColumns = `g.id, g.client_id, g.scope, g.redirect_uri, g.challenge, g.nonce, g.authenticated_at, g.code,
	g.created_at, g.expires_at, g.redeemed_at, g.ended_at, g.token`

const grantQuery = `SELECT ` + userColumns + `, ` + grantColumns + ` FROM grants g JOIN users u ON u.id = g.user_id WHERE `

func scanGrant(row sqldb.Scanner) (g Grant, err error) {
	var code []byte
	if g.User, err = scanUser(row, &g.ID, &g.ClientID, &g.Scope, &g.RedirectURI, &g.Challenge, &g.Nonce, sqldb.ScanTime(&g.AuthenticatedAt), &code,
		sqldb.ScanTime(&g.CreatedAt), sqldb.ScanTime(&g.ExpiresAt), sqldb.ScanTime(&g.RedeemedAt), sqldb.ScanTime(&g.EndedAt), &g.token); err != nil {
		return Grant{}, fmt.Errorf("read a grant: %w", err)
	}
	copy(g.Code[:], code)
	return g, nil
}

// Add stores an authorization. If the person was asked, it adds
// consent.given to the audit log.
func (s *Grants) Add(ctx context.Context, cause sqldb.Cause, g Grant) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`INSERT INTO grants (id, user_id, client_id, scope, redirect_uri, challenge, nonce, authenticated_at, code, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			g.ID, g.User.ID, g.ClientID, sqldb.Plain(g.Scope), sqldb.Plain(g.RedirectURI), sqldb.Plain(g.Challenge), sqldb.Plain(g.Nonce),
			g.AuthenticatedAt.UnixMilli(), g.Code[:], tx.Now().UnixMilli(), g.ExpiresAt.UnixMilli())
		if err != nil {
			return fmt.Errorf("add grant %s: %w", g.ID, err)
		}
		if !g.Asked {
			return nil
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.ConsentGiven, Subject: string(g.ID), Detail: map[string]any{"client": g.ClientID, "scope": g.Scope},
		})
	})
}

// Next is the state after a grant is used: the hashes of its next refresh
// token and when that expires. Family is used when a code is redeemed.
type Next struct {
	Family, Token [32]byte
	ExpiresAt     time.Time
}

// RedeemCode redeems a code. A code that is unknown or no longer valid is a
// NotFound error. A used one ends its grant and is ErrSpent. If judge
// refuses, its error is returned and the code stays valid.
func (s *Grants) RedeemCode(ctx context.Context, cause sqldb.Cause, code [32]byte, next Next, judge func(Grant) error) (Grant, error) {
	return s.useGrant(ctx, cause, `g.code = $1`, code[:], func(tx *sqldb.Tx, g Grant) (fresh bool, err error) {
		if !g.RedeemedAt.IsZero() {
			return false, nil
		}
		if err := judge(g); err != nil {
			return false, err
		}
		n, err := tx.Exec(`UPDATE grants SET redeemed_at = $2, family = $3, token = $4, expires_at = $5 WHERE id = $1 AND redeemed_at IS NULL`,
			g.ID, tx.Now().UnixMilli(), next.Family[:], next.Token[:], next.ExpiresAt.UnixMilli())
		return n > 0, err
	})
}

// RotateToken replaces the newest refresh token of a family. Errors are
// those of RedeemCode.
func (s *Grants) RotateToken(ctx context.Context, cause sqldb.Cause, family, token [32]byte, next Next, judge func(Grant) error) (Grant, error) {
	return s.useGrant(ctx, cause, `g.family = $1`, family[:], func(tx *sqldb.Tx, g Grant) (fresh bool, err error) {
		if !tx.Now().Before(g.ExpiresAt) {
			return false, octavo.Errorf(octavo.NotFound, "The grant has expired.")
		}
		if err := judge(g); err != nil {
			return false, err
		}
		n, err := tx.Exec(`UPDATE grants SET token = $3, expires_at = $4 WHERE id = $1 AND token = $2`,
			g.ID, token[:], next.Token[:], next.ExpiresAt.UnixMilli())
		return n > 0, err
	})
}

// useGrant finds a valid grant and uses it. If the code or token was used
// before, it ends the grant, and that is committed although the use fails.
func (s *Grants) useGrant(ctx context.Context, cause sqldb.Cause, condition string, arg []byte, use func(*sqldb.Tx, Grant) (fresh bool, err error)) (g Grant, err error) {
	var fresh bool
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if g, err = oneGrant(tx.Context(), tx.Conn(), condition, arg); err != nil {
			return err
		}
		expired := g.RedeemedAt.IsZero() && !tx.Now().Before(g.ExpiresAt) // a reused code is examined however old it is
		if !g.EndedAt.IsZero() || g.User.Disabled || expired {
			return octavo.Errorf(octavo.NotFound, "The grant has ended.")
		}
		if fresh, err = use(tx, g); err != nil || fresh {
			return err
		}
		return endGrants(tx, "its code or an old token was used again", `id = $1`, g.ID)
	})
	if err == nil && !fresh {
		err = ErrSpent
	}
	return g, err
}

// ByID returns a valid grant, or a NotFound error.
func (s *Grants) ByID(ctx context.Context, id octavo.ID) (Grant, error) {
	return s.liveGrant(ctx, `g.id = $1`, sqldb.Plain(string(id)))
}

// ByFamily returns the valid grant of a refresh token, whether or not it is
// the newest one, or a NotFound error.
func (s *Grants) ByFamily(ctx context.Context, family [32]byte) (Grant, error) {
	return s.liveGrant(ctx, `g.family = $1`, family[:])
}

func (s *Grants) liveGrant(ctx context.Context, condition string, arg any) (Grant, error) {
	return oneGrant(ctx, s.read, condition+inForce, arg, s.db.Now().UnixMilli())
}

func oneGrant(ctx context.Context, c sqldb.Conn, condition string, args ...any) (Grant, error) {
	return sqldb.One(ctx, c, "look up a grant", octavo.Errorf(octavo.NotFound, "There is no such grant."), scanGrant, grantQuery+condition, args...)
}

// inForce is the condition for a valid grant; $2 is the time.
const inForce = ` AND g.redeemed_at IS NOT NULL AND g.ended_at IS NULL AND g.expires_at > $2 AND u.disabled_at IS NULL`

// List returns a person's valid grants, oldest first.
func (s *Grants) List(ctx context.Context, user octavo.ID) ([]Grant, error) {
	list, err := sqldb.Collect(ctx, s.read, scanGrant, grantQuery+`g.user_id = $1`+inForce+` ORDER BY g.id`, user, s.db.Now().UnixMilli())
	return list, octavo.Wrapf(err, "list the grants of %s", user)
}

// End ends a grant and revokes its access tokens.
func (s *Grants) End(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error { return endGrants(tx, "the client ended it", `id = $1`, id) })
}

// EndOfClient ends all grants of a person to a client.
func (s *Grants) EndOfClient(ctx context.Context, cause sqldb.Cause, user, client octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		return endGrants(tx, "the person ended it", `user_id = $1 AND client_id = $2`, user, sqldb.Plain(string(client)))
	})
}

func endGrants(tx *sqldb.Tx, reason, condition string, args ...any) error {
	detail := map[string]any{"reason": reason}
	ids, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[octavo.ID], `SELECT id FROM grants WHERE ended_at IS NULL AND `+condition+` ORDER BY id`, args...)
	if err != nil {
		return fmt.Errorf("find grants to end: %w", err)
	}
	for _, id := range ids {
		if _, err := tx.Exec(`UPDATE grants SET ended_at = $2 WHERE id = $1`, id, tx.Now().UnixMilli()); err != nil {
			return fmt.Errorf("end grant %s: %w", id, err)
		}
		if err := revoke(tx, string(id), tx.Now().Add(revocationLife)); err != nil {
			return err
		}
		if err := tx.Audit(octavo.AuditEntry{Action: octavo.TokenRevoked, Subject: string(id), Detail: detail}); err != nil {
			return err
		}
	}
	return nil
}
