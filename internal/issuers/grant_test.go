package issuers

import (
	"reflect"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

func TestMapScopes(t *testing.T) {
	mapping := map[string]Grant{"docs-admins": "admin", "docs-editors": "pages:write", "staff": Published}
	for name, c := range map[string]struct {
		claim   string
		mapping map[string]Grant
		token   claimSet
		want    string // scopes, and whether published-only
	}{
		"names of scopes":        {"scope", nil, claimSet{"scope": "openid pages:read pages:write"}, "pages:read pages:write"},
		"a list of them":         {"scope", nil, claimSet{"scope": []any{"pages:write", 7, nil}}, "pages:write"},
		"proposing":              {"scope", nil, claimSet{"scope": "pages:propose"}, "pages:propose"},
		"proposing, mapped":      {"groups", map[string]Grant{"x": "pages:propose"}, claimSet{"groups": "x"}, "pages:propose"},
		"admin":                  {"scope", nil, claimSet{"scope": "admin pages:read"}, "pages:read"},
		"admin, mapped":          {"scope", map[string]Grant{"admin": "admin"}, claimSet{"scope": "admin pages:read"}, "admin"},
		"under scp":              {"scope", nil, claimSet{"scp": []any{"pages:read"}}, "pages:read"},
		"none":                   {"scope", nil, claimSet{}, ""},
		"others":                 {"scope", nil, claimSet{"scope": "openid profile root"}, ""},
		"several in one":         {"scope", nil, claimSet{"scope": []any{"pages:read,admin", "pages:read admin"}}, ""},
		"a number":               {"scope", nil, claimSet{"scope": 7}, ""},
		"a group":                {"groups", mapping, claimSet{"groups": []any{"x", "docs-editors"}}, "pages:write"},
		"names do not count":     {"groups", mapping, claimSet{"groups": []any{"admin", "pages:write"}}, ""},
		"published pages":        {"groups", mapping, claimSet{"groups": []any{"staff"}}, "pages:read published"},
		"more than published":    {"groups", mapping, claimSet{"groups": []any{"staff", "docs-admins"}}, "admin"},
		"not even a group":       {"groups", mapping, claimSet{}, ""},
		"any token":              {"groups", map[string]Grant{"*": "pages:read"}, claimSet{}, "pages:read"},
		"a path":                 {"realm.roles", mapping, claimSet{"realm": map[string]any{"roles": []any{"docs-admins"}}}, "admin"},
		"a name with dots first": {"realm.roles", mapping, claimSet{"realm.roles": "docs-admins", "realm": 1}, "admin"},
		"a path that ends early": {"realm.roles.x", mapping, claimSet{"realm": []any{}}, ""},
	} {
		v := New(Options{Claim: c.claim, Scopes: c.mapping})
		set, published := v.scopes(c.token)
		have := set.String()
		if published {
			have += " published"
		}
		if have != c.want {
			t.Errorf("%s: have %q, want %q", name, have, c.want)
		}
	}
}

// The name of a principal begins with its issuer, so that it matches nobody of the
// installation.
func TestPrincipals(t *testing.T) {
	r := newRig(t, Options{})
	for name, c := range map[string]struct {
		changes claimSet
		want    octavo.Principal
	}{
		"least":     {claimSet{"client_id": nil}, octavo.Principal{Actor: octavo.Actor{ID: "#ann", Name: "ann"}, Client: "#ann"}},
		"a client":  {claimSet{"azp": "x"}, octavo.Principal{Actor: octavo.Actor{ID: "#ann", Name: "ann"}, Client: "#cli"}},
		"a name":    {claimSet{"name": "Ann", "email": "a@b.c"}, octavo.Principal{Actor: octavo.Actor{ID: "#ann", Name: "Ann"}, Client: "#cli"}},
		"two lines": {claimSet{"name": "A\nB", "preferred_username": "ann7"}, octavo.Principal{Actor: octavo.Actor{ID: "#ann", Name: "ann7"}, Client: "#cli"}},
		"a key":     {claimSet{"sub": "key_01"}, octavo.Principal{Actor: octavo.Actor{ID: "#key_01", Name: "key_01"}, Client: "#cli"}},
	} {
		token := r.token(t, c.changes)
		have, until, err := r.Verify(t.Context(), token)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := c.want
		want.ID, want.Client = r.url+want.ID, r.url+want.Client
		want.Scopes, want.CredentialID = octavo.ScopeRead, have.CredentialID
		if !reflect.DeepEqual(have, want) || len(have.CredentialID) != 28 || !until.Equal(r.at.Add(time.Hour+ClockSkew)) {
			t.Errorf("%s: have %+v until %s, want %+v", name, have, until, want)
		}
		if !r.Mine(token) || r.Mine("x."+token) || r.Mine("a.b.c") || r.Mine("") {
			t.Errorf("%s: the verifier does not know its own tokens", name)
		}
	}
}

// TestClocksMayDiffer: within ClockSkew a token counts before its time and
// after it, and no longer.
func TestClocksMayDiffer(t *testing.T) {
	r := newRig(t, Options{})
	token := r.token(t, claimSet{"exp": r.at.Add(-ClockSkew + time.Second).Unix(), "nbf": r.at.Add(ClockSkew).Unix(), "iat": r.at.Add(ClockSkew).Unix()})
	if _, until, err := r.Verify(t.Context(), token); err != nil || !until.Equal(r.at.Add(time.Second)) {
		t.Errorf("have %v, accepted until %s, want %s", err, until, r.at.Add(time.Second))
	}
}

func BenchmarkVerify(b *testing.B) {
	r := newRig(b, Options{})
	token := r.token(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.Verify(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
}
