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

// clockSkew is how far ahead the clock of an issuing process may be. Expiry gets no such
// allowance.
const clockSkew = 30 * time.Second

// verify returns the principal of a token and its expiry.
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

// judge checks the claims of a token with a valid signature. A future iat is no fault:
// only this installation has the keys, so its clock was set back.
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

// readScopes returns the API scopes, and the names of others such as openid.
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

// Expiry returns the expiry of a verified token, the zero time for any other text.
func Expiry(token string) time.Time {
	var c jwt.Claims
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || parsed.UnsafeClaimsWithoutVerification(&c) != nil || c.Expiry == nil {
		return time.Time{}
	}
	return c.Expiry.Time()
}
