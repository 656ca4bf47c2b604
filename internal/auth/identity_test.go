package auth

import (
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo"
)

// ID tokens verify with the published keys, also those of the previous key, and never pass
// as access tokens.
func TestIdentity(t *testing.T) {
	r := newRig(t, nil)
	type claims struct {
		Issuer  string `json:"iss"`
		Subject string `json:"sub"`
	}
	ctx, want := t.Context(), claims{authURL, "usr_a"}
	first, err := r.tokens.SignIdentity(ctx, want)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) (have claims, err error) {
		err = r.tokens.ReadIdentity(ctx, text, &have)
		return have, err
	}
	for rotation, valid := range []bool{true, true, false} {
		if have, err := read(first); (err == nil) != valid || valid && have != want {
			t.Errorf("after %d rotations ReadIdentity = %+v, %v; want valid %t", rotation, have, err, valid)
		}
		r.now = r.now.Add(RingRecheck)
		r.store.now = r.now
		if err := r.tokens.RotateSigningKey(ctx); err != nil {
			t.Fatal(err)
		}
	}
	r.refused(t, Credential{Bearer, first}, "malformed")
	if _, err := read(r.token(t, Grant{Subject: "cli", Scopes: octavo.ScopeRead})); err == nil {
		t.Error("ReadIdentity takes an access token")
	}
	set, err := r.tokens.PublicKeys(ctx)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, key := range set.Keys {
		count[key.Algorithm]++
		if !key.IsPublic() {
			t.Errorf("PublicKeys has a private key, %s", key.KeyID)
		}
	}
	if count[string(jose.RS256)] != identityKept {
		t.Errorf("PublicKeys has %v keys, want %d for RS256", count, identityKept)
	}
}

func TestGrantOfIdentityAlone(t *testing.T) {
	r := newRig(t, nil)
	token := r.token(t, Grant{Subject: "usr_a", Client: "cli_a", ID: "grt_a", Issuer: authURL, Identity: "openid email"})
	have := r.accepted(t, Credential{Bearer, token})
	if have.Scopes != 0 || have.Grant != "grt_a" || have.Client != "cli_a" {
		t.Errorf("the token speaks for %+v, want no scopes, grant grt_a, client cli_a", have)
	}
}
