package authserver

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
)

// tokens is the response of the token endpoint (RFC 6749 section 5.1).
type tokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int64  `json:"expires_in"`
	Refresh   string `json:"refresh_token,omitempty"`
	Identity  string `json:"id_token,omitempty"`
	Scope     string `json:"scope"`
}

// token serves /oauth/token.
func (s *Server) token(w http.ResponseWriter, r *http.Request) (any, error) {
	p, err := formParams(w, r)
	if err != nil {
		return nil, err
	}
	client, err := s.authenticateClient(r, p)
	if err != nil {
		return nil, err
	}
	if !s.knownResource(p) {
		return nil, errNoTarget()
	}
	switch p.get("grant_type") {
	case "authorization_code":
		return s.redeem(r, p, client)
	case "refresh_token":
		return s.refresh(r, p, client)
	case "client_credentials":
		return s.clientCredentials(r, p, client)
	case "":
		return nil, fault(invalidRequest, "grant_type is missing.")
	}
	return nil, fault(unsupportedGrantType, "Use authorization_code, refresh_token or client_credentials.")
}

// knownResource reports whether the client names no resource, or the API (RFC 8707).
func (s *Server) knownResource(p params) bool {
	resource := p.get("resource")
	return resource == "" || resource == s.Resource || resource == s.Resource+"/"
}

func errNoTarget() error {
	return fault(invalidTarget, "No such resource is served by tokens from here.")
}

// notValid is the only error for an unusable code or token, whatever the reason.
func notValid(what string) error {
	return fault(invalidGrant, "The "+what+" is unknown, expired, was used, or belongs to another client.")
}

// redeem exchanges a code for tokens. Using a code again revokes its tokens (RFC 6749
// section 4.1.2).
func (s *Server) redeem(r *http.Request, p params, client accounts.Client) (*tokens, error) {
	code, verifier := p.get("code"), p.get("code_verifier")
	switch {
	case code == "" || p.get("redirect_uri") == "":
		return nil, fault(invalidRequest, "code and redirect_uri are required.")
	case !validVerifier(verifier):
		return nil, fault(invalidRequest, "code_verifier must have 43 to 128 letters, digits, or -._~.")
	}
	if err := s.Tokens.Ready(r.Context(), true); err != nil {
		return nil, err
	}
	suggestions, err := s.Suggestions(r.Context())
	if err != nil {
		return nil, err
	}
	next, refresh, err := s.firstToken()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:]) // RFC 7636 section 4.6
	grant, err := s.Accounts.Grants.RedeemCode(r.Context(), s.cause(r, clientActor(client)), hashOf(code), next, func(g accounts.Grant) error {
		switch {
		case g.ClientID != client.ID || g.RedirectURI != p.get("redirect_uri"):
			return notValid("code")
		case g.Challenge != challenge:
			return fault(invalidGrant, "The code_verifier does not belong to the code.")
		}
		return allowed(g)
	})
	if err != nil {
		return nil, s.grantError(r, err, "code")
	}
	granted := parseScopes(grant.Scope).bounded(grant.User.Role.ScopesWhere(suggestions))
	t, err := s.personTokens(r, grant, auth.DefaultTokenTTL, granted)
	if err != nil {
		return nil, err
	}
	if granted.lasts() {
		t.Refresh = refresh
	}
	if granted.has("openid") {
		t.Identity, err = s.identityToken(r, grant, granted, t.Access)
	}
	return t, err
}

// refresh replaces a refresh token, and issues an access token with the current rights of
// the person.
func (s *Server) refresh(r *http.Request, p params, client accounts.Client) (*tokens, error) {
	text := p.get("refresh_token")
	if text == "" {
		return nil, fault(invalidRequest, "refresh_token is missing.")
	}
	family, old, ok := splitRefresh(text)
	if !ok {
		return nil, notValid("refresh token")
	}
	own, token, err := NewSecret(s.Env.Random)
	if err != nil {
		return nil, err
	}
	if err := s.Tokens.Ready(r.Context(), false); err != nil {
		return nil, err
	}
	suggestions, err := s.Suggestions(r.Context())
	if err != nil {
		return nil, err
	}
	asked := parseScopes(p.get("scope"))
	next := accounts.Next{Token: token, ExpiresAt: s.Env.Now().Add(RefreshLife)}
	grant, err := s.Accounts.Grants.RotateToken(r.Context(), s.cause(r, clientActor(client)), family, old, next, func(g accounts.Grant) error {
		granted := parseScopes(g.Scope)
		switch {
		case g.ClientID != client.ID || !granted.lasts():
			return notValid("refresh token")
		case p.get("scope") != "" && (asked.empty() || !asked.within(granted)):
			return fault(invalidScope, "The scope is larger than what was granted.")
		}
		return allowed(g)
	})
	if err != nil {
		return nil, s.grantError(r, err, "refresh token")
	}
	if asked.empty() {
		asked = parseScopes(grant.Scope)
	}
	t, err := s.personTokens(r, grant, auth.DefaultTokenTTL, asked.bounded(grant.User.Role.ScopesWhere(suggestions)))
	if err != nil {
		return nil, err
	}
	t.Refresh = text[:len(refreshPrefix)+secretLength] + own
	return t, nil
}

// allowed refuses a grant if the person's role leaves no scope.
func allowed(g accounts.Grant) error {
	granted := parseScopes(g.Scope)
	if left := granted.bounded(g.User.Role.Scopes()); left.api == 0 && granted.api != 0 {
		return fault(invalidGrant, "The person's role no longer allows what was granted.")
	}
	return nil
}

// grantError converts a failed grant for the client, and logs a reused token.
func (s *Server) grantError(r *http.Request, err error, what string) error {
	if errors.Is(err, accounts.ErrSpent) {
		s.Verify.Forget()
		s.Log.WarnContext(r.Context(), "a "+what+" was used again: everything that it gave was revoked")
		return notValid(what)
	}
	if octavo.IsType(err, octavo.NotFound) {
		return notValid(what)
	}
	return err
}

// clientCredentials issues a token to a client for itself (RFC 6749 section 4.4).
func (s *Server) clientCredentials(r *http.Request, p params, client accounts.Client) (*tokens, error) {
	own := scopes{api: client.Scopes}
	asked := parseScopes(p.get("scope"))
	switch {
	case client.Public() || own.api == 0:
		return nil, fault(unauthorizedClient, "The client cannot act without a person.")
	case p.get("scope") == "":
		asked = own
	case asked.empty() || !asked.within(own):
		return nil, fault(invalidScope, "The scope is larger than what the client may do on its own.")
	}
	return s.issue(r, auth.Grant{Subject: string(client.ID), Name: client.Name, Client: string(client.ID), TTL: auth.DefaultTokenTTL}, asked)
}

func (s *Server) personTokens(r *http.Request, g accounts.Grant, life time.Duration, granted scopes) (*tokens, error) {
	suggested := granted.api.Allow(octavo.ScopePropose) && !g.User.Role.Scopes().Allow(octavo.ScopePropose)
	return s.issue(r, auth.Grant{Subject: string(g.User.ID), Name: g.User.Name, Client: string(g.ClientID), ID: g.ID, Suggested: suggested, TTL: life}, granted)
}

func (s *Server) issue(r *http.Request, g auth.Grant, granted scopes) (*tokens, error) {
	g.Scopes, g.Issuer, g.Audience, g.Identity = granted.api, s.Issuer, s.Resource, scopes{identity: granted.identity}.String()
	access, err := s.Tokens.Issue(r.Context(), g)
	if err != nil {
		return nil, err
	}
	return &tokens{Access: access, Type: "Bearer", ExpiresIn: int64(g.TTL / time.Second), Scope: granted.String()}, nil
}

// firstToken starts a family of refresh tokens.
func (s *Server) firstToken() (next accounts.Next, text string, err error) {
	family, familyHash, err := NewSecret(s.Env.Random)
	if err != nil {
		return next, "", err
	}
	own, hash, err := NewSecret(s.Env.Random)
	if err != nil {
		return next, "", err
	}
	return accounts.Next{Family: familyHash, Token: hash, ExpiresAt: s.Env.Now().Add(RefreshLife)}, refreshPrefix + family + own, nil
}

func clientActor(c accounts.Client) octavo.Actor { return octavo.Actor{ID: string(c.ID), Name: c.Name} }

// validVerifier checks the syntax of a code verifier (RFC 7636 section 4.1).
func validVerifier(text string) bool {
	for _, c := range []byte(text) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~') {
			return false
		}
	}
	return len(text) >= 43 && len(text) <= 128
}
