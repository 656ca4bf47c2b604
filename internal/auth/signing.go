package auth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	signingPrefix = "signing/"
	scalarSize    = 32 // of a P-256 private key
	// RingRecheck is how long a process may go on without noticing a signing
	// key that another one made.
	RingRecheck = time.Second
)

// signingKey is one P-256 key. The newest key signs; an older one verifies
// until the longest token that it may have signed has expired.
type signingKey struct {
	kid     string
	created time.Time
	until   time.Time // zero for the newest
	private *ecdsa.PrivateKey
}

// ring holds the signing keys of the installation as this process last read
// them from the vault.
type ring struct {
	env   Env
	vault *Vault
	keys  atomic.Pointer[[]signingKey] // in order of age, newest last

	mu     sync.Mutex // held while the keys are read or changed
	loaded time.Time
}

// openRing reads the keys and makes the first one.
func openRing(ctx context.Context, env Env, vault *Vault) (*ring, error) {
	r := &ring{env: env, vault: vault}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.read(ctx); err != nil {
		return nil, err
	}
	if len(*r.keys.Load()) == 0 {
		if err := r.add(ctx); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// current returns keys that were read within RingRecheck.
func (r *ring) current(ctx context.Context) ([]signingKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if age := r.env.Now().Sub(r.loaded); age < 0 || age >= RingRecheck {
		if err := r.read(ctx); err != nil {
			return nil, err
		}
	}
	return *r.keys.Load(), nil
}

// find returns the public key to verify with, nil when kid is unknown or too
// old. An unknown one makes the ring look for new keys.
func (r *ring) find(ctx context.Context, kid string) (*ecdsa.PublicKey, error) {
	keys := *r.keys.Load()
	i := slices.IndexFunc(keys, func(k signingKey) bool { return k.kid == kid })
	if i < 0 {
		var err error
		if keys, err = r.current(ctx); err != nil {
			return nil, err
		}
		i = slices.IndexFunc(keys, func(k signingKey) bool { return k.kid == kid })
	}
	if i < 0 || keys[i].retired(r.env.Now()) {
		return nil, nil
	}
	return &keys[i].private.PublicKey, nil
}

func (k signingKey) retired(now time.Time) bool { return !k.until.IsZero() && now.After(k.until) }

// rotate makes a new key and removes those that are retired.
func (r *ring) rotate(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.add(ctx); err != nil {
		return err
	}
	return r.prune(ctx)
}

// sweep removes the keys that are retired.
func (r *ring) sweep(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.read(ctx); err != nil {
		return err
	}
	return r.prune(ctx)
}

func (r *ring) prune(ctx context.Context) error {
	for _, k := range *r.keys.Load() {
		if k.retired(r.env.Now()) {
			if err := r.vault.store.DeleteSecret(ctx, signingPrefix+k.kid); err != nil {
				return err
			}
		}
	}
	return r.read(ctx)
}

// add makes a key, stores it and reads all of them anew.
func (r *ring) add(ctx context.Context) error {
	scalar := make([]byte, scalarSize)
	var key signingKey
	for key.private == nil { // about one in four billion scalars is out of range
		if _, err := io.ReadFull(r.env.Random, scalar); err != nil {
			return fmt.Errorf("make a signing key: %w", err)
		}
		key, _ = parseSigningKey(scalar)
	}
	if _, err := r.vault.put(ctx, signingPrefix+key.kid, scalar); err != nil {
		return err
	}
	return r.read(ctx)
}

func (r *ring) read(ctx context.Context) error {
	secrets, err := r.vault.all(ctx, signingPrefix)
	if err != nil {
		return err
	}
	keys := make([]signingKey, len(secrets))
	for i, secret := range secrets {
		if keys[i], err = parseSigningKey(secret.Value); err != nil {
			return fmt.Errorf("read secret %s: %w", secret.Name, err)
		}
		keys[i].created = secret.CreatedAt
	}
	slices.SortFunc(keys, func(a, b signingKey) int {
		if c := a.created.Compare(b.created); c != 0 {
			return c
		}
		return strings.Compare(a.kid, b.kid)
	})
	for i := 1; i < len(keys); i++ {
		// The minute covers processes that had not noticed the newer key.
		keys[i-1].until = keys[i].created.Add(MaxTokenTTL + time.Minute)
	}
	r.keys.Store(&keys)
	r.loaded = r.env.Now()
	return nil
}

// parseSigningKey reads a key from its private scalar. Its id is its
// thumbprint (RFC 7638).
func parseSigningKey(scalar []byte) (signingKey, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar)
	if err != nil {
		return signingKey{}, fmt.Errorf("parse a signing key: %w", err)
	}
	jwk := jose.JSONWebKey{Key: &private.PublicKey}
	print, err := jwk.Thumbprint(crypto.SHA256)
	if err != nil {
		return signingKey{}, fmt.Errorf("name a signing key: %w", err)
	}
	return signingKey{kid: base64.RawURLEncoding.EncodeToString(print), private: private}, nil
}
