package main

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// tokensRotateCommand makes a new signing key.
type tokensRotateCommand struct {
	config.Storage
}

// Run makes the key.
func (c *tokensRotateCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		credentials, err := s.Credentials(p.ctx, c.SecretKey, "")
		if err != nil {
			return err
		}
		if err := credentials.Tokens.RotateSigningKey(p.ctx); err != nil {
			return err
		}
		if err := s.Accounts.Audit.Record(p.ctx, octavo.AuditEntry{Action: octavo.SigningKeyRotated, Actor: byCommand().Actor}, 0); err != nil {
			return err
		}
		fmt.Fprintln(p.stderr, "octavo: tokens are now signed with a new key")
		return nil
	})
}
