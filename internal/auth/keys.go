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

	// revoked counts the keys revoked and rotated by this process. A change invalidates the
	// keys that the Authenticator has cached.
	revoked atomic.Int64

	mu   sync.Mutex
	used map[octavo.ID]time.Time // since the last call of RecordUse
}

func NewKeys(env Env, ids *octavo.IDSource, st KeyStore) *Keys {
	return &Keys{env: env, ids: ids, store: st, used: map[octavo.ID]time.Time{}}
}

// Create creates a key and returns its text, which cannot be read again. An invalid
// request is an *octavo.Error of type InvalidRequest.
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

// expiry returns the time of expiry for something created now; zero means never.
func expiry(now time.Time, lifetime time.Duration, at time.Time) time.Time {
	if at.IsZero() && lifetime > 0 {
		return now.Add(lifetime)
	}
	return at
}

// Get returns a key by its id. An unknown id is an *octavo.Error of type NotFound.
func (k *Keys) Get(ctx context.Context, id octavo.ID) (accounts.Key, error) {
	return k.store.ByID(ctx, id)
}

// List returns up to limit keys after the key with id after, in order of creation, and
// whether more follow. "" starts at the first. The list includes revoked and expired keys.
func (k *Keys) List(ctx context.Context, after octavo.ID, limit int) (keys []accounts.Key, more bool, err error) {
	return k.store.List(ctx, after, limit)
}

// Revoke makes a key invalid: at once in this process, within KeyRecheck in others.
// Revoking a key again changes nothing.
func (k *Keys) Revoke(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	if err := k.store.Revoke(ctx, cause, id); err != nil {
		return err
	}
	k.revoked.Add(1)
	return nil
}

// RecordUse stores when keys were last used. Uses are kept in memory until then, so call
// it about once a minute and before the process stops.
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

// verify returns the principal of a key, and the time when its text expires, zero for
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
		if key.FormerUntil.UnixMilli() > 0 { // zero if it has ended already
			// If this fails, the next use or the sweep tries again.
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
