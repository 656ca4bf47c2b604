package auth

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/octavo-docs/octavo"
)

// tokenType is the media type of access tokens (RFC 9068 section 2.1).
const tokenType = "at+jwt"

// Tokens issues and verifies access tokens: JWTs (RFC 9068) signed with ES256 by the
// newest signing key.
type Tokens struct {
	env     Env
	ids     *octavo.IDSource
	ring    *ring
	issuer  string
	trusted []string // issuers and audiences

	identity *identityKeys
}

type TokenOptions struct {
	Env          Env
	IDs          *octavo.IDSource
	Vault        *Vault
	Installation octavo.ID
	AuthURL      string       // also accepted as issuer and audience; may be empty
	Log          *slog.Logger // for errors of reading signing keys; nil logs nothing
}

// claims are the claims of an access token. The last four are private.
type claims struct {
	jwt.Claims
	Client        string `json:"client_id"`
	Scope         string `json:"scope"`
	Name          string `json:"name,omitempty"`
	PublishedOnly bool   `json:"published_only,omitempty"`
	Grant         string `json:"grant_id,omitempty"`
	Suggested     bool   `json:"suggested,omitempty"`
}

// OpenTokens reads the signing keys, and generates one if there is none. It fails with
// ErrNoSecretKey, ErrPlainSecret or ErrWrongSecretKey if they cannot be decrypted.
func OpenTokens(ctx context.Context, o TokenOptions) (*Tokens, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ring, err := openRing(ctx, o.Env, o.Log, o.Vault)
	if err != nil {
		return nil, fmt.Errorf("open the signing keys: %w", err)
	}
	issuer := "urn:octavo:" + string(o.Installation)
	trusted := []string{issuer}
	if o.AuthURL != "" {
		trusted = append(trusted, o.AuthURL)
	}
	return &Tokens{env: o.Env, ids: o.IDs, ring: ring, issuer: issuer, trusted: trusted, identity: &identityKeys{env: o.Env, vault: o.Vault}}, nil
}

// Ready reads the keys that sign access tokens and, if identity is set, those of ID
// tokens. Call it before redeeming a code or a refresh token: an unreadable key must not
// use up the grant.
func (t *Tokens) Ready(ctx context.Context, identity bool) error {
	if _, err := t.ring.current(ctx); err != nil {
		return fmt.Errorf("read the signing keys: %w", err)
	}
	if !identity {
		return nil
	}
	_, err := t.identity.current(ctx)
	return octavo.Wrapf(err, "read the keys for ID tokens")
}

// Issue returns a signed token. Its audience always includes the installation, which is
// also the default issuer. An invalid grant is an *octavo.Error of type InvalidRequest.
func (t *Tokens) Issue(ctx context.Context, g Grant) (string, error) {
	if err := g.Check(); err != nil {
		return "", err
	}
	keys, err := t.ring.current(ctx)
	if err != nil {
		return "", fmt.Errorf("issue a token: %w", err)
	}
	id, err := t.ids.New(octavo.PrefixToken)
	if err != nil {
		return "", fmt.Errorf("issue a token: %w", err)
	}
	audience := jwt.Audience{t.issuer}
	if g.Audience != "" {
		audience = append(audience, g.Audience)
	}
	now := t.env.Now()
	key := keys[len(keys)-1]
	text, err := sign(jose.ES256, jose.JSONWebKey{Key: key.private, KeyID: key.kid}, tokenType, claims{
		Claims: jwt.Claims{
			Issuer:   cmp.Or(g.Issuer, t.issuer),
			Subject:  g.Subject,
			Audience: audience,
			// JWT times are whole seconds; round the lifetime up.
			Expiry:   jwt.NewNumericDate(now.Truncate(time.Second).Add(g.TTL + time.Second - 1)),
			IssuedAt: jwt.NewNumericDate(now),
			ID:       string(id),
		},
		Client:        g.Client,
		Scope:         strings.TrimSpace(g.Scopes.String() + " " + g.Identity),
		Name:          g.Name,
		PublishedOnly: g.PublishedOnly,
		Grant:         string(g.ID),
		Suggested:     g.Suggested,
	})
	if err != nil {
		return "", fmt.Errorf("issue a token: %w", err)
	}
	if len(text) > MaxCredential {
		return "", octavo.Invalid("/subject", "or the name is too long: the token would have %d bytes, and a server accepts %d", len(text), MaxCredential)
	}
	return text, nil
}

func sign(algorithm jose.SignatureAlgorithm, key jose.JSONWebKey, typ string, claims any) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, new(jose.SignerOptions).WithType(jose.ContentType(typ)))
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// RotateSigningKey generates a signing key, which signs from now on. Older keys verify
// until the longest token that they may have signed has expired.
func (t *Tokens) RotateSigningKey(ctx context.Context) error {
	if err := t.ring.rotate(ctx); err != nil {
		return fmt.Errorf("rotate the signing key: %w", err)
	}
	return octavo.Wrapf(t.identity.rotate(ctx), "rotate the key for ID tokens")
}

// Sweep removes signing keys that no valid token needs.
func (t *Tokens) Sweep(ctx context.Context) error {
	return octavo.Wrapf(t.ring.sweep(ctx), "remove old signing keys")
}

// JWKS returns the public keys that verify access tokens (RFC 7517), ready to be encoded
// as JSON.
func (t *Tokens) JWKS(ctx context.Context) (jose.JSONWebKeySet, error) {
	keys, err := t.ring.current(ctx)
	if err != nil {
		return jose.JSONWebKeySet{}, fmt.Errorf("read the signing keys: %w", err)
	}
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}
	for _, k := range keys {
		if !k.retired(t.env.Now()) {
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: &k.private.PublicKey, KeyID: k.kid, Algorithm: string(jose.ES256), Use: "sig"})
		}
	}
	return set, nil
}
