package main

import (
	"fmt"

	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// keysRotateCommand rotates a key.
type keysRotateCommand struct {
	config.Storage
	ID      string      `arg:"" help:"Id of the key, as keys list shows it (key_…); not the key itself."`
	Grace   config.Span `default:"24h" placeholder:"TIME" help:"How long the old secret remains valid, such as 0, 24h or 7d."`
	Expires *expiryFlag `placeholder:"TIME" help:"When the new secret expires, such as 24h or 90d, or never. Default: after the same lifetime as the old secret."`
	JSON    bool        `name:"json" help:"Print the key and its details as a JSON object."`
}

// Run rotates the key.
func (c *keysRotateCommand) Run(p *program) error {
	id, err := keyID(c.ID)
	if err != nil {
		return err
	}
	rotation := auth.Rotation{Grace: c.Grace.Duration}
	if c.Expires != nil {
		rotation.Lifetime = &c.Expires.Duration
	}
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		text, key, err := s.Keys().Rotate(p.ctx, byCommand(), id, rotation)
		if err != nil {
			return err
		}
		record := recordOf(key, text)
		fmt.Fprintf(p.stderr, "octavo: rotated key %s (%s), which expires %s; the old secret remains valid for at most another %s\n", key.ID, key.Name, date(record.ExpiresAt), c.Grace.Duration)
		return p.answer(c.JSON, record, text)
	})
}
