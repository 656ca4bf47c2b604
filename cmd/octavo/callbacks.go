package main

import (
	"fmt"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// callbacksCommand groups what is done to the keys that sign callbacks.
type callbacksCommand struct {
	Rotate callbacksRotateCommand `cmd:"" help:"Create a new key that signs callbacks."`
}

// callbacksRotateCommand makes a new key.
type callbacksRotateCommand struct {
	config.Storage
	EndFormer bool `help:"End all earlier keys immediately, because one has leaked."`
}

// Run makes the key.
func (c *callbacksRotateCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		credentials, err := s.Credentials(p.ctx, c.SecretKey, "")
		if err != nil {
			return err
		}
		keys, err := webhooks.OpenCallbackKeys(p.ctx, s.Store.Accounts.Secrets, credentials.Vault, s.Env.Now, p.random)
		if err != nil {
			return err
		}
		if err := keys.Rotate(p.ctx, byCommand(), c.EndFormer); err != nil {
			return err
		}
		fmt.Fprintln(p.stderr, "octavo: callbacks are now signed with a new key")
		return nil
	})
}
