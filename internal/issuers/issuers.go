// Package issuers deals with issuers other than the installation: it finds and
// keeps their keys. A [Verifier] judges access tokens that they have signed
// (decision 41) and maps what those say to the scopes of this service. A
// [Provider] has one of them tell who signs in.
//
// It does not know the installation's own tokens, nor requests that are served,
// nor what a scope permits, nor people. Connections go through the client that
// it is given.
//
// Keys are read when they are first needed and by [Verifier.Refresh], and are
// found without waiting while they are known. So a token whose key is known is
// verified also while its issuer is down, until its keys are [MaxAge] old. What
// cannot be told because the issuer does not answer is not refused: the error
// is an *octavo.Error of type Unavailable, since a refusal would make clients
// throw a good token away.
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

// How a verifier treats time.
const (
	// ClockSkew is how far the clocks of issuers may be off.
	ClockSkew = time.Minute
	// Recheck is how long a verified token may be remembered: within it a key
	// that an issuer has withdrawn ends the tokens that it signed.
	Recheck = time.Minute
)

// Options are what a verifier is made with. All are needed unless said
// otherwise.
type Options struct {
	Issuers  []string // as they stand in the claim iss
	Audience string   // must be among the audiences of a token
	// Types lists the accepted values of the header typ; none stands for
	// at+jwt, the type of access tokens (RFC 9068). See the package's judge.go
	// for what is asked of others.
	Types []string
	// Claim is the claim that scopes come from: its name, or a path of names
	// divided by dots. "" is scope.
	Claim string
	// Scopes maps values of the claim; * stands for any token. None takes
	// pages:read and pages:write as what they say, and nothing as admin, which
	// means something else elsewhere.
	Scopes map[string]Grant
	Client *http.Client
	Now    func() time.Time
	Log    *slog.Logger
}

// Error says why a token is refused. Its text is made to be sent to the client:
// it holds nothing of the token.
type Error struct{ Description string }

// Error implements error.
func (e *Error) Error() string { return e.Description }

func refuse(description string) error { return &Error{description} }

// Verifier verifies the tokens of its issuers. It is safe for concurrent use.
type Verifier struct {
	Options
	keys map[string]*keySet // by issuer
}

// New returns a verifier. It contacts nobody.
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

// Mine reports whether a token says that one of the issuers made it. Whether
// that is true is for Verify to find out.
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

// Refresh reads the keys anew that are older than refreshAge, from every
// issuer. Call it about once a minute. What fails is logged and tried again.
func (v *Verifier) Refresh(ctx context.Context) {
	for _, issuer := range v.Issuers {
		v.keys[issuer].refresh(ctx)
	}
}

// Verify returns who a token speaks for and when it is no longer accepted, by
// Options.Now. That may be remembered for Recheck. It fails with an *Error when
// the token is not valid.
func (v *Verifier) Verify(ctx context.Context, token string) (octavo.Principal, time.Time, error) {
	c, all, err := v.open(ctx, token)
	if err != nil {
		return octavo.Principal{}, time.Time{}, err
	}
	if err := v.judge(c); err != nil {
		return octavo.Principal{}, time.Time{}, err
	}
	return v.principal(token, c, all), c.Expiry.Time().Add(ClockSkew), nil
}
