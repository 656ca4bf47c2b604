package auth

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/octavo-docs/octavo/internal/accounts"
)

const (
	identityPrefix = "identity/"
	identityBits   = 2048
	// identityKept is the maximum number of keys for ID tokens: the current key and the
	// previous one, which verifies tokens issued just before a rotation.
	identityKept = 2
)

// identityKeys are the RSA keys that sign ID tokens. Every OpenID Connect client can
// verify RSA (Core section 15.1). The first key is generated when it is needed, since that
// takes a good part of a second.
type identityKeys struct {
	env   Env
	vault *Vault

	mu     sync.Mutex
	keys   []identityKey // newest last
	loaded time.Time
}

type identityKey struct {
	kid     string
	private *rsa.PrivateKey
}

// current returns the keys, at least one.
func (k *identityKeys) current(ctx context.Context) ([]identityKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if age := k.env.Now().Sub(k.loaded); len(k.keys) == 0 || age < 0 || age >= RingRecheck {
		if err := k.read(ctx); err != nil {
			return nil, err
		}
	}
	if len(k.keys) == 0 {
		if err := k.add(ctx); err != nil {
			return nil, err
		}
	}
	return k.keys, nil
}

// rotate generates a new key if there already is one, and removes the oldest.
func (k *identityKeys) rotate(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.read(ctx); err != nil || len(k.keys) == 0 {
		return err
	}
	if err := k.add(ctx); err != nil {
		return err
	}
	for len(k.keys) > identityKept {
		if err := k.vault.store.Delete(ctx, identityPrefix+k.keys[0].kid); err != nil {
			return err
		}
		k.keys = k.keys[1:]
	}
	return nil
}

func (k *identityKeys) add(ctx context.Context) error {
	private, err := rsa.GenerateKey(k.env.Random, identityBits)
	if err != nil {
		return fmt.Errorf("make a key for ID tokens: %w", err)
	}
	kid, err := thumbprint(&private.PublicKey)
	if err != nil {
		return fmt.Errorf("name a key for ID tokens: %w", err)
	}
	if err := k.vault.add(ctx, identityPrefix, identityPrefix+kid, x509.MarshalPKCS1PrivateKey(private)); err != nil {
		return err
	}
	return k.read(ctx)
}

func (k *identityKeys) read(ctx context.Context) error {
	secrets, err := k.vault.All(ctx, identityPrefix)
	if err != nil {
		return err
	}
	slices.SortStableFunc(secrets, func(a, b accounts.Secret) int { return a.CreatedAt.Compare(b.CreatedAt) })
	keys := make([]identityKey, len(secrets))
	for i, s := range secrets {
		private, err := x509.ParsePKCS1PrivateKey(s.Value)
		if err != nil {
			return fmt.Errorf("read secret %s: %w", s.Name, err)
		}
		keys[i] = identityKey{kid: s.Name[len(identityPrefix):], private: private}
	}
	k.keys, k.loaded = keys, k.env.Now()
	return nil
}

// SignIdentity signs the claims of an ID token with RS256.
func (t *Tokens) SignIdentity(ctx context.Context, claims any) (string, error) {
	keys, err := t.identity.current(ctx)
	if err != nil {
		return "", fmt.Errorf("sign an ID token: %w", err)
	}
	key := keys[len(keys)-1]
	text, err := sign(jose.RS256, jose.JSONWebKey{Key: key.private, KeyID: key.kid}, "JWT", claims)
	if err != nil {
		return "", fmt.Errorf("sign an ID token: %w", err)
	}
	return text, nil
}

// ReadIdentity verifies an ID token signed by this installation and decodes its claims.
// It accepts expired ones, since they only identify the person.
func (t *Tokens) ReadIdentity(ctx context.Context, text string, claims any) error {
	if len(text) > MaxCredential {
		return invalid("The ID token is too long.")
	}
	token, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		return invalid("The ID token is malformed, or is not a JWT signed with RS256.")
	}
	keys, err := t.identity.current(ctx)
	if err != nil {
		return fmt.Errorf("verify an ID token: %w", err)
	}
	for _, key := range keys {
		if key.kid == token.Headers[0].KeyID && token.Claims(&key.private.PublicKey, claims) == nil {
			return nil
		}
	}
	return invalid("The signature of the ID token is wrong, or its key no longer exists.")
}

// PublicKeys returns the keys that verify ID tokens.
func (t *Tokens) PublicKeys(ctx context.Context) (jose.JSONWebKeySet, error) {
	set, err := t.JWKS(ctx)
	if err != nil {
		return set, err
	}
	keys, err := t.identity.current(ctx)
	if err != nil {
		return set, fmt.Errorf("read the keys for ID tokens: %w", err)
	}
	for _, k := range keys {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: &k.private.PublicKey, KeyID: k.kid, Algorithm: string(jose.RS256), Use: "sig"})
	}
	return set, nil
}
