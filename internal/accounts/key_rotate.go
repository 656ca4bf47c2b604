package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// MaxFormerSecrets is the maximum number of replaced secrets of one key that
// are valid at a time.
const MaxFormerSecrets = 5

// KeyRotation replaces the secret of an API key.
type KeyRotation struct {
	ID          octavo.ID
	From, To    [32]byte  // hashes of the secrets
	ExpiresAt   time.Time // of the new one; zero for never
	FormerUntil time.Time // when the old ones end, unless sooner; a time that is not in the future ends them permanently
}

// Rotate replaces the secret of an API key, with key.rotated in the audit
// log. It is a Conflict if the key was revoked, if its secret is no longer
// r.From, or if MaxFormerSecrets are still valid.
func (s *Keys) Rotate(ctx context.Context, cause sqldb.Cause, r KeyRotation) (key Key, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`UPDATE api_keys SET hash = $3, expires_at = $4, rotated_at = $5
			WHERE id = $1 AND hash = $2 AND revoked_at IS NULL`,
			sqldb.Plain(string(r.ID)), r.From[:], r.To[:], sqldb.UnlessZero(r.ExpiresAt), tx.Now().UnixMilli())
		if err != nil {
			return fmt.Errorf("rotate API key %s: %w", r.ID, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.Conflict, "The API key %q was revoked or rotated at the same time.", r.ID)
		}
		if err := keepFormer(tx, r); err != nil {
			return err
		}
		keys, err := sqldb.Collect(tx.Context(), tx.Conn(), scanKey, `SELECT `+keyColumns+`, NULL FROM api_keys WHERE id = $1`, r.ID)
		if err != nil {
			return fmt.Errorf("read API key %s: %w", r.ID, err)
		}
		key = keys[0]
		until := r.FormerUntil
		if until.Before(tx.Now()) {
			until = tx.Now()
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.KeyRotated, Subject: string(r.ID), Detail: map[string]any{
			"name": key.Name, "formerUntil": json.RawMessage(octavo.AppendTime(nil, until)),
		}})
	})
	return key, err
}

// formerEnded is the end of a secret that must not become valid again if the
// clock is set back.
const formerEnded = 0

// keepFormer keeps the old secrets valid until they end.
func keepFormer(tx *sqldb.Tx, r KeyRotation) error {
	now, until := tx.Now().UnixMilli(), r.FormerUntil.UnixMilli()
	if until <= now {
		now, until = math.MaxInt64, formerEnded // all end, and the last one is known only as replaced
	}
	for _, step := range []struct {
		text string
		args []any
	}{
		{`UPDATE api_key_formers SET until = $2 WHERE key_id = $1 AND until > $2`, []any{r.ID, until}},
		{`DELETE FROM api_key_formers WHERE key_id = $1 AND until <= $2`, []any{r.ID, now}},
		{`INSERT INTO api_key_formers (hash, key_id, until) VALUES ($1, $2, $3)`, []any{r.From[:], r.ID, until}},
	} {
		if _, err := tx.Exec(step.text, step.args...); err != nil {
			return fmt.Errorf("keep the former secret of API key %s: %w", r.ID, err)
		}
	}
	var have int
	if _, err := tx.Row([]any{&have}, `SELECT COUNT(*) FROM api_key_formers WHERE key_id = $1`, r.ID); err != nil {
		return fmt.Errorf("count the former secrets of API key %s: %w", r.ID, err)
	}
	if have > MaxFormerSecrets {
		return octavo.Errorf(octavo.Conflict, "%d old secrets of the API key are still valid: wait until one expires, or rotate with a grace period of 0, which ends them all.", MaxFormerSecrets)
	}
	return nil
}

// EndFormer ends a replaced secret permanently, once it was refused for its age.
func (s *Keys) EndFormer(ctx context.Context, hash [32]byte) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`UPDATE api_key_formers SET until = $2 WHERE hash = $1 AND until <= $3`, hash[:], formerEnded, tx.Now().UnixMilli())
		return octavo.Wrapf(err, "end the former secret of an API key")
	})
}
