package server

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/issuers"
)

// issuerTimeout limits a request to an outside issuer. API requests wait for it if the
// issuer signed their tokens with a new key.
const issuerTimeout = 5 * time.Second

// trustIssuers makes credentials accept tokens of the configured outside issuers. It
// returns nil if there are none.
func (s *server) trustIssuers(env app.Env, credentials *app.Credentials, addresses app.Addresses) *issuers.Verifier {
	if len(s.Issuers) == 0 {
		return nil
	}
	o := issuers.Options{
		Issuers: texts(s.Issuers), Audience: cmp.Or(s.Audience, addresses.Public), Types: texts(s.Types), Claim: s.Claim,
		Scopes: map[string]issuers.Grant{}, Client: s.issuerClient(), Now: env.Now, Log: env.Log,
	}
	for value, grant := range s.Grants {
		o.Scopes[value] = issuers.Grant(grant)
	}
	outside := issuers.New(o)
	credentials.Trust(env, outside)
	return outside
}

// issuerClient returns the HTTP client for outside issuers.
func (s *server) issuerClient() *http.Client {
	return egress.New(egress.Options{Allow: prefixes(s.Private), Resolver: net.DefaultResolver, Timeout: issuerTimeout})
}

// provider returns the sign-in provider, nil if there is none.
func (s *server) provider(env app.Env, addresses app.Addresses) *authserver.Provider {
	if s.SignInIssuer == "" {
		return nil
	}
	p := &authserver.Provider{
		Name: s.SignInLabel(), Roles: map[string]octavo.Role{}, Domains: s.SignInDomains, Link: s.SignInLink, Alone: s.SignInOnly,
		Provider: issuers.NewProvider(issuers.ProviderOptions{
			Issuer: string(s.SignInIssuer), ClientID: s.SignInClient, ClientSecret: string(s.SignInSecret), Scopes: s.SignInScopes, Claim: s.SignInClaim,
			RedirectURL: addresses.Auth + authserver.CallbackPath, Client: s.issuerClient(), Now: env.Now, Log: env.Log,
		}),
	}
	for value, role := range s.SignInRoles {
		p.Roles[value] = octavo.Role(role)
	}
	return p
}

func prefixes(networks []config.Network) []netip.Prefix {
	list := make([]netip.Prefix, len(networks))
	for i, n := range networks {
		list[i] = n.Prefix
	}
	return list
}
