package main

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// keysCreateCommand creates a key.
type keysCreateCommand struct {
	config.Storage
	Name          string     `required:"" placeholder:"NAME" help:"Name of the key, such as its purpose."`
	Kind          string     `enum:"service,search" default:"service" placeholder:"KIND" help:"Kind of key: service for programs, search for keys that are published in web pages."`
	Scopes        scopesFlag `default:"pages:read" placeholder:"A,B" help:"Scopes of the key: pages:read, pages:propose, pages:write, admin."`
	Expires       expiryFlag `default:"90d" placeholder:"TIME" help:"When the key expires, such as 24h or 90d, or never."`
	PublishedOnly bool       `help:"The key sees only published pages. Search keys are always so."`
	Tags          []string   `placeholder:"A,B" help:"A search key finds only pages that have all these tags."`
	RateLimit     int        `placeholder:"N" help:"Rate limit of the key: requests in 60 seconds, instead of the server's limit."`
	JSON          bool       `name:"json" help:"Print the key and its details as a JSON object."`
}

// Run creates the key.
func (c *keysCreateCommand) Run(p *program) error {
	request := auth.KeyRequest{
		Name: c.Name, Kind: octavo.KeyKind(c.Kind), Scopes: c.Scopes.Scopes, PublishedOnly: c.PublishedOnly,
		Tags: c.Tags, RateLimit: c.RateLimit, Lifetime: c.Expires.Duration,
	}
	if err := request.Check(p.now()); err != nil {
		return err // before a store is created for nothing
	}
	return p.withStorage(c.Storage, storage.CreateMissing, func(s *storage.Storage) error {
		text, key, err := s.Keys().Create(p.ctx, byCommand(), request)
		if err != nil {
			return err
		}
		record := recordOf(key, text)
		fmt.Fprintf(p.stderr, "octavo: created %s key %s (%s), which expires %s\n", key.Kind, key.ID, key.Name, date(record.ExpiresAt))
		return p.answer(c.JSON, record, text)
	})
}
