package octavo

import (
	"fmt"
	"strings"
)

// Scopes is a set of permissions (decision 38).
type Scopes uint8

// The single scopes. ScopeRead lets its bearer read pages, ScopePropose propose
// changes to them, ScopeWrite change them, ScopeAdmin manage credentials, people
// and webhooks. Databases store the bits, so a new scope takes the next one.
const (
	ScopeRead Scopes = 1 << iota
	ScopeWrite
	ScopeAdmin
	ScopePropose
)

// AllScopes returns the single scopes, from the least to the greatest. Each
// includes those before it.
func AllScopes() []Scopes { return []Scopes{ScopeRead, ScopePropose, ScopeWrite, ScopeAdmin} }

// name returns the name of a single scope.
func (s Scopes) name() string {
	switch s {
	case ScopeRead:
		return "pages:read"
	case ScopePropose:
		return "pages:propose"
	case ScopeWrite:
		return "pages:write"
	}
	return "admin"
}

// ParseScopes reads scope names separated by spaces (RFC 6749 section 3.3) or
// commas. Names that are unknown are an error; none at all is the empty set.
func ParseScopes(text string) (Scopes, error) {
	var set Scopes
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		bit := Scopes(0)
		for _, scope := range AllScopes() {
			if name == scope.name() {
				bit = scope
			}
		}
		if bit == 0 {
			return 0, fmt.Errorf("unknown scope %q: use pages:read, pages:propose, pages:write or admin", name)
		}
		set |= bit
	}
	return set, nil
}

// Allow reports whether the set permits what needs scope, given what its scopes
// include, see [AllScopes]. Everything permits the empty scope.
func (s Scopes) Allow(scope Scopes) bool {
	if s&ScopeAdmin != 0 {
		s |= ScopeWrite
	}
	if s&ScopeWrite != 0 {
		s |= ScopePropose
	}
	if s&ScopePropose != 0 {
		s |= ScopeRead
	}
	return s&scope == scope
}

// String lists the scopes separated by spaces.
func (s Scopes) String() string { return strings.Join(s.List(), " ") }

// List returns the scope names in the set.
func (s Scopes) List() []string {
	list := make([]string, 0, 4)
	for _, scope := range AllScopes() {
		if s&scope != 0 {
			list = append(list, scope.name())
		}
	}
	return list
}

// KeyKind tells what an API key is for.
type KeyKind string

// The kinds of API keys. A search key can do nothing but search, and only
// among published pages (decision 23).
const (
	KeyService KeyKind = "service"
	KeySearch  KeyKind = "search"
)

// Actor names who did something. It is kept with revisions and changes.
type Actor struct {
	ID   string `json:"id"`   // the subject: a person, a client, a key
	Name string `json:"name"` // for people to read
}

// Audience is what a credential may see: the one visibility rule of decision
// 38. The zero Audience sees every page that is not deleted.
type Audience struct {
	PublishedOnly bool
}

// Principal is who a verified credential speaks for.
type Principal struct {
	Actor
	Client        string // the identifier of the OAuth client or API key that was used
	CredentialID  string // the identifier of the key or token; safe to log
	Scopes        Scopes
	SearchOnly    bool // a key of kind search
	PublishedOnly bool
	Tags          []string // a key that is bound to tags finds only pages with all of them
	RateLimit     int      // requests in 60 seconds; 0 stands for the installation's limit
	Grant         ID       // the consent that a token comes from; "" for other credentials
	Suggested     bool     // a token of a reader, who may propose while the setting suggestions is on
	Identity      string   // scopes of a token, separated by spaces, that give no access to the API, such as "openid email"
}

// Audience returns what the principal may see.
func (p Principal) Audience() Audience {
	return Audience{PublishedOnly: p.PublishedOnly || p.SearchOnly}
}
