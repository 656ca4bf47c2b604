package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// lifetimeFlag reads a lifetime that ends.
type lifetimeFlag struct{ config.Span }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *lifetimeFlag) UnmarshalText(text []byte) error {
	if f.Span.UnmarshalText(text) != nil || f.Duration == 0 {
		return fmt.Errorf("%q is not a lifetime: write a positive one such as 15m, 24h or 90d", text)
	}
	return nil
}

// tokensIssueCommand issues a token.
type tokensIssueCommand struct {
	config.Storage
	Scopes        scopesFlag   `required:"" placeholder:"A,B" help:"Scopes of the token: pages:read, pages:propose, pages:write, admin."`
	TTL           lifetimeFlag `name:"ttl" default:"15m" placeholder:"TIME" help:"How long the token is valid, at most 30d."`
	Subject       string       `default:"cli" placeholder:"NAME" help:"Actor of the token, and author of everything written with it."`
	PublishedOnly bool         `help:"The token sees only published pages."`
	PublicURL     config.URL   `group:"Addresses" placeholder:"URL" help:"Public address of the server, exactly as it is configured there. With this option, other services can verify the token."`
	AuthURL       config.URL   `group:"Addresses" placeholder:"URL" help:"Address of the authorization server, if it is a different one."`
	JSON          bool         `name:"json" help:"Print the token and its expiry as a JSON object."`
}

// Run issues the token.
func (c *tokensIssueCommand) Run(p *program) error {
	grant := auth.Grant{Subject: c.Subject, Scopes: c.Scopes.Scopes, PublishedOnly: c.PublishedOnly, TTL: c.TTL.Duration}
	grant.Issuer, grant.Audience = cmp.Or(string(c.AuthURL), string(c.PublicURL)), string(c.PublicURL)
	if err := grant.Check(); err != nil {
		return err // before a store is created for nothing
	}
	return p.withStorage(c.Storage, storage.CreateMissing, func(s *storage.Storage) error {
		credentials, err := s.Credentials(p.ctx, c.SecretKey, "")
		if err != nil {
			return err
		}
		expires := s.Env.Now().Add(c.TTL.Duration).UTC().Truncate(time.Second)
		token, err := credentials.Tokens.Issue(p.ctx, grant)
		if err != nil {
			return err
		}
		err = s.Accounts.Audit.Record(p.ctx, octavo.AuditEntry{
			Action: octavo.TokenIssued, Actor: byCommand().Actor, Subject: c.Subject,
			Detail: map[string]any{"scopes": c.Scopes.List(), "publishedOnly": c.PublishedOnly, "expiresAt": instant{expires}},
		}, 0)
		if err != nil {
			return err
		}
		if !c.JSON {
			fmt.Fprintf(p.stderr, "octavo: issued a token for %s, which expires %s\n", c.Subject, expires.Format(time.RFC3339))
		}
		return p.answer(c.JSON, struct {
			Token     string   `json:"token"`
			Subject   string   `json:"subject"`
			Scopes    []string `json:"scopes"`
			ExpiresAt instant  `json:"expiresAt"`
		}{token, c.Subject, c.Scopes.List(), instant{expires}}, token)
	})
}
