package main

import (
	"net"
	"net/netip"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
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
	client := egress.New(egress.Options{Allow: prefixes(c.Private), Resolver: net.DefaultResolver, Timeout: issuerTimeout})
	return credentials.TrustIssuers(env, client, o)
}

func prefixes(networks []config.Network) []netip.Prefix {
	list := make([]netip.Prefix, len(networks))
	for i, n := range networks {
		list[i] = n.Prefix
	}
	return list
}
