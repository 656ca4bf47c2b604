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
	Name          string     `required:"" placeholder:"NAME" help:"What the key is for."`
	Kind          string     `enum:"service,search" default:"service" placeholder:"KIND" help:"service for programs, search for keys that stand in web pages."`
	Scopes        scopesFlag `default:"pages:read" placeholder:"A,B" help:"What the key may do: pages:read, pages:propose, pages:write, admin."`
	Expires       expiryFlag `default:"90d" placeholder:"TIME" help:"When the key expires, such as 24h or 90d, or never."`
	PublishedOnly bool       `help:"Let the key see published pages only. Search keys always are so."`
	Tags          []string   `placeholder:"A,B" help:"Let a search key find only pages that have all these tags."`
	RateLimit     int        `placeholder:"N" help:"Requests that the key may make in 60 seconds, in place of the server's limit."`
	JSON          bool       `name:"json" help:"Print the key and what belongs to it as a JSON object."`
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
