package auth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
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
	// RingRecheck is how long a process may use its keys before it reads them again. A token
	// signed with an unknown key triggers a read at once, unless many such tokens arrive.
	RingRecheck = time.Second
	// ringBurst is the number of reads that unknown keys can trigger at once; then one in
	// each RingRecheck.
	ringBurst = 5
)

// SignsTokens reports whether the secret of that name is a signing key for tokens.
func SignsTokens(name string) bool { return strings.HasPrefix(name, signingPrefix) }

// signingKey is a P-256 key. The newest key signs. An older one verifies until the longest
// token that it may have signed has expired. If the clock was set back, that is counted
// from the time before, by which the tokens were signed.
type signingKey struct {
	kid     string
	created time.Time
	until   time.Time // end of its use; zero for the newest
	private *ecdsa.PrivateKey
}

// ring caches the signing keys of the installation.
type ring struct {
	env   Env
	log   *slog.Logger
	vault *Vault
	keys  atomic.Pointer[[]signingKey] // oldest first

	mu     sync.Mutex // held while the keys are read or changed
	loaded time.Time
	looked time.Time // end of the budget that mayLook has spent
}

// openRing reads the keys, and generates the first one if there is none.
func openRing(ctx context.Context, env Env, log *slog.Logger, vault *Vault) (*ring, error) {
	r := &ring{env: env, log: log, vault: vault}
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

// find returns the public key for kid, nil if it is unknown or retired. An unknown kid
// makes the ring read the keys again; an error is only logged.
func (r *ring) find(ctx context.Context, kid string) *ecdsa.PublicKey {
	key := r.known(kid)
	if key == nil {
		key = r.look(ctx, kid)
	}
	if key == nil || key.retired(r.env.Now()) {
		return nil
	}
	return &key.private.PublicKey
}

// known returns a cached key, or nil.
func (r *ring) known(kid string) *signingKey {
	keys := *r.keys.Load()
	i := slices.IndexFunc(keys, func(k signingKey) bool { return k.kid == kid })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

// look reads the keys again, subject to mayLook, and returns the key.
func (r *ring) look(ctx context.Context, kid string) *signingKey {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key := r.known(kid); key != nil || !r.mayLook() {
		return key
	}
	if err := r.read(ctx); err != nil {
		if ctx.Err() == nil {
			r.log.ErrorContext(ctx, "look for new signing keys", "error", err)
		}
		return nil
	}
	return r.known(kid)
}

// mayLook allows ringBurst reads at once, then one in each RingRecheck, so that invented
// key ids do not reach the store. Each read uses up one RingRecheck, at most ringBurst of
// them ahead of the clock.
func (r *ring) mayLook() bool {
	now := r.env.Now()
	if ahead := r.looked.Sub(now); ahead < 0 || ahead > ringBurst*RingRecheck { // more after the clock was set back
		r.looked = now
	}
	if r.looked.Sub(now) > (ringBurst-1)*RingRecheck {
		return false
	}
	r.looked = r.looked.Add(RingRecheck)
	return true
}

func (k signingKey) retired(now time.Time) bool { return !k.until.IsZero() && now.After(k.until) }

// rotate generates a key, which signs from now on, and removes retired keys.
func (r *ring) rotate(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.read(ctx); err != nil {
		return err
	}
	if err := r.add(ctx); err != nil {
		return err
	}
	return r.prune(ctx)
}

// sweep removes retired keys.
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
			if err := r.vault.store.Delete(ctx, signingPrefix+k.kid); err != nil {
				return err
			}
		}
	}
	return r.read(ctx)
}

// add generates a key, stores it and reads all keys again.
func (r *ring) add(ctx context.Context) error {
	scalar := make([]byte, scalarSize)
	var key signingKey
	for key.private == nil { // about one in four billion scalars is out of range
		if _, err := io.ReadFull(r.env.Random, scalar); err != nil {
			return fmt.Errorf("make a signing key: %w", err)
		}
		key, _ = parseSigningKey(scalar) // try another
	}
	if err := r.vault.add(ctx, signingPrefix, signingPrefix+key.kid, scalar); err != nil {
		return err
	}
	return r.read(ctx)
}

func (r *ring) read(ctx context.Context) error {
	secrets, err := r.vault.All(ctx, signingPrefix)
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
		// Processes may sign with the old key for up to RingRecheck; a minute is ample.
		keys[i-1].until = keys[i].created.Add(MaxTokenTTL + time.Minute)
	}
	r.keys.Store(&keys)
	r.loaded = r.env.Now()
	return nil
}

// parseSigningKey reads a key from its private scalar.
func parseSigningKey(scalar []byte) (signingKey, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar)
	if err != nil {
		return signingKey{}, fmt.Errorf("parse a signing key: %w", err)
	}
	kid, err := thumbprint(&private.PublicKey)
	if err != nil {
		return signingKey{}, fmt.Errorf("name a signing key: %w", err)
	}
	return signingKey{kid: kid, private: private}, nil
}

// thumbprint returns the id of a key (RFC 7638).
func thumbprint(public crypto.PublicKey) (string, error) {
	key := jose.JSONWebKey{Key: public}
	print, err := key.Thumbprint(crypto.SHA256)
	return base64.RawURLEncoding.EncodeToString(print), err
}
