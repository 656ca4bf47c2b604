package main

import (
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

// issuerTimeout is how long an outside issuer may take to answer. Requests
// whose tokens it signed with a new key wait for it.
const issuerTimeout = 5 * time.Second

// trustIssuers has the tokens of the configured outside issuers accepted; nil
// when there are none.
func (c *serveCommand) trustIssuers(env app.Env, credentials *app.Credentials, addresses app.Addresses) *issuers.Verifier {
	o := issuers.Options{
		Issuers: texts(c.Issuers), Audience: first(c.Audience, addresses.Public), Types: texts(c.Types), Claim: c.Claim,
		Scopes: map[string]issuers.Grant{},
	}
	for value, grant := range c.Grants {
		o.Scopes[value] = issuers.Grant(grant)
	}
	return credentials.TrustIssuers(env, c.issuerClient(), o)
}

// issuerClient reaches outside issuers.
func (c *serveCommand) issuerClient() *http.Client {
	return egress.New(egress.Options{Allow: prefixes(c.Private), Resolver: net.DefaultResolver, Timeout: issuerTimeout})
}

// provider is who people can sign in with; nil when there is none.
func (c *serveCommand) provider(env app.Env, addresses app.Addresses) *authserver.Provider {
	if c.SignInIssuer == "" {
		return nil
	}
	p := &authserver.Provider{
		Name: c.SignInLabel(), Roles: map[string]octavo.Role{}, Domains: c.SignInDomains, Link: c.SignInLink, Alone: c.SignInOnly,
		Provider: issuers.NewProvider(issuers.ProviderOptions{
			Issuer: string(c.SignInIssuer), ClientID: c.SignInClient, ClientSecret: string(c.SignInSecret), Scopes: c.SignInScopes, Claim: c.SignInClaim,
			RedirectURL: addresses.Auth + authserver.CallbackPath, Client: c.issuerClient(), Now: env.Now, Log: env.Log,
		}),
	}
	for value, role := range c.SignInRoles {
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
