package issuers

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// accessToken is the type of access tokens (RFC 9068 section 2.1).
const accessToken = "at+jwt"

// maxName is the maximum length of a subject, a name and a client in bytes (OpenID Connect
// Core section 2 limits subjects to 255).
const maxName = 255

// algorithms are the accepted signature algorithms. All use public keys, so that a
// published key is never used as a shared secret.
func algorithms() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{
		jose.ES256, jose.ES384, jose.ES512, jose.EdDSA, jose.PS256, jose.PS384, jose.PS512, jose.RS256, jose.RS384, jose.RS512,
	}
}

type claims struct {
	jwt.Claims
	all map[string]any
	typ string // of the header, in lower case; jwt if it is missing
}

// expected describes a valid token.
type expected struct {
	kind     string // for error texts
	types    []string
	audience string
}

// open verifies the type, the signature and the registered claims of a token.
func (s *keySet) open(ctx context.Context, text string, want expected) (c claims, err error) {
	token, err := jwt.ParseSigned(text, algorithms())
	if err != nil {
		return c, refuse("The " + want.kind + " is malformed, or signed in a way that is not accepted.")
	}
	header := token.Headers[0]
	typ, _ := header.ExtraHeaders[jose.HeaderType].(string)
	if c.typ = strings.TrimPrefix(strings.ToLower(typ), "application/"); c.typ == "" {
		c.typ = "jwt" // RFC 7519 section 5.1 makes it optional
	}
	if !slices.ContainsFunc(want.types, func(t string) bool { return strings.EqualFold(t, c.typ) }) {
		return c, refuse("The JWT is not an " + want.kind + ": its typ must be " + strings.Join(want.types, " or ") + ".")
	}
	known, err := s.get(ctx, header.KeyID)
	if err != nil {
		return c, err
	}
	key := known.keys[header.KeyID]
	switch {
	case key == nil:
		return c, refuse("The " + want.kind + " is signed with an unknown key.")
	case key.Algorithm != "" && key.Algorithm != header.Algorithm:
		return c, refuse("The " + want.kind + " is signed with another algorithm than its key is for.")
	case token.Claims(key.Key) != nil:
		return c, refuse("The signature of the " + want.kind + " is wrong.")
	case token.UnsafeClaimsWithoutVerification(&c.Claims, &c.all) != nil: // its signature is verified already
		return c, refuse("The claims of the " + want.kind + " are malformed.")
	}
	return c, s.check(&c, want)
}

// check checks the registered claims (RFC 7519 section 4.1).
func (s *keySet) check(c *claims, want expected) error {
	now := s.now()
	switch {
	case c.Issuer != s.issuer:
		return refuse("The " + want.kind + " comes from another issuer.")
	case !slices.Contains(c.Audience, want.audience):
		return refuse("The " + want.kind + " is meant for another client or audience.")
	case c.Subject == "" || c.Expiry == nil:
		return refuse("The " + want.kind + " lacks a claim: sub and exp are required.")
	case name(c.Subject) == "":
		return refuse("The subject of the " + want.kind + " is too long, or has control characters.")
	case !now.Before(c.Expiry.Time().Add(ClockSkew)):
		return refuse("The " + want.kind + " has expired.")
	case c.NotBefore != nil && now.Add(ClockSkew).Before(c.NotBefore.Time()),
		c.IssuedAt != nil && now.Add(ClockSkew).Before(c.IssuedAt.Time()):
		return refuse("The " + want.kind + " is not valid yet.")
	}
	return nil
}

// identity reports whether a token without a telling type is an ID token. It checks claims
// that OpenID Connect Core defines only for those, claims that Keycloak (typ) and Cognito
// (token_use) add, and whether the audience is the client.
func (c *claims) identity() bool {
	typ, _ := c.all["typ"].(string)
	use, _ := c.all["token_use"].(string)
	mine := func(claim string) bool {
		client, ok := c.all[claim].(string)
		return ok && slices.Contains(c.Audience, client)
	}
	return c.all["nonce"] != nil || c.all["at_hash"] != nil || c.all["c_hash"] != nil ||
		strings.EqualFold(typ, "ID") || strings.EqualFold(typ, "Refresh") || strings.EqualFold(use, "id") ||
		mine("azp") || mine("client_id")
}

// name returns the value of a displayed claim, or "" if it is not a string, too long, or
// has control characters.
func name(claim any) string {
	text, _ := claim.(string)
	if len(text) > maxName || strings.ContainsFunc(text, unicode.IsControl) {
		return ""
	}
	return text
}
