package auth

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// KeyStore keeps API keys by hash and by id.
type KeyStore interface {
	Insert(ctx context.Context, cause sqldb.Cause, k accounts.Key) error
	ByHash(ctx context.Context, hash [32]byte) (accounts.Key, error)
	ByID(ctx context.Context, id octavo.ID) (accounts.Key, error)
	List(ctx context.Context, after octavo.ID, limit int) (keys []accounts.Key, more bool, err error)
	Rotate(ctx context.Context, cause sqldb.Cause, r accounts.KeyRotation) (accounts.Key, error)
	Revoke(ctx context.Context, cause sqldb.Cause, id octavo.ID) error
	EndFormer(ctx context.Context, hash [32]byte) error
	Touch(ctx context.Context, used map[octavo.ID]time.Time) error
}

// Keys creates, lists, rotates and revokes API keys. The store only has hashes of
// secrets.
type Keys struct {
	env   Env
	ids   *octavo.IDSource
	store KeyStore

	// revoked counts the keys revoked and rotated here. What the Authenticator
	// remembers of keys is void once the count has changed.
	revoked atomic.Int64

	mu   sync.Mutex
	used map[octavo.ID]time.Time // since the last RecordUse
}

// NewKeys returns the keys in a store.
func NewKeys(env Env, ids *octavo.IDSource, st KeyStore) *Keys {
	return &Keys{env: env, ids: ids, store: st, used: map[octavo.ID]time.Time{}}
}

// Create makes a key and returns its text, which cannot be had again. A
// request at fault is an *octavo.Error of type InvalidRequest.
func (k *Keys) Create(ctx context.Context, cause sqldb.Cause, r KeyRequest) (text string, key accounts.Key, err error) {
	if err := r.Check(k.env.Now()); err != nil {
		return "", accounts.Key{}, err
	}
	id, err := k.ids.New(octavo.PrefixKey)
	if err != nil {
		return "", accounts.Key{}, fmt.Errorf("create a key: %w", err)
	}
	if text, err = newKeyText(k.env.Random); err != nil {
		return "", accounts.Key{}, err
	}
	now := k.env.Now()
	key = accounts.Key{
		ID:            id,
		Name:          r.Name,
		Kind:          r.Kind,
		Scopes:        r.Scopes,
		PublishedOnly: r.PublishedOnly,
		Tags:          r.Tags,
		RateLimit:     r.RateLimit,
		Hash:          hashKey(text),
		CreatedAt:     now,
	}
	key.ExpiresAt = expiry(now, r.Lifetime, r.ExpiresAt)
	if err := k.store.Insert(ctx, cause, key); err != nil {
		return "", accounts.Key{}, fmt.Errorf("create key %s: %w", id, err)
	}
	return text, key, nil
}

// expiry is when what is made now expires; zero is never.
func expiry(now time.Time, lifetime time.Duration, at time.Time) time.Time {
	if at.IsZero() && lifetime > 0 {
		return now.Add(lifetime)
	}
	return at
}

// Get returns a key by its id; an unknown one is an *octavo.Error of type
// NotFound.
func (k *Keys) Get(ctx context.Context, id octavo.ID) (accounts.Key, error) {
	return k.store.ByID(ctx, id)
}

// List returns up to limit keys in order of creation, from behind the key
// after, and whether more follow; "" starts at the first. Revoked and expired
// keys are among them.
func (k *Keys) List(ctx context.Context, after octavo.ID, limit int) (keys []accounts.Key, more bool, err error) {
	return k.store.List(ctx, after, limit)
}

// Revoke makes a key invalid: in this process at once, in others within
// KeyRecheck. To revoke one again changes nothing.
func (k *Keys) Revoke(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	if err := k.store.Revoke(ctx, cause, id); err != nil {
		return err
	}
	k.revoked.Add(1)
	return nil
}

// RecordUse stores when keys were last used. Uses gather in memory until it
// is called, so call it about once a minute and when the process stops.
func (k *Keys) RecordUse(ctx context.Context) error {
	k.mu.Lock()
	used := k.used
	k.used = map[octavo.ID]time.Time{}
	k.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	return octavo.Wrapf(k.store.Touch(ctx, used), "record the last use of %d keys", len(used))
}

// verify returns the subject of a key and when its text is no longer accepted, zero for
// never.
func (k *Keys) verify(ctx context.Context, text string) (octavo.Principal, time.Time, error) {
	var none octavo.Principal
	if !isKeyText(text) {
		return none, time.Time{}, invalid("The API key is malformed: a key starts with oct_ and ends with a checksum.")
	}
	key, err := k.store.ByHash(ctx, hashKey(text))
	if octavo.IsType(err, octavo.NotFound) {
		return none, time.Time{}, invalid("The API key is unknown.")
	}
	if err != nil {
		return none, time.Time{}, err
	}
	now := k.env.Now()
	switch {
	case !key.RevokedAt.IsZero():
		return none, time.Time{}, invalid("The API key was revoked.")
	case !key.ExpiresAt.IsZero() && !now.Before(key.ExpiresAt):
		return none, time.Time{}, invalid("The API key has expired.")
	case !key.FormerUntil.IsZero() && !now.Before(key.FormerUntil):
		if key.FormerUntil.UnixMilli() > 0 { // else it has ended for good
			// One that fails is tried again at the next use, or swept.
			_ = k.store.EndFormer(ctx, hashKey(text))
		}
		return none, time.Time{}, invalid("The API key was replaced by a newer one.")
	}
	until := key.ExpiresAt
	if !key.FormerUntil.IsZero() {
		until = key.FormerUntil
	}
	k.mu.Lock()
	k.used[key.ID] = now
	k.mu.Unlock()
	return octavo.Principal{
		Actor:         octavo.Actor{ID: string(key.ID), Name: key.Name},
		Client:        string(key.ID),
		CredentialID:  string(key.ID),
		Scopes:        key.Scopes,
		SearchOnly:    key.Kind == octavo.KeySearch,
		PublishedOnly: key.PublishedOnly,
		Tags:          key.Tags,
		RateLimit:     key.RateLimit,
	}, until, nil
}
