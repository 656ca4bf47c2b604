package issuers

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo"
)

// Grant is what a value of the claim permits: a scope, or Published.
type Grant string

// Published permits to read published pages only.
const Published Grant = "published"

// anyToken stands in a mapping for whatever a token says.
const anyToken = "*"

// maxName is the most bytes of a subject, a name and a client (OpenID Connect
// Core section 2 has subjects of at most 255).
const maxName = 255

// principal is who a valid token speaks for. Subject and client stand behind
// their issuer, so that no issuer can speak for people and keys of the
// installation, nor for those of another.
func (v *Verifier) principal(token string, c claims, all map[string]any) octavo.Principal {
	scopes, published := v.scopes(all)
	sum := sha256.Sum256([]byte(token))
	p := octavo.Principal{
		Actor:        octavo.Actor{ID: c.Issuer + "#" + c.Subject, Name: c.Subject},
		CredentialID: "ext_" + hex.EncodeToString(sum[:12]),
		Scopes:       scopes, PublishedOnly: published,
	}
	p.Client = p.ID
	for _, client := range []string{c.Party, c.Client} {
		if client != "" && len(client) <= maxName {
			p.Client = c.Issuer + "#" + client
		}
	}
	for _, name := range []string{c.Email, c.Username, c.Name} {
		if name != "" && len(name) <= maxName && !strings.ContainsFunc(name, unicode.IsControl) {
			p.Name = name
		}
	}
	return p
}

// scopes maps what a token says. What permits more outweighs Published.
func (v *Verifier) scopes(all map[string]any) (set octavo.Scopes, publishedOnly bool) {
	values := texts(lookup(all, v.Claim))
	if v.Claim == "scope" && values == nil {
		values = texts(all["scp"]) // as some servers call it
	}
	if len(v.Scopes) == 0 {
		for _, value := range values {
			set |= scopeOf(value) &^ octavo.ScopeAdmin
		}
		return set, false
	}
	for _, value := range append(values, anyToken) {
		grant := v.Scopes[value]
		publishedOnly = publishedOnly || grant == Published
		set |= scopeOf(string(grant))
	}
	if publishedOnly && set == 0 {
		return octavo.ScopeRead, true
	}
	return set, false
}

// scopeOf returns the scope of that name, or none.
func scopeOf(name string) octavo.Scopes {
	if scope, err := octavo.ParseScopes(name); err == nil && scope.String() == name && !strings.Contains(name, " ") {
		return scope
	}
	return 0
}

// lookup returns the claim of that name, or the one at the path of names that
// dots divide, as in realm_access.roles.
func lookup(all map[string]any, name string) any {
	if value, ok := all[name]; ok {
		return value
	}
	var value any = all
	for part := range strings.SplitSeq(name, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[part]
	}
	return value
}

// texts reads a claim of several values: a list, or text with spaces between
// them (RFC 6749 section 3.3).
func texts(value any) (list []string) {
	switch v := value.(type) {
	case string:
		return strings.Fields(v)
	case []any:
		for _, item := range v {
			if text, ok := item.(string); ok {
				list = append(list, text)
			}
		}
	}
	return list
}
