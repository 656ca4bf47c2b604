// Package issuers handles external issuers and caches their keys. A [Verifier] verifies
// the access tokens that they signed (decision 41) and maps their claims to the scopes
// of this service. A [Provider] is an issuer that people sign in with.
//
// It does not know the installation's own tokens, requests, scopes or people.
// Connections go through the client that it is given.
//
// Keys are read when they are first needed and by [Verifier.Refresh]. A token whose key
// is cached is verified without waiting, even while its issuer is down, until the keys
// are [MaxAge] old. If a token cannot be verified because its issuer does not respond,
// it is not refused, since clients would discard it: the error is then an *octavo.Error
// of type Unavailable.
package issuers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// Time limits of a verifier.
const (
	// ClockSkew is how far the clocks of issuers may be off.
	ClockSkew = time.Minute
	// Recheck is how long the result for a valid token may be cached. After it,
	// tokens of a key that an issuer has withdrawn are refused.
	Recheck = time.Minute
)

// Options configure a verifier. All are required unless the comment says
// otherwise.
type Options struct {
	Issuers  []string // as in the claim iss
	Audience string   // must be among the audiences of a token
	// Types lists the accepted values of the header typ; none means at+jwt, the type of
	// access tokens (RFC 9068). Tokens of other types must not look like ID tokens.
	Types []string
	// Claim is the claim with the scopes: its name, or a path of names separated by dots. ""
	// means scope.
	Claim string
	// Scopes maps values of the claim; * stands for any token. Without it, the
	// values pages:read, pages:propose and pages:write grant these scopes. Admin has to be
	// mapped, since other services use that word too.
	Scopes map[string]Grant
	Client *http.Client
	Now    func() time.Time
	Log    *slog.Logger
}

// Error says why a token is refused. It may be sent to the client: it contains no part of
// the token.
type Error struct{ Description string }

func (e *Error) Error() string { return e.Description }

func refuse(description string) error { return &Error{description} }

// Verifier verifies the tokens of its issuers. It is safe for concurrent use.
type Verifier struct {
	Options
	keys map[string]*keySet // by issuer
}

// New returns a verifier. It makes no connection.
func New(o Options) *Verifier {
	if len(o.Types) == 0 {
		o.Types = []string{accessToken}
	}
	if o.Claim == "" {
		o.Claim = "scope"
	}
	v := &Verifier{Options: o, keys: map[string]*keySet{}}
	for _, issuer := range o.Issuers {
		v.keys[issuer] = &keySet{issuer: issuer, client: o.Client, now: o.Now, log: o.Log}
	}
	return v
}

// Mine reports whether a token names one of the issuers. Only Verify checks that.
func (v *Verifier) Mine(token string) bool { return v.keysFor(token) != nil }

// keysFor returns the keys of the issuer that a token names, nil for none.
func (v *Verifier) keysFor(token string) *keySet {
	parts := strings.SplitN(token, ".", 4)
	if len(parts) != 3 {
		return nil
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Issuer string `json:"iss"`
	}
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return nil
	}
	return v.keys[claims.Issuer]
}

// Refresh reads the keys of every issuer again where they are older than
// refreshAge. Call it about once a minute. It logs failures; the next call
// retries.
func (v *Verifier) Refresh(ctx context.Context) {
	for _, issuer := range v.Issuers {
		v.keys[issuer].refresh(ctx)
	}
}

// Verify returns the principal of a token and its expiry by Options.Now. The caller may
// cache the result for Recheck. The error is an *Error if the token is invalid.
func (v *Verifier) Verify(ctx context.Context, token string) (octavo.Principal, time.Time, error) {
	keys := v.keysFor(token) // trusted once the signature is verified
	if keys == nil {
		return octavo.Principal{}, time.Time{}, refuse("The access token is malformed, or its issuer is not accepted here.")
	}
	c, err := keys.open(ctx, token, expected{kind: "access token", types: v.Types, audience: v.Audience})
	if err == nil && c.typ != accessToken && c.identity() {
		err = refuse("The JWT is an ID token, which gives no access.")
	}
	if err != nil {
		return octavo.Principal{}, time.Time{}, err
	}
	return v.principal(token, c), c.Expiry.Time().Add(ClockSkew), nil
}
