package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// Limits and defaults of API keys (decision 40).
const (
	DefaultKeyLifetime = 90 * day
	MaxKeyName         = 120 // Unicode code points
)

// KeyStore keeps API keys by hash and by id.
type KeyStore interface {
	InsertKey(ctx context.Context, k store.Key) error
	KeyByHash(ctx context.Context, hash [32]byte) (store.Key, error)
	KeyByID(ctx context.Context, id octavo.ID) (store.Key, error)
	ListKeys(ctx context.Context, after octavo.ID, limit int) (keys []store.Key, more bool, err error)
	RevokeKey(ctx context.Context, id octavo.ID) error
	TouchKeys(ctx context.Context, used map[octavo.ID]time.Time) error
}

// Keys creates, lists and revokes API keys. The text of a key is known only
// to who created it: the store has its hash.
type Keys struct {
	env   Env
	ids   *octavo.IDSource
	store KeyStore

	// revoked counts the keys revoked here. What the Authenticator remembers
	// of keys is void once the count has changed.
	revoked atomic.Int64

	mu   sync.Mutex
	used map[octavo.ID]time.Time // since the last RecordUse
}

// KeyRequest says what key to create.
type KeyRequest struct {
	Name          string
	Kind          octavo.KeyKind // "" is a service key
	Scopes        octavo.Scopes  // 0 is pages:read
	PublishedOnly bool           // search keys are so always
	Lifetime      time.Duration  // 0 never expires
}

// NewKeys returns the keys in a store.
func NewKeys(env Env, ids *octavo.IDSource, st KeyStore) *Keys {
	return &Keys{env: env, ids: ids, store: st, used: map[octavo.ID]time.Time{}}
}

// Create makes a key and returns its text, which cannot be had again. A
// request at fault is an *octavo.Error of type InvalidRequest.
func (k *Keys) Create(ctx context.Context, r KeyRequest) (text string, key store.Key, err error) {
	if err := r.Check(); err != nil {
		return "", store.Key{}, err
	}
	id, err := k.ids.New(octavo.PrefixKey)
	if err != nil {
		return "", store.Key{}, fmt.Errorf("create a key: %w", err)
	}
	if text, err = newKeyText(k.env.Random); err != nil {
		return "", store.Key{}, err
	}
	now := k.env.Now()
	key = store.Key{
		ID:            id,
		Name:          r.Name,
		Kind:          r.Kind,
		Scopes:        r.Scopes,
		PublishedOnly: r.PublishedOnly,
		Hash:          hashKey(text),
		CreatedAt:     now,
	}
	if r.Lifetime > 0 {
		key.ExpiresAt = now.Add(r.Lifetime)
	}
	if err := k.store.InsertKey(ctx, key); err != nil {
		return "", store.Key{}, fmt.Errorf("create key %s: %w", id, err)
	}
	return text, key, nil
}

// Check fills in what may be left out and tells what is wrong with the rest, as
// Create does; it needs no store.
func (r *KeyRequest) Check() error {
	var faults octavo.Faults
	if r.Scopes == 0 {
		r.Scopes = octavo.ScopeRead
	}
	if r.Kind == "" {
		r.Kind = octavo.KeyService
	}
	if n := utf8.RuneCountInString(r.Name); n == 0 || n > MaxKeyName || strings.ContainsFunc(r.Name, unicode.IsControl) {
		faults.Add("/name", "must have 1 to %d characters, none of them a control character; it has %d", MaxKeyName, n)
	}
	if r.Lifetime < 0 {
		faults.Add("/expiresAt", "must lie in the future")
	}
	switch {
	case r.Kind == octavo.KeySearch && r.Scopes != octavo.ScopeRead:
		faults.Add("/scopes", "must be pages:read alone for a search key")
	case r.Kind == octavo.KeySearch:
		r.PublishedOnly = true
	case r.Kind != octavo.KeyService:
		faults.Add("/kind", "must be service or search")
	default:
		checkScopes(r.Scopes, r.PublishedOnly, &faults)
	}
	return faults.Err()
}

// Get returns a key by its id; an unknown one is an *octavo.Error of type
// NotFound.
func (k *Keys) Get(ctx context.Context, id octavo.ID) (store.Key, error) {
	return k.store.KeyByID(ctx, id)
}

// List returns up to limit keys in order of creation, from behind the key
// after, and whether more follow; "" starts at the first. Revoked and expired
// keys are among them.
func (k *Keys) List(ctx context.Context, after octavo.ID, limit int) (keys []store.Key, more bool, err error) {
	return k.store.ListKeys(ctx, after, limit)
}

// Revoke makes a key invalid: in this process at once, in others within
// KeyRecheck. To revoke one again changes nothing.
func (k *Keys) Revoke(ctx context.Context, id octavo.ID) error {
	if err := k.store.RevokeKey(ctx, id); err != nil {
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
	if err := k.store.TouchKeys(ctx, used); err != nil {
		return fmt.Errorf("record the last use of %d keys: %w", len(used), err)
	}
	return nil
}

// verify returns who a key speaks for and when it expires, zero for never.
func (k *Keys) verify(ctx context.Context, text string) (octavo.Principal, time.Time, error) {
	var none octavo.Principal
	if !isKeyText(text) {
		return none, time.Time{}, invalid("The API key is malformed: a key starts with oct_ and ends with a checksum.")
	}
	key, err := k.store.KeyByHash(ctx, hashKey(text))
	if isNotFound(err) {
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
	}, key.ExpiresAt, nil
}

func isNotFound(err error) bool {
	var e *octavo.Error
	return errors.As(err, &e) && e.Type == octavo.NotFound
}
