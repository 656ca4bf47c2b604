package authserver_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

const callback = "https://wiki.example/callback"

// TestOtherPeoplesClients goes through every flow with libraries that others
// keep, golang.org/x/oauth2 and coreos/go-oidc, on both databases.
func TestOtherPeoplesClients(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { everyFlow(t, octavotest.Start(t, octavotest.Options{})) })
	t.Run("postgres", func(t *testing.T) {
		everyFlow(t, octavotest.Start(t, octavotest.Options{PostgresURL: octavotest.Postgres(t)}))
	})
}

func everyFlow(t *testing.T, s *octavotest.Server) {
	t.Helper()
	user := addUser(t, s, "ann@example.com", octavo.RoleEditor)
	b := newBrowser(t, s)
	ctx := oidc.ClientContext(t.Context(), b.client)
	provider, err := oidc.NewProvider(ctx, s.URL)
	if err != nil {
		t.Fatalf("discovery: %v", err)
	}
	for _, public := range []bool{false, true} {
		id := map[bool]string{false: "cli_server", true: "cli_app"}[public]
		addClient(t, s, id, public, callback)
		config := oauth2.Config{
			ClientID: id, Endpoint: provider.Endpoint(), RedirectURL: callback,
			Scopes: []string{"openid", "profile", "email", "offline_access", "pages:read", "pages:write", "admin"},
		}
		if !public {
			config.ClientSecret = secretText
		}
		verifier := oauth2.GenerateVerifier()
		asked := config.AuthCodeURL("the state", oauth2.S256ChallengeOption(verifier), oidc.Nonce("the nonce"))
		back := b.authorize(asked)
		if have := back.Get("state"); have != "the state" || back.Get("iss") != s.URL {
			t.Fatalf("the answer is %v, want the state and iss %s", back, s.URL)
		}
		token, err := config.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatalf("exchange: %v", err)
		}
		if have, want := token.Extra("scope"), "pages:read pages:propose pages:write openid profile email offline_access"; have != want {
			t.Errorf("scope: have %q, want %q: no more than the role", have, want)
		}

		raw, _ := token.Extra("id_token").(string)
		identity, err := provider.Verifier(&oidc.Config{ClientID: id}).Verify(ctx, raw)
		if err != nil {
			t.Fatalf("the ID token: %v", err)
		}
		var claims struct{ Name, Email string }
		if err := identity.Claims(&claims); err != nil || identity.Subject != string(user.ID) || identity.Nonce != "the nonce" ||
			claims.Name != user.Name || claims.Email != user.Email || identity.VerifyAccessToken(token.AccessToken) != nil {
			t.Errorf("the ID token says %+v, %+v, %v", identity, claims, err)
		}
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil || info.Subject != string(user.ID) || info.Email != user.Email {
			t.Errorf("userinfo: have %+v, %v", info, err)
		}
		if status := callAPI(t, s, token.AccessToken, "/v1/pages"); status != http.StatusOK {
			t.Errorf("the API with the access token: have %d, want 200", status)
		}

		old := token.RefreshToken
		token.Expiry = token.Expiry.AddDate(-1, 0, 0) // makes the source refresh
		fresh, err := config.TokenSource(ctx, token).Token()
		if err != nil || fresh.RefreshToken == old || fresh.AccessToken == token.AccessToken {
			t.Fatalf("refresh: have %+v, %v, want other tokens", fresh, err)
		}
		if status := callAPI(t, s, fresh.AccessToken, "/v1/pages"); status != http.StatusOK {
			t.Errorf("the API after a refresh: have %d, want 200", status)
		}
	}
	machine := clientcredentials.Config{ClientID: "cli_server", ClientSecret: secretText, TokenURL: provider.Endpoint().TokenURL, Scopes: []string{"pages:read"}}
	token, err := machine.Token(ctx)
	if err != nil {
		t.Fatalf("client credentials: %v", err)
	}
	if status := callAPI(t, s, token.AccessToken, "/v1/pages"); status != http.StatusOK {
		t.Errorf("the API as a client: have %d, want 200", status)
	}
}

// authorize follows an authorization as a person would, signing in and
// consenting where that is asked, and returns what the client gets.
func (b *browser) authorize(address string) url.Values {
	b.t.Helper()
	page := b.get(address)
	for range 5 {
		switch {
		case page.StatusCode == http.StatusSeeOther && strings.HasPrefix(page.Header.Get("Location"), "http"):
			return page.location(b.t).Query()
		case page.StatusCode == http.StatusSeeOther:
			page = b.get(page.location(b.t).String())
		case strings.Contains(page.body, `action="/login"`):
			page = b.login(page, "ann@example.com", password)
		case strings.Contains(page.body, "Allow access?"):
			page = b.send(page, "/oauth/authorize", "decision", "allow")
		default:
			b.t.Fatalf("%s: have %d\n%s", address, page.StatusCode, page.body)
		}
	}
	b.t.Fatalf("%s leads nowhere", address)
	return nil
}

// callAPI returns the status of a read with an access token.
func callAPI(t testing.TB, s *octavotest.Server, token, path string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), "GET", s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

// The documents say what is served, and nothing that is not.
func TestMetadata(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	b := newBrowser(t, s)
	first := b.get("/.well-known/openid-configuration").wants(t, 200, `"issuer":"`+s.URL+`"`)
	second := b.get("/.well-known/oauth-authorization-server").wants(t, 200, `"code_challenge_methods_supported":["S256"]`)
	if first.body != second.body {
		t.Errorf("the two descriptions of the server differ:\n%s\n%s", first.body, second.body)
	}
	b.get("/.well-known/oauth-protected-resource").wants(t, 200, `"authorization_servers":["`+s.URL+`"]`)
	if a := b.get("/.well-known/oauth-protected-resource"); strings.Contains(a.body, "jwks_uri") {
		t.Errorf("the API has no keys of its own (RFC 9728 section 2): %s", a.body)
	}
	b.get("/.well-known/jwks.json").wants(t, 200, `"alg":"RS256"`).wants(t, 200, `"alg":"ES256"`)
	for _, path := range []string{"/oauth/token", "/oauth/revoke"} {
		a := b.get(path)
		if allow := strings.Split(a.Header.Get("Allow"), ", "); a.StatusCode != 405 || !slices.Equal(allow, []string{"OPTIONS", "POST"}) {
			t.Errorf("GET %s: have %d, Allow %q, want 405 with OPTIONS, POST", path, a.StatusCode, allow)
		}
	}
	b.header.Set("Origin", "https://app.example")
	b.header.Set("Access-Control-Request-Method", "POST")
	if a := b.do("OPTIONS", "/oauth/token", ""); a.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("preflight of the token endpoint: have %d, %v", a.StatusCode, a.Header)
	}
}
