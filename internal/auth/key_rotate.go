package auth

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How long old secrets remain valid after a rotation.
const (
	DefaultKeyGrace = 24 * time.Hour
	MaxKeyGrace     = 30 * day
)

// Rotation says how to rotate a key.
type Rotation struct {
	Grace     time.Duration  // how long old secrets remain valid; 0 ends them at once
	Lifetime  *time.Duration // of the new secret, 0 for no expiry; nil means that of the last secret
	ExpiresAt time.Time      // replaces Lifetime unless it is zero
}

func (r Rotation) Check(now time.Time) error {
	var faults octavo.Faults
	if r.Grace < 0 || r.Grace > MaxKeyGrace {
		faults.Add("/gracePeriod", "must be from 0 to %d seconds, which is %d days", MaxKeyGrace/time.Second, MaxKeyGrace/day)
	}
	if r.Lifetime != nil && *r.Lifetime < 0 || !r.ExpiresAt.IsZero() && !r.ExpiresAt.After(now) {
		faults.Add("/expiresAt", "must be in the future")
	}
	return faults.Err()
}

// Rotate gives a key a new secret and returns it; it cannot be read again. Identifier,
// scopes and authorship stay. Old secrets remain valid for the grace period, unless they
// expire earlier. An invalid rotation is an *octavo.Error of type InvalidRequest, a
// revoked key a Conflict.
func (k *Keys) Rotate(ctx context.Context, cause sqldb.Cause, id octavo.ID, r Rotation) (text string, key accounts.Key, err error) {
	if err := r.Check(k.env.Now()); err != nil {
		return "", accounts.Key{}, err
	}
	old, err := k.store.ByID(ctx, id)
	if err != nil {
		return "", accounts.Key{}, err
	}
	if text, err = newKeyText(k.env.Random); err != nil {
		return "", accounts.Key{}, err
	}
	now := k.env.Now()
	change := accounts.KeyRotation{ID: id, From: old.Hash, To: hashKey(text), FormerUntil: now.Add(r.Grace)}
	if r.Grace <= 0 {
		change.FormerUntil = time.UnixMilli(0) // before any time that can be stored
	} else if !old.ExpiresAt.IsZero() && old.ExpiresAt.Before(change.FormerUntil) {
		change.FormerUntil = old.ExpiresAt
	}
	change.ExpiresAt = expiry(now, r.lifetime(old), r.ExpiresAt)
	if key, err = k.store.Rotate(ctx, cause, change); err != nil {
		return "", accounts.Key{}, fmt.Errorf("rotate key %s: %w", id, err)
	}
	k.revoked.Add(1)
	return text, key, nil
}

// lifetime returns the lifetime of the new secret; 0 means no expiry. If the last secret
// had already expired when it was stored, the default of new keys applies.
func (r Rotation) lifetime(old accounts.Key) time.Duration {
	begun := old.CreatedAt
	if !old.RotatedAt.IsZero() {
		begun = old.RotatedAt
	}
	switch {
	case r.Lifetime != nil:
		return *r.Lifetime
	case old.ExpiresAt.IsZero():
		return 0
	case old.ExpiresAt.After(begun):
		return old.ExpiresAt.Sub(begun)
	}
	return DefaultKeyLifetime
}
