package authserver

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
)

// person has the claims about a person (OpenID Connect Core section 5.1). It omits
// email_verified, since an administrator entered the address.
type person struct {
	Subject octavo.ID `json:"sub"`
	Name    string    `json:"name,omitempty"`
	Email   string    `json:"email,omitempty"`
}

func personOf(u accounts.User, granted scopes) person {
	p := person{Subject: u.ID}
	if granted.has("profile") {
		p.Name = u.Name
	}
	if granted.has("email") {
		p.Email = u.Email
	}
	return p
}

// identityClaims are the claims of an ID token (section 2).
type identityClaims struct {
	person
	Issuer          string    `json:"iss"`
	Audience        octavo.ID `json:"aud"`
	Expiry          int64     `json:"exp"`
	IssuedAt        int64     `json:"iat"`
	AuthenticatedAt int64     `json:"auth_time"`
	Nonce           string    `json:"nonce,omitempty"`
	AccessHash      string    `json:"at_hash,omitempty"`
}

func (s *Server) identityToken(r *http.Request, g accounts.Grant, granted scopes, access string) (string, error) {
	now := s.Env.Now()
	sum := sha256.Sum256([]byte(access))
	return s.Tokens.SignIdentity(r.Context(), identityClaims{
		person: personOf(g.User, granted), Issuer: s.Issuer, Audience: g.ClientID,
		Expiry: now.Add(auth.DefaultTokenTTL).Unix(), IssuedAt: now.Unix(), AuthenticatedAt: g.AuthenticatedAt.Unix(),
		Nonce: g.Nonce, AccessHash: base64.RawURLEncoding.EncodeToString(sum[:len(sum)/2]),
	})
}

// userinfo serves /oauth/userinfo: the claims about a person, for an access token of scope
// openid.
func (s *Server) userinfo(_ http.ResponseWriter, r *http.Request) (any, error) {
	values := r.Header.Values("Authorization")
	if len(values) == 0 {
		return nil, &oauthError{status: http.StatusUnauthorized, challenge: "Bearer"}
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return nil, fault(invalidRequest, "The access token is sent once, in the Authorization header.")
	}
	principal, err := s.Verify.Verify(r.Context(), auth.Credential{Kind: auth.Bearer, Secret: strings.TrimSpace(token)})
	if err != nil {
		return nil, err
	}
	grant, err := s.Accounts.Grants.ByID(r.Context(), principal.Grant)
	if octavo.IsType(err, octavo.NotFound) {
		return nil, fault(invalidToken, "The consent for the access token is no longer valid.")
	}
	if err != nil {
		return nil, err
	}
	granted := parseScopes(principal.Identity) // may be less than the consent
	if !granted.has("openid") {
		return nil, fault(insufficientScope, "This needs the scope openid.")
	}
	return personOf(grant.User, granted), nil
}

// revocationMargin is how long a revocation is kept after its token has expired, since
// clocks differ.
const revocationMargin = 5 * time.Minute

// revoke serves /oauth/revoke (RFC 7009). Revoking a refresh token also revokes all tokens
// of its consent, an access token only itself. Invalid tokens and those of other clients
// succeed without effect.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) (any, error) {
	p, err := formParams(w, r)
	if err != nil {
		return nil, err
	}
	client, err := s.authenticateClient(r, p)
	if err != nil {
		return nil, err
	}
	done := struct{}{} // an empty JSON object: some clients fail without one, though RFC 7009 says to ignore the body
	text := p.get("token")
	if text == "" {
		return nil, fault(invalidRequest, "token is missing.")
	}
	cause := s.cause(r, clientActor(client))
	if family, _, ok := splitRefresh(text); ok {
		grant, err := s.Accounts.Grants.ByFamily(r.Context(), family)
		if err != nil || grant.ClientID != client.ID {
			return done, unlessNotFound(err)
		}
		defer s.Verify.Forget()
		return done, s.Accounts.Grants.End(r.Context(), cause, grant.ID)
	}
	principal, err := s.Verify.Verify(r.Context(), auth.Credential{Kind: auth.Bearer, Secret: text})
	var refused *auth.Error
	if errors.As(err, &refused) || err == nil && principal.Client != string(client.ID) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	defer s.Verify.Forget()
	return done, s.Accounts.Grants.Revoke(r.Context(), cause, principal.CredentialID, auth.Expiry(text).Add(revocationMargin))
}

func unlessNotFound(err error) error {
	if octavo.IsType(err, octavo.NotFound) {
		return nil
	}
	return err
}
