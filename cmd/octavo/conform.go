package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/conform"
	"github.com/octavo-docs/octavo/internal/storage"
)

// conformLifetime is how long the credentials that --issue makes are valid.
const conformLifetime = time.Hour

type conformCommand struct {
	config.Storage
	URL       config.URL `name:"url" required:"" placeholder:"URL" help:"Public address of the server, without an API version."`
	Token     string     `env:"OCTAVO_TOKEN" placeholder:"TOKEN" help:"Access token with the scope pages:write."`
	Reader    string     `placeholder:"TOKEN" help:"Access token with the scope pages:read."`
	Admin     string     `placeholder:"TOKEN" help:"Access token with the scope admin."`
	Published string     `placeholder:"TOKEN" help:"Access token with the scope pages:read that sees published pages only."`
	ReaderKey string     `placeholder:"KEY" help:"API key with the scope pages:read."`
	WriterKey string     `placeholder:"KEY" help:"API key with the scope pages:write."`
	Issue     bool       `help:"Create all these credentials, valid for an hour, in the data that --data or --database-url names."`
	Only      []string   `placeholder:"GLOB" help:"Run the scripts whose names match, such as 11-*."`
}

func (c *conformCommand) Run(p *program, line *kong.Context) error {
	if given(line, "only") && len(c.Only) == 0 {
		return usageError{errors.New("--only is empty: omit it to run all scripts")}
	}
	for _, pattern := range c.Only {
		matching, err := fs.Glob(api.Scripts(), pattern)
		if err != nil {
			return usageError{fmt.Errorf("--only %q is not a pattern: %w", pattern, err)}
		}
		if len(matching) == 0 {
			return usageError{fmt.Errorf("--only %q matches no script", pattern)}
		}
	}
	var unique [4]byte // at most 8 characters: a script fills the longest Idempotency-Key up with 247 more
	if _, err := io.ReadFull(p.random, unique[:]); err != nil {
		return fmt.Errorf("choose unique names: %w", err)
	}
	o := conform.Options{
		Scripts: api.Scripts(), Document: api.Document(), BaseURL: string(c.URL), Unique: "c" + strconv.FormatUint(uint64(binary.BigEndian.Uint32(unique[:])), 36),
		Credentials: c.given(), Wait: wait, Select: c.selected,
	}
	if c.Issue {
		err := p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
			credentials, err := s.Credentials(p.ctx, c.SecretKey, "")
			if err != nil {
				return err
			}
			return issueConform(p.ctx, s, credentials, o.Credentials)
		})
		if err != nil {
			return err
		}
	}
	report, err := conform.Run(p.ctx, o)
	if err != nil {
		return err
	}
	if err := printLine(p.stdout, report.String()); err != nil {
		return err
	}
	if report.Failed() {
		return fmt.Errorf("%s breaks the contract", c.URL)
	}
	return nil
}

// selected reports whether to run a script.
func (c *conformCommand) selected(name string) bool {
	for _, pattern := range c.Only {
		if ok, _ := path.Match(pattern, name); ok { // Run has checked the patterns
			return true
		}
	}
	return len(c.Only) == 0
}

// given returns the credentials from the command line.
func (c *conformCommand) given() map[string]conform.Credential {
	given := map[string]conform.Credential{}
	for name, secret := range map[string]string{"writer": c.Token, "reader": c.Reader, "admin": c.Admin, "published": c.Published} {
		if secret != "" {
			given[name] = conform.Credential{Secret: secret}
		}
	}
	for name, secret := range map[string]string{"reader-key": c.ReaderKey, "writer-key": c.WriterKey} {
		if secret != "" {
			given[name] = conform.Credential{Scheme: conform.APIKey, Secret: secret}
		}
	}
	return given
}

// issueConform makes the credentials that the scripts use.
func issueConform(ctx context.Context, s *storage.Storage, c *app.Credentials, into map[string]conform.Credential) error {
	expired, err := issueExpired(ctx, s, c)
	if err != nil {
		return err
	}
	into["expired"] = conform.Credential{Secret: expired}
	for name, g := range map[string]auth.Grant{
		"reader": {Scopes: octavo.ScopeRead}, "writer": {Scopes: octavo.ScopeWrite}, "admin": {Scopes: octavo.ScopeAdmin},
		"published": {Scopes: octavo.ScopeRead, PublishedOnly: true},
		"proposer":  {Scopes: octavo.ScopePropose}, "published-proposer": {Scopes: octavo.ScopePropose, PublishedOnly: true},
	} {
		g.Subject, g.TTL = "conform-"+name, conformLifetime
		token, err := c.Tokens.Issue(ctx, g)
		if err != nil {
			return err
		}
		into[name] = conform.Credential{Secret: token}
	}
	for name, r := range map[string]auth.KeyRequest{
		"reader-key": {Scopes: octavo.ScopeRead}, "writer-key": {Scopes: octavo.ScopeWrite},
		"published-key": {Scopes: octavo.ScopeRead, PublishedOnly: true}, "search-key": {Kind: octavo.KeySearch},
	} {
		r.Name, r.Lifetime = "conform", conformLifetime
		key, _, err := c.Keys.Create(ctx, byCommand(), r)
		if err != nil {
			return err
		}
		credential := conform.Credential{Scheme: conform.APIKey, Secret: key}
		if r.Kind == octavo.KeySearch {
			credential.Scheme = conform.QueryKey
		}
		into[name] = credential
	}
	return nil
}

// issueExpired issues a token as it would have been issued an hour ago.
func issueExpired(ctx context.Context, s *storage.Storage, c *app.Credentials) (string, error) {
	past := auth.Env{Now: func() time.Time { return s.Env.Now().Add(-time.Hour) }, Random: s.Env.Random}
	tokens, err := auth.OpenTokens(ctx, auth.TokenOptions{Env: past, IDs: s.IDs, Vault: c.Vault, Installation: c.Installation})
	if err != nil {
		return "", err
	}
	return tokens.Issue(ctx, auth.Grant{Subject: "conform-expired", Scopes: octavo.ScopeRead})
}

// wait sleeps until the time has passed or ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
