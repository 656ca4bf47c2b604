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

// algorithms are those that a token may be signed with: public keys alone, so
// that nobody can take a published key for a shared secret.
func algorithms() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{
		jose.ES256, jose.ES384, jose.ES512, jose.EdDSA, jose.PS256, jose.PS384, jose.PS512, jose.RS256, jose.RS384, jose.RS512,
	}
}

// claims are what is read of every token.
type claims struct {
	jwt.Claims
	Client   string `json:"client_id"`
	Party    string `json:"azp"`
	Name     string `json:"name"`
	Username string `json:"preferred_username"`
	Email    string `json:"email"`

	// What only ID tokens have, or mark themselves with.
	Nonce      any    `json:"nonce"`
	AccessHash any    `json:"at_hash"`
	CodeHash   any    `json:"c_hash"`
	Type       string `json:"typ"`       // Keycloak: ID, Bearer, Refresh
	Use        string `json:"token_use"` // Cognito: id, access

	access bool // the header says that it is an access token
}

// open checks type and signature and returns what the token says.
func (v *Verifier) open(ctx context.Context, text string) (claims, map[string]any, error) {
	var c claims
	token, err := jwt.ParseSigned(text, algorithms())
	if err != nil {
		return c, nil, refuse("The access token is malformed, or signed in a way that is not accepted.")
	}
	header := token.Headers[0]
	typ, _ := header.ExtraHeaders[jose.HeaderType].(string)
	typ = strings.TrimPrefix(strings.ToLower(typ), "application/")
	if typ == "" {
		typ = "jwt" // RFC 7519 section 5.1 has it left out
	}
	if !slices.ContainsFunc(v.Types, func(t string) bool { return strings.EqualFold(t, typ) }) {
		return c, nil, refuse("The JWT is not an access token: its typ must be " + strings.Join(v.Types, " or ") + ".")
	}
	keys := v.keysFor(text) // believed once their signature is right
	if keys == nil {
		return c, nil, refuse("The issuer of the access token is not accepted here.")
	}
	if err := keys.verify(ctx, token, "access token"); err != nil {
		return c, nil, err
	}
	var all map[string]any
	switch {
	case token.UnsafeClaimsWithoutVerification(&c, &all) != nil: // its signature was verified
		return c, nil, refuse("The claims of the access token are malformed.")
	case c.Issuer != keys.issuer:
		return c, nil, refuse("The issuer of the access token is not accepted here.")
	}
	c.access = typ == accessToken
	return c, all, nil
}

// verify checks the signature of a token; what names it in refusals.
func (s *keySet) verify(ctx context.Context, token *jwt.JSONWebToken, what string) error {
	header := token.Headers[0]
	key, err := s.find(ctx, header.KeyID)
	switch {
	case err != nil:
		return err
	case key == nil:
		return refuse("The " + what + " is signed with an unknown key.")
	case key.Algorithm != "" && key.Algorithm != header.Algorithm:
		return refuse("The " + what + " is signed with another algorithm than its key is for.")
	case token.Claims(key.Key) != nil:
		return refuse("The signature of the " + what + " is wrong.")
	}
	return nil
}

// judge checks the claims of a token whose signature is right.
func (v *Verifier) judge(c claims) error {
	now := v.Now()
	switch {
	case !slices.Contains(c.Audience, v.Audience):
		return refuse("The access token is meant for another audience.")
	case c.Subject == "" || c.Expiry == nil:
		return refuse("The access token lacks a claim: sub and exp are required.")
	case len(c.Subject) > maxName || strings.ContainsFunc(c.Subject, unicode.IsControl):
		return refuse("The subject of the access token is too long, or holds control characters.")
	case !now.Before(c.Expiry.Time().Add(ClockSkew)):
		return refuse("The access token has expired.")
	case c.NotBefore != nil && now.Add(ClockSkew).Before(c.NotBefore.Time()),
		c.IssuedAt != nil && now.Add(ClockSkew).Before(c.IssuedAt.Time()):
		return refuse("The access token is not valid yet.")
	case !c.access && c.identity():
		return refuse("The JWT is an ID token, which says who somebody is and lets nobody in.")
	}
	return nil
}

// identity reports whether a token whose type does not tell is an ID token, by
// what OpenID Connect Core puts into those alone, by the marks of two common
// servers, and by its audience: an ID token is meant for the client that it was
// issued to, an access token for somebody else.
func (c claims) identity() bool {
	return c.Nonce != nil || c.AccessHash != nil || c.CodeHash != nil ||
		strings.EqualFold(c.Type, "ID") || strings.EqualFold(c.Type, "Refresh") || strings.EqualFold(c.Use, "id") ||
		c.Party != "" && slices.Contains(c.Audience, c.Party) || c.Client != "" && slices.Contains(c.Audience, c.Client)
}
