package main

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type keysRevokeCommand struct {
	config.Storage
	ID string `arg:"" help:"Id of the key, as keys list shows it (key_…); not the key itself."`
}

func (c *keysRevokeCommand) Run(p *program) error {
	id, err := keyID(c.ID)
	if err != nil {
		return err
	}
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		if err := s.Keys().Revoke(p.ctx, byCommand(), id); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: revoked %s\n", id)
		return nil
	})
}

// keyID reads the id of a key.
func keyID(text string) (octavo.ID, error) {
	if id := octavo.ID(text); id.Is(octavo.PrefixKey) {
		return id, nil
	}
	return "", usageError{fmt.Errorf("%q is not the id of a key: octavo keys list shows ids such as key_…", mask(text))}
}

// mask hides a key that was given instead of its id.
func mask(text string) string {
	if len(text) > 8 {
		return text[:8] + "…"
	}
	return text
}
