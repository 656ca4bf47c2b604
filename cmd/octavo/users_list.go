package main

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type usersListCommand struct {
	config.Storage
	JSON bool `name:"json" help:"Print a JSON object for each person."`
}

func (c *usersListCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		return answerAll(p, c.JSON, s.Accounts.Users.List, func(u octavo.User) (octavo.ID, any, string) { return u.ID, u, userLine(u) })
	})
}
