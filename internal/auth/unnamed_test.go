package auth

import (
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// TestTokensWithoutIdentifier: such tokens are told apart by their subject and
// client, so that neither a quota nor a revocation holds for all of them.
func TestTokensWithoutIdentifier(t *testing.T) {
	r := newRig(t, nil)
	own := (*r.tokens.ring.keys.Load())[0]
	seen := map[string]string{}
	for _, c := range []struct{ subject, client, same string }{
		{"ann", "app", "ann app"},
		{"ann", "other", "ann other"},
		{"ben", "app", "ben app"},
		{"ann", "app", "ann app"},
	} {
		token := r.forge(t, jose.ES256, jose.JSONWebKey{Key: own.private, KeyID: own.kid}, "at+jwt",
			map[string]any{"jti": nil, "sub": c.subject, "client_id": c.client})
		id := r.accepted(t, Credential{Bearer, token}).CredentialID
		if before, known := seen[id]; id == "" || known && before != c.same {
			t.Errorf("%s %s: have the credential %q, which %q has too", c.subject, c.client, id, before)
		}
		seen[id] = c.same
	}
	if len(seen) != 3 {
		t.Errorf("have the credentials %v, want 3", seen)
	}
}
