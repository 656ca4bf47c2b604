package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
)

// Outside has the options about other servers: accepted token issuers and allowed
// connections.
type Outside struct {
	Issuers  []Issuer         `group:"Other servers" name:"oidc-issuers" placeholder:"URL" help:"Other issuers whose access tokens are accepted, exactly as in the claim iss of the tokens."`
	Audience string           `group:"Other servers" name:"oidc-audience" placeholder:"NAME" help:"Required audience of such a token; never the id of a client. The default is the public address."`
	Types    []TokenType      `group:"Other servers" name:"oidc-token-types" placeholder:"TYPE" default:"at+jwt" enum:"at+jwt,JWT" help:"Accepted types in the header of such a token: at+jwt, and JWT for issuers that send no other."`
	Claim    string           `group:"Other servers" name:"oidc-scope-claim" placeholder:"NAME" default:"scope" help:"Claim that contains the scopes, such as groups or realm_access.roles."`
	Grants   map[string]Grant `group:"Other servers" name:"oidc-scopes" mapsep:"," placeholder:"VALUE=SCOPE" help:"Scope that each value of that claim gives: published, pages:read, pages:propose, pages:write or admin. The value * matches every token; write a comma in a value as \\,. Without this option, pages:read, pages:propose and pages:write give the scopes of the same name, and no value gives admin."`
	Private  []Network        `group:"Other servers" name:"allow-private-destinations" placeholder:"CIDR" help:"Private networks that the server may connect to. Otherwise it connects only to public addresses."`
	Ports    []uint16         `group:"Other servers" name:"destination-ports" placeholder:"PORT" help:"Ports to which webhooks and callbacks may be sent. The default is any port."`
}

func (o *Outside) check(own URL) error {
	var all faults
	add := all.add
	add(repeats(o.Issuers), "--oidc-issuers names an issuer twice")
	for _, issuer := range o.Issuers {
		add(issuer == "", "--oidc-issuers names an issuer that is empty")
		add(own != "" && string(issuer) == string(own), "--oidc-issuers names %s, which is this server by --auth-url or --public-url", issuer)
	}
	add(len(o.Types) == 0, "--oidc-token-types must name at least one type: at+jwt or JWT")
	add(o.Claim == "", "--oidc-scope-claim must name a claim, such as scope or groups")
	add(slices.Contains(o.Ports, 0), "--destination-ports names port 0: name ports such as 443")
	for _, value := range sortedKeys(o.Grants) {
		err := o.Grants[value].check()
		add(err != nil, "--oidc-scopes: %s=%w", value, err)
	}
	return errors.Join(all...)
}

// Issuer is the identifier of an OpenID provider: an https address, or an http address of
// this machine; "" means none. Unlike a URL it keeps a final slash, since issuers are
// compared exactly.
type Issuer string

func (i *Issuer) UnmarshalText(text []byte) error {
	var u URL
	if *i = Issuer(text); *i == "" {
		return nil
	}
	err := u.UnmarshalText(text)
	parsed, _ := url.Parse(string(text)) // u.UnmarshalText has parsed it
	if err != nil || u == "" || parsed.Scheme != "https" && !local(parsed.Hostname()) {
		return fmt.Errorf("%q is not an issuer: write its https address, such as https://login.example.com, exactly as its tokens have it in iss", text)
	}
	return nil
}

// local reports whether a host is this machine.
func local(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// TokenType is the typ header of a token.
type TokenType string

// Grant is the access that a claim of an outside token gives.
type Grant string

// check is not UnmarshalText, since kong does not report errors in map values.
func (g Grant) check() error {
	return oneOf(string(g), "published", "pages:read", "pages:propose", "pages:write", "admin")
}
