package octavo

import (
	"fmt"
	"strings"
)

// Scopes is a set of permissions (decision 38).
type Scopes uint8

// The single scopes. ScopeRead allows reading pages, ScopePropose proposing changes to
// them, ScopeWrite changing them, ScopeAdmin managing credentials, people and webhooks.
// Databases store the bits, so a new scope takes the next one.
const (
	ScopeRead Scopes = 1 << iota
	ScopeWrite
	ScopeAdmin
	ScopePropose
)

// AllScopes returns the single scopes, lowest first. Each includes those before it.
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

// ParseScopes reads scope names separated by spaces (RFC 6749 section 3.3) or commas.
// Unknown names are an error; no names are the empty set.
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

// Allow reports whether the set permits an operation that needs scope, including
// implied scopes, see [AllScopes]. Every set permits the empty scope.
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

// KeyKind is the purpose of an API key.
type KeyKind string

// The kinds of API keys. A search key can only search, and only among published pages
// (decision 23).
const (
	KeyService KeyKind = "service"
	KeySearch  KeyKind = "search"
)

// Actor is the author of an action. It is stored with revisions and changes.
type Actor struct {
	ID   string `json:"id"`   // the subject: a person, a client, a key
	Name string `json:"name"` // for people to read
}

// Audience is what a credential may see, by the visibility rule of decision 38. The
// zero Audience sees every page that is not deleted.
type Audience struct {
	PublishedOnly bool
}

// Principal is the subject of a verified credential.
type Principal struct {
	Actor
	Client        string // the identifier of the OAuth client or API key that was used
	CredentialID  string // the identifier of the key or token; safe to log
	Scopes        Scopes
	SearchOnly    bool // a key of kind search
	PublishedOnly bool
	Tags          []string // a key restricted to tags finds only pages with all of them
	RateLimit     int      // requests in 60 seconds; 0 means the installation's limit
	Grant         ID       // the consent that a token comes from; "" for other credentials
	Suggested     bool     // a reader's token, which may propose while the setting suggestions is on
	Identity      string   // scopes of a token without access to the API, such as "openid email", separated by spaces
}

// Audience returns what the principal may see.
func (p Principal) Audience() Audience {
	return Audience{PublishedOnly: p.PublishedOnly || p.SearchOnly}
}
