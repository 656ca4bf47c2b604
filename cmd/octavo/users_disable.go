package main

import (
	"fmt"

	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

type usersDisableCommand struct {
	config.Storage
	Person string `arg:"" help:"E-mail address or id of the person."`
}

func (c *usersDisableCommand) Run(p *program) error {
	return setDisabled(p, c.Storage, c.Person, true)
}

type usersEnableCommand struct {
	config.Storage
	Person string `arg:"" help:"E-mail address or id of the person."`
}

func (c *usersEnableCommand) Run(p *program) error {
	return setDisabled(p, c.Storage, c.Person, false)
}

func setDisabled(p *program, o config.Storage, person string, disabled bool) error {
	return p.withStorage(o, storage.RefuseMissing, func(s *storage.Storage) error {
		u, err := findUser(p, s, person)
		if err != nil {
			return err
		}
		if err := s.Accounts.Users.SetDisabled(p.ctx, byCommand(), u.ID, disabled); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: %s %s\n", map[bool]string{true: "disabled", false: "enabled"}[disabled], u.Email)
		return nil
	})
}

type usersPasswordCommand struct {
	config.Storage
	Person   string `arg:"" help:"E-mail address or id of the person."`
	Password bool   `name:"password-stdin" required:"" help:"Read the password from standard input, to the end of its first line."`
}

func (c *usersPasswordCommand) Run(p *program) error {
	password, err := readPassword(p.stdin)
	if err != nil {
		return err
	}
	stored, err := authserver.HashPassword(p.random, authserver.DefaultCost(), password)
	if err != nil {
		return err
	}
	return p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) error {
		u, err := findUser(p, s, c.Person)
		if err != nil {
			return err
		}
		if err := s.Accounts.Users.SetPassword(p.ctx, byCommand(), u.ID, stored, ""); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: %s has another password\n", u.Email)
		return nil
	})
}
