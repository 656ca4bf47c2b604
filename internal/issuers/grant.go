package issuers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/octavo-docs/octavo"
)

// Grant is what a value of the claim permits: a scope, or Published.
type Grant string

// Published permits reading published pages only.
const Published Grant = "published"

// anyToken in a mapping matches every token.
const anyToken = "*"

// principal returns the principal of a valid token. Its name begins with the issuer, so
// that no issuer can impersonate local people and keys, or those of another issuer.
func (v *Verifier) principal(token string, c claims) octavo.Principal {
	scopes, published := v.scopes(c.all)
	sum := sha256.Sum256([]byte(token))
	return octavo.Principal{
		Actor: octavo.Actor{
			ID:   c.Issuer + "#" + c.Subject,
			Name: cmp.Or(name(c.all["name"]), name(c.all["preferred_username"]), name(c.all["email"]), c.Subject),
		},
		Client:       c.Issuer + "#" + cmp.Or(name(c.all["client_id"]), name(c.all["azp"]), c.Subject),
		CredentialID: "ext_" + hex.EncodeToString(sum[:12]),
		Scopes:       scopes, PublishedOnly: published,
	}
}

// scopes maps the claims of a token. A scope takes precedence over Published.
func (v *Verifier) scopes(all map[string]any) (set octavo.Scopes, publishedOnly bool) {
	values := texts(lookup(all, v.Claim))
	if v.Claim == "scope" && values == nil {
		values = texts(all["scp"]) // the name that some servers use
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

// lookup returns the claim of that name, or the one at a path of names with
// dots between them, as in realm_access.roles.
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

// texts reads a claim with several values: a list, or text with spaces between
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
