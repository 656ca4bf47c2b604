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

// Tokens issues and verifies access tokens: JWTs of RFC 9068, signed with
// ES256. The newest of its signing keys signs.
type Tokens struct {
	env     Env
	ids     *octavo.IDSource
	ring    *ring
	issuer  string
	trusted []string // issuers and audiences

	identity *identityKeys
}

// TokenOptions are what Tokens works with.
type TokenOptions struct {
	Env          Env
	IDs          *octavo.IDSource
	Vault        *Vault
	Installation octavo.ID
	AuthURL      string       // accepted as issuer and audience too; may be empty
	Log          *slog.Logger // of signing keys that could not be read; nil drops it
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

// OpenTokens reads the signing keys and makes one where there is none. It
// fails with ErrNoSecretKey, ErrPlainSecret or ErrWrongSecretKey when it cannot
// read them.
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

// Ready reads the keys that sign access tokens, and those of ID tokens too where
// identity says so. Who uses up a code or a refresh token calls it before: that a
// key cannot be read must not cost its owner what was granted.
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

// Issue makes a signed token. The installation is among its audiences, wherever
// that is served, and is its issuer where the grant names none. A grant at fault
// is an *octavo.Error of type InvalidRequest.
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
			// Dates are whole seconds, and so is what lies between them.
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

// sign returns a JWT of that type.
func sign(algorithm jose.SignatureAlgorithm, key jose.JSONWebKey, typ string, claims any) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, new(jose.SignerOptions).WithType(jose.ContentType(typ)))
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// RotateSigningKey makes a new key, which signs from now on. Older keys verify
// until the longest token that they may have signed has expired.
func (t *Tokens) RotateSigningKey(ctx context.Context) error {
	if err := t.ring.rotate(ctx); err != nil {
		return fmt.Errorf("rotate the signing key: %w", err)
	}
	return octavo.Wrapf(t.identity.rotate(ctx), "rotate the key for ID tokens")
}

// Sweep removes the signing keys that no living token can need.
func (t *Tokens) Sweep(ctx context.Context) error {
	return octavo.Wrapf(t.ring.sweep(ctx), "remove old signing keys")
}

// JWKS returns the public halves of the keys that verify access tokens (RFC
// 7517), ready to be encoded as JSON.
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
