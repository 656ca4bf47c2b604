package issuers

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/oauth2"

	"github.com/octavo-docs/octavo"
)

// ProviderOptions configure a provider. All are required unless the comment says
// otherwise.
type ProviderOptions struct {
	Issuer       string // as in the claim iss
	ClientID     string
	ClientSecret string   // "" for a public client
	Scopes       []string // requested scopes; openid is always included
	Claim        string   // of Person.Values: a name, or a path of names separated by dots
	RedirectURL  string   // address that the provider redirects to
	Client       *http.Client
	Now          func() time.Time
	Log          *slog.Logger
}

// Provider signs people in with an OpenID provider, by the authorization code
// flow with PKCE (OpenID Connect Core section 3.1, RFC 9700). It is safe for
// concurrent use and keeps no state of sign-ins: the caller's Attempt ties a
// response to the browser that began it.
type Provider struct {
	ProviderOptions
	keys *keySet
}

// Attempt is one sign-in, with three secrets that belong to its browser.
type Attempt struct {
	State    string
	Nonce    string
	Verifier string // of PKCE (RFC 7636)
	Again    bool   // whether the provider must ask for credentials even if the person has a session
}

// Person is a signed-in person as described by the provider.
type Person struct {
	Issuer, Subject string
	Email, Name     string // may be empty
	EmailVerified   bool
	Values          []string // of ProviderOptions.Claim
}

// NewProvider returns a provider. It makes no connection.
func NewProvider(o ProviderOptions) *Provider {
	if !slices.Contains(o.Scopes, "openid") {
		o.Scopes = append([]string{"openid"}, o.Scopes...)
	}
	return &Provider{ProviderOptions: o, keys: &keySet{issuer: o.Issuer, client: o.Client, now: o.Now, log: o.Log}}
}

// Refresh reads the provider's metadata and keys again when they are old. Call
// it about once a minute.
func (p *Provider) Refresh(ctx context.Context) { p.keys.refresh(ctx) }

// Begin returns the address to redirect the browser to. The error is an
// *octavo.Error of type Unavailable while the provider does not answer.
func (p *Provider) Begin(ctx context.Context, a Attempt) (string, error) {
	about, err := p.keys.get(ctx, "")
	if err != nil {
		return "", err
	}
	if about.Authorize == "" || about.Token == "" {
		p.Log.ErrorContext(ctx, "the provider's discovery document names no endpoints to sign in at", "issuer", p.Issuer)
		return "", p.keys.unavailable()
	}
	more := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(a.Verifier), oauth2.SetAuthURLParam("nonce", a.Nonce)}
	if a.Again {
		more = append(more, oauth2.SetAuthURLParam("prompt", "login"))
	}
	return p.config(about).AuthCodeURL(a.State, more...), nil
}

// config returns the client registration. It sets the authentication style, since oauth2
// would otherwise find it out by sending a code twice.
func (p *Provider) config(about *fetched) *oauth2.Config {
	style := oauth2.AuthStyleInHeader
	if p.ClientSecret == "" || slices.Contains(about.Methods, "client_secret_post") && !slices.Contains(about.Methods, "client_secret_basic") {
		style = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Scopes: p.Scopes, RedirectURL: p.RedirectURL,
		Endpoint: oauth2.Endpoint{AuthURL: about.Authorize, TokenURL: about.Token, AuthStyle: style},
	}
}

// Finish checks the parameters of the browser's return and returns the person. The error
// is an *Error if the response is invalid or the provider refused, and an *octavo.Error
// of type Unavailable if the provider does not answer.
func (p *Provider) Finish(ctx context.Context, a Attempt, back url.Values) (Person, error) {
	about, err := p.keys.get(ctx, "")
	if err != nil {
		return Person{}, err
	}
	issuer, named := back["iss"]
	switch {
	case subtle.ConstantTimeCompare([]byte(back.Get("state")), []byte(a.State)) != 1:
		return Person{}, refuse("The answer belongs to no sign-in of this browser.")
	case named && (len(issuer) > 1 || issuer[0] != p.Issuer), !named && about.NamesItself:
		return Person{}, refuse("The answer comes from another issuer.") // RFC 9207 section 2.4
	case back.Get("error") != "":
		return Person{}, refuse("The provider signed nobody in.")
	case back.Get("code") == "":
		return Person{}, refuse("The response has no code.")
	}
	token, err := p.config(about).Exchange(context.WithValue(ctx, oauth2.HTTPClient, p.Client), back.Get("code"), oauth2.VerifierOption(a.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError:
		// The error code contains neither the authorization code nor the secret.
		p.Log.WarnContext(ctx, "the provider did not accept a code", "issuer", p.Issuer, "status", refused.Response.StatusCode, "error", refused.ErrorCode)
		return Person{}, refuse("The provider does not accept the code.")
	case refused != nil: // its text has the response, which may repeat the code
		return Person{}, p.failed(ctx, "exchange a code", errors.New("it answers "+refused.Response.Status))
	case err != nil:
		return Person{}, p.failed(ctx, "exchange a code", err)
	}
	text, _ := token.Extra("id_token").(string)
	claims, err := p.identity(ctx, text, a.Nonce)
	if err != nil {
		return Person{}, err
	}
	if claims["email"] == nil || lookup(claims, p.Claim) == nil {
		if err := p.ask(ctx, about, token.AccessToken, claims); err != nil {
			return Person{}, err
		}
	}
	return p.person(claims), nil
}

// failed logs an error of the provider, and returns that it does not answer.
func (p *Provider) failed(ctx context.Context, what string, err error) error {
	if ctx.Err() == nil {
		p.Log.ErrorContext(ctx, "the provider could not be reached", "issuer", p.Issuer, "to", what, "error", err)
	}
	return &octavo.Error{Type: octavo.Unavailable, RetryAfter: retryAfter, Detail: "The provider does not answer."}
}
