package auth

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/octavo-docs/octavo"
)

// clockSkew is how far ahead the clock of a process that issued a token may
// be. It is not granted to expiry: a token that has expired is refused.
const clockSkew = 30 * time.Second

// verify returns the subject of a token and when it expires.
func (t *Tokens) verify(ctx context.Context, text string) (octavo.Principal, time.Time, error) {
	var none octavo.Principal
	token, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return none, time.Time{}, invalid("The access token is malformed, or is not a JWT signed with ES256.")
	}
	header := token.Headers[0]
	typ, _ := header.ExtraHeaders[jose.HeaderType].(string)
	if !strings.EqualFold(strings.TrimPrefix(typ, "application/"), tokenType) {
		return none, time.Time{}, invalid("The JWT is not an access token: its typ must be at+jwt.")
	}
	key := t.ring.find(ctx, header.KeyID)
	if key == nil {
		return none, time.Time{}, invalid("The access token is signed with an unknown key.")
	}
	var c claims
	if err := token.Claims(key, &c); err != nil {
		return none, time.Time{}, invalid("The signature of the access token is wrong.")
	}
	if refusal := t.judge(c); refusal != nil {
		return none, time.Time{}, refusal
	}
	scopes, identity := readScopes(c.Scope)
	return octavo.Principal{
		Actor:         octavo.Actor{ID: c.Subject, Name: cmp.Or(c.Name, c.Subject)},
		Client:        c.Client,
		CredentialID:  c.ID,
		Scopes:        scopes,
		Identity:      identity,
		PublishedOnly: c.PublishedOnly,
		Grant:         octavo.ID(c.Grant),
		Suggested:     c.Suggested,
	}, c.Expiry.Time(), nil
}

// judge checks the claims of a token whose signature is right. It returns nil
// when they hold. That iat lies ahead is no fault: nobody else signs with these
// keys, so the clock was set back since.
func (t *Tokens) judge(c claims) *Error {
	now := t.env.Now()
	ours := func(name string) bool { return slices.Contains(t.trusted, name) }
	switch {
	case !ours(c.Issuer):
		return invalid("The issuer of the access token is not accepted here.")
	case !slices.ContainsFunc(c.Audience, ours):
		return invalid("The access token is meant for another audience.")
	case c.Subject == "" || c.Expiry == nil || c.ID == "": // RFC 9068 section 2.2
		return invalid("The access token lacks a claim: sub, exp and jti are required.")
	case !now.Before(c.Expiry.Time()):
		return invalid("The access token has expired.")
	case c.NotBefore != nil && now.Add(clockSkew).Before(c.NotBefore.Time()):
		return invalid("The access token is not valid yet.")
	}
	return nil
}

// readScopes returns the scopes of the API, and the names of the others, such
// as openid.
func readScopes(text string) (set octavo.Scopes, others string) {
	var names []string
	for name := range strings.FieldsSeq(text) {
		scope, err := octavo.ParseScopes(name)
		if err != nil {
			names = append(names, name)
		}
		set |= scope
	}
	return set, strings.Join(names, " ")
}

// Expiry returns when a token expires that was verified. It is the zero time
// for a text that is none.
func Expiry(token string) time.Time {
	var c jwt.Claims
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || parsed.UnsafeClaimsWithoutVerification(&c) != nil || c.Expiry == nil {
		return time.Time{}
	}
	return c.Expiry.Time()
}
