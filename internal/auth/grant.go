package auth

import (
	"strings"
	"time"
	"unicode"

	"github.com/octavo-docs/octavo"
)

const day = 24 * time.Hour

// Lifetimes of access tokens (decision 40). A token issued by a command cannot be revoked,
// so it is short-lived; use an API key for long-lived access.
const (
	DefaultTokenTTL = 15 * time.Minute
	MaxTokenTTL     = 30 * day
)

// Grant describes an access token to be issued.
type Grant struct {
	Subject       string
	Name          string // shown to people; the subject if empty
	Client        string // the OAuth client; the subject if empty
	Scopes        octavo.Scopes
	PublishedOnly bool
	TTL           time.Duration // 0 means DefaultTokenTTL

	// The addresses of the installation; may be empty.
	Issuer   string // of its authorization server, which a server must have as its own
	Audience string // of its API

	// Only for tokens of the authorization server.
	ID       octavo.ID // of the consent that the token comes from
	Identity string    // scopes that give no access to the API, such as "openid email"

	Suggested bool // pages:propose is only valid while the setting suggestions is on
}

// Check sets defaults and validates the grant. It needs no keys.
func (g *Grant) Check() error {
	var faults octavo.Faults
	if g.TTL == 0 {
		g.TTL = DefaultTokenTTL
	}
	if g.Client == "" {
		g.Client = g.Subject
	}
	if g.Subject == "" {
		faults.Add("/subject", "is required")
	}
	if strings.ContainsFunc(g.Subject, unicode.IsControl) {
		faults.Add("/subject", "must not contain control characters")
	}
	if g.TTL < 0 || g.TTL > MaxTokenTTL {
		faults.Add("/ttl", "must be at most %d days; create an API key for longer", MaxTokenTTL/day)
	}
	if g.Scopes != 0 || g.Identity == "" {
		checkScopes(g.Scopes, g.PublishedOnly, &faults)
	}
	return faults.Err()
}

// checkScopes enforces the visibility rule of decision 38: a published-only credential
// cannot change pages.
func checkScopes(scopes octavo.Scopes, publishedOnly bool, faults *octavo.Faults) {
	if scopes == 0 {
		faults.Add("/scopes", "must name a scope: pages:read, pages:propose, pages:write or admin")
	}
	if publishedOnly && scopes.Allow(octavo.ScopeWrite) {
		faults.Add("/scopes", "must not contain pages:write or admin in a published-only credential, which could not see what it changes")
	}
}
