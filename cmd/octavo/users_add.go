package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
)

// usersAddCommand adds a person.
type usersAddCommand struct {
	config.Storage
	Email    string `arg:"" help:"E-mail address with which the person signs in."`
	Name     string `required:"" placeholder:"NAME" help:"Name of the person."`
	Role     string `enum:"reader,contributor,editor,admin" default:"reader" placeholder:"ROLE" help:"Role of the person: reader, contributor, editor or admin."`
	Admin    bool   `help:"The same as --role admin."`
	Password bool   `name:"password-stdin" required:"" help:"Read the password from standard input, to the end of its first line."`
	JSON     bool   `name:"json" help:"Print the person as a JSON object."`
}

// Run adds the person.
func (c *usersAddCommand) Run(p *program) error {
	u := accounts.User{User: octavo.User{Email: c.Email, Name: c.Name, Role: octavo.Role(c.Role)}}
	if c.Admin {
		u.Role = octavo.RoleAdmin
	}
	if err := u.Check(); err != nil {
		return err // before a store is created for nothing
	}
	password, err := readPassword(p.stdin)
	if err != nil {
		return err
	}
	if u.Password, err = authserver.HashPassword(p.random, authserver.DefaultCost(), password); err != nil {
		return err
	}
	return p.withStorage(c.Storage, storage.CreateMissing, func(s *storage.Storage) error {
		if u.ID, err = s.IDs.New(octavo.PrefixUser); err != nil {
			return err
		}
		if err := s.Accounts.Users.Add(p.ctx, byCommand(), u); err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "octavo: added %s as %s\n", u.Email, u.Role)
		u.CreatedAt = s.Env.Now()
		return p.answer(c.JSON, u.User, string(u.ID))
	})
}

// readPassword reads one line.
func readPassword(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, 4<<10))
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}
	password, _, _ := strings.Cut(string(text), "\n")
	password = strings.TrimSuffix(password, "\r")
	if fault := octavo.CheckPassword(password); fault != "" {
		return "", usageError{errors.New("the password " + fault)}
	}
	return password, nil
}
