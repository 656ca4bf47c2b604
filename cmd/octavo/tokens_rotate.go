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

// Help says what the command does and does not do.
func (tokensRotateCommand) Help() string {
	return "Every process signs with the new key within a second. Tokens that were signed before stay valid until they expire, " +
		"so this does not revoke them."
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
		fmt.Fprintln(p.stderr, "octavo: new tokens are signed with a new key")
		return nil
	})
}
