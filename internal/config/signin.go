package config

import (
	"errors"
	"net/url"
	"strings"
)

// SignIn has the options of signing in with an OpenID provider.
type SignIn struct {
	SignInIssuer  Issuer          `group:"Signing in" name:"signin-issuer" placeholder:"URL" help:"OpenID Connect provider that people can sign in with, exactly as in the claim iss of its tokens."`
	SignInClient  string          `group:"Signing in" name:"signin-client-id" placeholder:"ID" help:"Client id of this server at the provider. The redirect URI is the address of the authorization server followed by /login/callback."`
	SignInSecret  Secret          `group:"Signing in" name:"signin-client-secret" placeholder:"SECRET" secret:"" help:"Client secret of this server at the provider, if it has one."`
	SignInName    string          `group:"Signing in" name:"signin-name" placeholder:"NAME" help:"Name of the provider on the button. The default is the host of its address."`
	SignInScopes  []string        `group:"Signing in" name:"signin-scopes" placeholder:"SCOPE" default:"openid,profile,email" help:"Scopes to request. They must include the e-mail address."`
	SignInClaim   string          `group:"Signing in" name:"signin-claim" placeholder:"NAME" default:"groups" help:"Claim that contains the roles, such as groups or realm_access.roles."`
	SignInRoles   map[string]Role `group:"Signing in" name:"signin-roles" mapsep:"," placeholder:"VALUE=ROLE" help:"Role that each value of that claim gives, at each sign-in: reader, contributor, editor or admin. The value * matches everybody. Users without a matching role cannot sign in. Without this option, everybody starts as a reader, and roles are changed in Octavo."`
	SignInDomains []string        `group:"Signing in" name:"signin-domains" placeholder:"DOMAIN" help:"Domains whose verified e-mail addresses may sign in, such as example.com. Without this option, only the roles decide."`
	SignInLink    bool            `group:"Signing in" name:"signin-link-emails" help:"Treat a user of the provider as the existing person here with the same verified e-mail address. Use it only if you trust the provider with every account."`
	SignInOnly    bool            `group:"Signing in" name:"signin-only" help:"Turn off signing in with a password."`
}

func (o *SignIn) check(own URL) error {
	var all faults
	add := all.add
	if o.SignInIssuer == "" {
		add(o.SignInOnly, "--signin-only leaves no way to sign in: name a provider with --signin-issuer")
		add(o.SignInClient != "" || o.SignInSecret != "", "--signin-client-id and --signin-client-secret need --signin-issuer, the provider that knows them")
		return errors.Join(all...)
	}
	add(own != "" && string(o.SignInIssuer) == string(own), "--signin-issuer is %s, which is this server by --auth-url or --public-url", o.SignInIssuer)
	add(o.SignInClient == "", "--signin-issuer needs --signin-client-id: register this server as a client there")
	add(len(o.SignInRoles) == 0 && len(o.SignInDomains) == 0,
		"--signin-issuer alone would let everybody sign in: give --signin-roles, where *=reader matches everybody at the provider, or --signin-domains")
	add(len(o.SignInRoles) > 0 && o.SignInClaim == "", "--signin-claim must name a claim, such as groups")
	for _, value := range sortedKeys(o.SignInRoles) {
		err := oneOf(string(o.SignInRoles[value]), "reader", "contributor", "editor", "admin")
		add(err != nil, "--signin-roles: %s=%w", value, err)
	}
	for i, domain := range o.SignInDomains {
		o.SignInDomains[i] = strings.ToLower(domain)
		add(domain == "" || strings.ContainsAny(domain, "@*/ "), "--signin-domains: %q is not a domain: write one such as example.com", domain)
	}
	return errors.Join(all...)
}

// SignInLabel returns the name of the provider as people see it.
func (o *SignIn) SignInLabel() string {
	if o.SignInName != "" {
		return o.SignInName
	}
	u, err := url.Parse(string(o.SignInIssuer))
	if err != nil {
		return string(o.SignInIssuer)
	}
	return u.Host
}

// Role is the highest role of a person. It is not checked in UnmarshalText, since kong
// does not report errors in map values.
type Role string
