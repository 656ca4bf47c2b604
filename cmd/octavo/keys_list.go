package main

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type keysListCommand struct {
	config.Storage
	JSON bool `name:"json" help:"Print a JSON object for each key."`
}

func (c *keysListCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		return answerAll(p, c.JSON, s.Keys().List, func(k accounts.Key) (octavo.ID, any, string) {
			record := recordOf(k, "")
			return k.ID, record, record.line(s.Env.Now())
		})
	})
}
