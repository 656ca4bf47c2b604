package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/issuers"
)

const (
	// MaxCredential is the maximum length of a credential in bytes.
	MaxCredential = 8 << 10
	// KeyRecheck is how long a verified key is accepted before it is read from the store
	// again.
	KeyRecheck = 500 * time.Millisecond
)

// Kind is the kind of a credential.
type Kind uint8

// The kinds of credentials (contract section "Authentication"). Bearer takes
// access tokens only, the other two API keys only.
const (
	Bearer    Kind = iota // Authorization: Bearer
	HeaderKey             // X-API-Key
	QueryKey              // api_key in the query; it leaks easily, so it sees published pages only (decision 23)
)

// Credential is what a request authenticates with.
type Credential struct {
	Kind   Kind
	Secret string
}

// Outside verifies access tokens of other issuers.
type Outside interface {
	// Mine reports whether a token names one of those issuers.
	Mine(token string) bool
	// Verify returns the principal of a token, and the end of its validity. The result may be
	// cached for issuers.Recheck. The error for an invalid token is an *issuers.Error.
	Verify(ctx context.Context, token string) (octavo.Principal, time.Time, error)
}

// Authenticator verifies credentials.
type Authenticator struct {
	env     Env
	keys    *Keys
	tokens  *Tokens
	outside Outside // nil if only tokens of this installation are accepted
	cache   *cache
}

// NewAuthenticator returns an authenticator for keys and tokens. outside may be
// nil.
func NewAuthenticator(env Env, keys *Keys, tokens *Tokens, outside Outside) *Authenticator {
	return &Authenticator{env: env, keys: keys, tokens: tokens, outside: outside, cache: newCache()}
}

// Verify returns the principal of a credential. It fails with ErrMissing if there is
// none, with an *Error if it is invalid, and with any other error if the store fails.
func (a *Authenticator) Verify(ctx context.Context, c Credential) (octavo.Principal, error) {
	switch {
	case c.Secret == "":
		return octavo.Principal{}, ErrMissing
	case len(c.Secret) > MaxCredential:
		return octavo.Principal{}, invalid("The credential is longer than 8192 bytes.")
	}
	var space [1024]byte // longer credentials go to the heap
	hash := sha256.Sum256(append(space[:0], c.Secret...))
	v := a.cache.get(hash)
	if v == nil || v.over(a.env.Now()) || !v.token && v.revoked != a.keys.revoked.Load() {
		var err error
		if v, err = a.check(ctx, c); err != nil {
			a.cache.drop(hash)
			return octavo.Principal{}, err
		}
		a.cache.put(hash, v, a.env.Now())
	}
	if v.token != (c.Kind == Bearer) {
		return octavo.Principal{}, misplaced(c.Kind)
	}
	principal := v.principal
	if c.Kind == QueryKey {
		principal.PublishedOnly = true
	}
	return principal, nil
}

// check verifies a credential without the cache.
func (a *Authenticator) check(ctx context.Context, c Credential) (*verified, error) {
	if c.Kind == Bearer {
		if isKeyText(c.Secret) {
			return nil, misplaced(Bearer)
		}
		v, err := a.bearer(ctx, c.Secret)
		return v, octavo.Wrapf(err, "verify an access token")
	}
	v := &verified{revoked: a.keys.revoked.Load(), checked: a.env.Now(), recheck: KeyRecheck}
	var err error
	v.principal, v.expires, err = a.keys.verify(ctx, c.Secret)
	return v, octavo.Wrapf(err, "verify an API key")
}

// bearer verifies an access token with the issuer that it names.
func (a *Authenticator) bearer(ctx context.Context, token string) (*verified, error) {
	v := &verified{token: true}
	var err error
	if a.outside == nil || !a.outside.Mine(token) {
		v.principal, v.expires, err = a.tokens.verify(ctx, token)
		return v, err
	}
	v.checked, v.recheck = a.env.Now(), issuers.Recheck
	v.principal, v.expires, err = a.outside.Verify(ctx, token)
	if refused, ok := errors.AsType[*issuers.Error](err); ok {
		err = invalid(refused.Description)
	}
	return v, err
}

// misplaced is the error for a credential of the wrong kind for its place.
func misplaced(k Kind) error {
	if k == Bearer {
		return invalid("API keys are sent in the X-API-Key header; Authorization takes access tokens.")
	}
	return invalid("Access tokens are sent in the Authorization header; X-API-Key takes API keys.")
}
