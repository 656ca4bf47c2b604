package authserver_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/oauth2/clientcredentials"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// twoServers are an Octavo and another that people sign in to with the first.
func twoServers(t *testing.T) (provider, s *octavotest.Server) {
	t.Helper()
	provider = octavotest.Start(t, octavotest.Options{})
	s = octavotest.Start(t, octavotest.Options{
		Provider: &authserver.Provider{Name: "First Octavo", Roles: map[string]octavo.Role{"*": octavo.RoleEditor}},
		SignIn: &issuers.ProviderOptions{
			Issuer: provider.URL, ClientID: "cli_second", ClientSecret: secretText, Scopes: []string{"openid", "profile", "email"}, Claim: "groups",
		},
		Outside: issuers.Options{Issuers: []string{provider.URL}, Audience: provider.URL},
	})
	addClient(t, provider, "cli_second", false, s.URL+authserver.CallbackPath)
	addUser(t, provider, "ann@example.com", octavo.RoleReader)
	return provider, s
}

// TestSecondOctavo has people sign in to one Octavo with another, and uses
// tokens of that on its API.
func TestSecondOctavo(t *testing.T) {
	provider, s := twoServers(t)
	b := newBrowser(t, s)
	away := b.get("/login/provider").location(t).String()
	there := newBrowser(t, provider)
	page := there.get(away)
	page = there.login(there.get(page.location(t).String()), "ann@example.com", password)
	page = there.send(there.get(page.location(t).String()), "/oauth/authorize", "decision", "allow")
	if have := b.get(page.location(t).String()).onward(t); have != "/studio" {
		t.Fatalf("back from the provider: led to %q", have)
	}
	b.get("/account").wants(t, 200, "<dd>Ann Example</dd>").wants(t, 200, "<dd>editor</dd>")

	machine := clientcredentials.Config{ClientID: "cli_second", ClientSecret: secretText, TokenURL: provider.URL + "/oauth/token", Scopes: []string{"pages:read"}}
	token, err := machine.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if status := callAPI(t, s, token.AccessToken, "/v1/pages"); status != http.StatusOK {
		t.Errorf("a token of the first Octavo at the second: have %d, want 200", status)
	}
	byHand := provider.Token(t, auth.Grant{Scopes: octavo.ScopeRead, Issuer: provider.URL, Audience: provider.URL})
	bound := provider.Token(t, auth.Grant{Scopes: octavo.ScopeRead}) // to the installation, as those of earlier versions are
	for _, c := range []struct {
		name, token string
		at          *octavotest.Server
		want        int
	}{
		{"by hand, with addresses", byHand, provider, 200},
		{"by hand, with addresses, elsewhere", byHand, s, 200},
		{"by hand", bound, provider, 200},
		{"by hand, elsewhere", bound, s, 401},
	} {
		if have := callAPI(t, c.at, c.token, "/v1/pages"); have != c.want {
			t.Errorf("%s: have %d, want %d", c.name, have, c.want)
		}
	}
	if status := callAPI(t, s, token.AccessToken, "/v1/users"); status != http.StatusForbidden {
		t.Errorf("more than it permits: have %d, want 403", status)
	}
}

// A client that names a resource gets a token for it, or none (RFC 8707).
func TestResource(t *testing.T) {
	w := newWorld(t)
	for resource, want := range map[string]int{w.URL: 200, w.URL + "/": 200, "https://other.example": 400, "urn:x": 400, w.URL + ".evil.example": 400} {
		machine := clientcredentials.Config{
			ClientID: "cli_server", ClientSecret: secretText, TokenURL: w.URL + "/oauth/token", EndpointParams: map[string][]string{"resource": {resource}},
		}
		_, err := machine.Token(t.Context())
		if (err == nil) != (want == 200) || err != nil && !strings.Contains(err.Error(), "invalid_target") {
			t.Errorf("resource %q: have %v, want %d", resource, err, want)
		}
		a := w.get(with(t, w.URL+w.question(), "resource", resource))
		if told := strings.Contains(a.Header.Get("Location"), "error=invalid_target"); told != (want != 200) {
			t.Errorf("authorization for %q: have %d, Location %q", resource, a.StatusCode, a.Header.Get("Location"))
		}
	}
}
