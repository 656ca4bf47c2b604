package authserver_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Access tokens have the header and the claims of RFC 9068 and live for 15
// minutes, ID tokens those of OpenID Connect Core section 2; decision 40.
func TestFormOfTokens(t *testing.T) {
	w := newWorld(t)
	person := w.redeem(w.code("nonce", "n"))
	service := w.ask("/oauth/token", "grant_type", "client_credentials")
	now := float64(w.now.Unix())
	for _, c := range []struct {
		name, token, typ, alg string
		claims                map[string]any // nil is any value
	}{
		{"access token of a person", person.Access, "at+jwt", "ES256", map[string]any{
			"iss": w.URL, "sub": "usr_annexamplecom", "aud": nil, "client_id": "cli_server", "scope": "pages:write openid offline_access",
			"exp": nil, "iat": now, "jti": nil, "name": "Ann Example", "grant_id": nil,
		}},
		{"access token of a service", service.Access, "at+jwt", "ES256", map[string]any{
			"iss": w.URL, "sub": "cli_server", "aud": nil, "client_id": "cli_server", "scope": "pages:write",
			"exp": nil, "iat": now, "jti": nil, "name": nil,
		}},
		{"ID token", person.ID, "JWT", "RS256", map[string]any{
			"iss": w.URL, "sub": "usr_annexamplecom", "aud": "cli_server", "exp": nil, "iat": now, "auth_time": now, "nonce": "n", "at_hash": nil,
		}},
	} {
		header, claims := segments(t, c.token)
		if header["typ"] != c.typ || header["alg"] != c.alg || header["kid"] == nil {
			t.Errorf("%s: the header is %v, want %s, %s and a kid", c.name, header, c.typ, c.alg)
		}
		if have, want := slices.Sorted(maps.Keys(claims)), slices.Sorted(maps.Keys(c.claims)); !slices.Equal(have, want) {
			t.Errorf("%s: has the claims %v, want %v", c.name, have, want)
		}
		for name, want := range c.claims {
			if have := claims[name]; want != nil && have != want {
				t.Errorf("%s: %s is %v, want %v", c.name, name, have, want)
			}
		}
		if life, ok := claims["exp"].(float64); !ok || life < now+15*60 || life > now+15*60+1 {
			t.Errorf("%s: expires %v seconds after it was made, want 15 minutes", c.name, life-now)
		}
		if audience, ok := claims["aud"].([]any); c.typ == "at+jwt" && (!ok || !slices.Contains(audience, any(w.URL))) {
			t.Errorf("%s: is for %v, want the API among them", c.name, claims["aud"])
		}
	}
	_, first := segments(t, person.Access)
	_, second := segments(t, w.refresh(person.Refresh).Access)
	if first["jti"] == second["jti"] || first["grant_id"] != second["grant_id"] {
		t.Errorf("a refresh: %v after %v, want another jti of the same grant", second, first)
	}
	if err := w.Store.Accounts.Clients.Remove(t.Context(), sqldb.Cause{}, "cli_server"); err != nil {
		t.Fatal(err)
	}
	w.refresh(person.Refresh).refused(t, "a client that was removed", 401, "invalid_client")
}

// segments decodes the two parts of a JWT that can be read.
func segments(t *testing.T, token string) (header, claims map[string]any) {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("%q is no JWT", token)
	}
	for i, into := range []*map[string]any{&header, &claims} {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatalf("%q: %v", parts[i], err)
		}
	}
	return header, claims
}
