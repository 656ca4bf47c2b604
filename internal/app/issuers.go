package app

import (
	"net/http"

	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/issuers"
)

// TrustIssuers has the access tokens of other issuers accepted too. client
// reaches them. The verifier that it returns wants its Refresh called; without
// issuers there is none.
func (c *Credentials) TrustIssuers(e Env, client *http.Client, o issuers.Options) *issuers.Verifier {
	if len(o.Issuers) == 0 {
		return nil
	}
	o.Client, o.Now, o.Log = client, e.Now, e.Log
	outside := issuers.New(o)
	c.Auth = auth.NewAuthenticator(e.auth(), c.Keys, c.Tokens, outside)
	return outside
}
