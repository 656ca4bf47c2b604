package main

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// usersRoleCommand changes what a person may do.
type usersRoleCommand struct {
	config.Storage
	Person string `arg:"" help:"E-mail address or id of the person."`
	Role   string `arg:"" enum:"reader,contributor,editor,admin" help:"Role of the person: reader, contributor, editor or admin."`
}

// Run changes the role.
func (c *usersRoleCommand) Run(p *program) error {
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		u, err := findUser(p, s, c.Person)
		if err != nil {
			return err
		}
		if err := s.Accounts.Users.SetRole(p.ctx, byCommand(), u.ID, octavo.Role(c.Role)); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: %s is %s now\n", u.Email, c.Role)
		return nil
	})
}
