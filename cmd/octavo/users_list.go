package main

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// usersListCommand lists people.
type usersListCommand struct {
	config.Storage
	JSON bool `name:"json" help:"Print a JSON object for each person."`
}

// Help says what the command does and does not do.
func (usersListCommand) Help() string {
	return "Prints a line for each person, oldest first, with columns divided by tabs: " +
		"id, state (active or disabled), role, when they were added, e-mail address, name."
}

// Run lists the people.
func (c *usersListCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		return answerAll(p, c.JSON, s.Accounts.Users.List, func(u octavo.User) (octavo.ID, any, string) { return u.ID, u, userLine(u) })
	})
}
