package auth

import (
	"strings"
	"time"
	"unicode"

	"github.com/octavo-docs/octavo"
)

const day = 24 * time.Hour

// Lifetimes of access tokens (decision 40). One that a command has issued cannot
// be revoked, so it lives shortly; what must live long is an API key.
const (
	DefaultTokenTTL = 15 * time.Minute
	MaxTokenTTL     = 30 * day
)

// Grant is what an access token says.
type Grant struct {
	Subject       string
	Name          string // for people to read; the subject when empty
	Client        string // the client of the token; the subject when empty
	Scopes        octavo.Scopes
	PublishedOnly bool
	TTL           time.Duration // 0 is DefaultTokenTTL

	// Addresses by which others know the installation; they may be empty.
	Issuer   string // of its authorization server, which a server must have as its own
	Audience string // of its API

	// For tokens of the authorization server; empty in others.
	ID       octavo.ID // of the consent that the token comes from
	Identity string    // scopes that give no access to the API, such as "openid email"

	Suggested bool // pages:propose holds only while the setting suggestions is on
}

// Check sets defaults and validates the rest, like Issue; it needs no keys.
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
