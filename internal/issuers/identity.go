package issuers

import (
	"context"
	"crypto/subtle"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// identity verifies an ID token (OpenID Connect Core section 3.1.3.7) and
// returns what it says.
func (p *Provider) identity(ctx context.Context, text, nonce string) (map[string]any, error) {
	token, err := jwt.ParseSigned(text, algorithms())
	if err != nil {
		return nil, refuse("The ID token is missing, malformed, or signed in a way that is not accepted.")
	}
	// Other kinds of tokens of the same issuer have types of their own.
	if typ, given := token.Headers[0].ExtraHeaders[jose.HeaderType]; given && typ != "JWT" && typ != "jwt" {
		return nil, refuse("The JWT is not an ID token.")
	}
	if err := p.keys.verify(ctx, token, "ID token"); err != nil {
		return nil, err
	}
	var c struct {
		jwt.Claims
		Party string `json:"azp"`
		Nonce string `json:"nonce"`
	}
	all := map[string]any{}
	if err := token.UnsafeClaimsWithoutVerification(&c, &all); err != nil { // its signature was verified
		return nil, refuse("The claims of the ID token are malformed.")
	}
	now := p.Now()
	switch {
	case c.Issuer != p.Issuer:
		return nil, refuse("The ID token comes from another issuer.")
	case !slices.Contains(c.Audience, p.ClientID), c.Party != "" && c.Party != p.ClientID, len(c.Audience) > 1 && c.Party == "":
		return nil, refuse("The ID token is meant for another client.")
	case subtle.ConstantTimeCompare([]byte(c.Nonce), []byte(nonce)) != 1:
		return nil, refuse("The ID token belongs to another sign-in.")
	case c.Subject == "" || c.Expiry == nil || c.IssuedAt == nil:
		return nil, refuse("The ID token lacks a claim: sub, exp and iat are required.")
	case len(c.Subject) > maxName || strings.ContainsFunc(c.Subject, unicode.IsControl):
		return nil, refuse("The subject of the ID token is too long, or holds control characters.")
	case !now.Before(c.Expiry.Time().Add(ClockSkew)):
		return nil, refuse("The ID token has expired.")
	case now.Add(ClockSkew).Before(c.IssuedAt.Time()), c.NotBefore != nil && now.Add(ClockSkew).Before(c.NotBefore.Time()):
		return nil, refuse("The ID token is not valid yet.")
	}
	return all, nil
}

// ask adds to claims what the provider tells of the person elsewhere (section
// 5.3 there), if it does. What the ID token says stands.
func (p *Provider) ask(ctx context.Context, about *discovery, access string, claims map[string]any) error {
	if about.Userinfo == "" || access == "" {
		return nil
	}
	told := map[string]any{}
	if err := document(ctx, p.Client, about.Userinfo, "Bearer "+access, &told); err != nil {
		return p.failed(ctx, "read userinfo", err)
	}
	if told["sub"] != claims["sub"] {
		return refuse("The provider tells of another person.")
	}
	if claims["email"] != nil { // whether an address is verified is said beside it
		delete(told, "email_verified")
	}
	maps.Copy(told, claims)
	maps.Copy(claims, told)
	return nil
}

// person reads claims of a verified ID token.
func (p *Provider) person(claims map[string]any) Person {
	text := func(name string) string {
		value, _ := claims[name].(string)
		if len(value) > maxName || strings.ContainsFunc(value, unicode.IsControl) {
			return ""
		}
		return value
	}
	verified := claims["email_verified"]
	return Person{
		Issuer: p.Issuer, Subject: text("sub"), Email: text("email"), Name: text("name"),
		EmailVerified: verified == true || verified == "true", // as some servers write it
		Values:        texts(lookup(claims, p.Claim)),
	}
}
