package issuers

import (
	"context"
	"crypto/subtle"
	"maps"
)

// identity verifies an ID token (OpenID Connect Core section 3.1.3.7) and
// returns its claims.
func (p *Provider) identity(ctx context.Context, text, nonce string) (map[string]any, error) {
	c, err := p.keys.open(ctx, text, expected{kind: "ID token", types: []string{"JWT"}, audience: p.ClientID})
	if err != nil {
		return nil, err
	}
	party, given := c.all["azp"].(string)
	have, _ := c.all["nonce"].(string)
	switch {
	case c.all["azp"] != nil && party != p.ClientID, len(c.Audience) > 1 && !given:
		return nil, refuse("The ID token is meant for another client.")
	case subtle.ConstantTimeCompare([]byte(have), []byte(nonce)) != 1:
		return nil, refuse("The ID token belongs to another sign-in.")
	case c.IssuedAt == nil:
		return nil, refuse("The ID token lacks a claim: iat is required.")
	}
	return c.all, nil
}

// ask adds the claims of the userinfo endpoint (section 5.3), if there is one. Claims of
// the ID token take precedence.
func (p *Provider) ask(ctx context.Context, about *fetched, access string, claims map[string]any) error {
	if about.Userinfo == "" || access == "" {
		return nil
	}
	more := map[string]any{}
	if err := document(ctx, p.Client, about.Userinfo, "Bearer "+access, &more); err != nil {
		return p.failed(ctx, "read userinfo", err)
	}
	if more["sub"] != claims["sub"] {
		return refuse("The provider describes another person.")
	}
	if claims["email"] != nil { // email_verified refers to this address
		delete(more, "email_verified")
	}
	maps.Copy(more, claims)
	maps.Copy(claims, more)
	return nil
}

// person reads claims of a verified ID token.
func (p *Provider) person(claims map[string]any) Person {
	verified := claims["email_verified"]
	return Person{
		Issuer: p.Issuer, Subject: name(claims["sub"]), Email: name(claims["email"]), Name: name(claims["name"]),
		EmailVerified: verified == true || verified == "true", // some servers write text
		Values:        texts(lookup(claims, p.Claim)),
	}
}
