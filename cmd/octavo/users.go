package main

import (
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/storage"
)

// usersCommand groups what is done to people.
type usersCommand struct {
	Add      usersAddCommand      `cmd:"" help:"Add a person who can sign in."`
	List     usersListCommand     `cmd:"" help:"List the people."`
	Role     usersRoleCommand     `cmd:"" help:"Change what a person may do."`
	Disable  usersDisableCommand  `cmd:"" help:"Keep a person out."`
	Enable   usersEnableCommand   `cmd:"" help:"Let a person in again."`
	Password usersPasswordCommand `cmd:"" help:"Give a person another password."`

	Calibrate usersCalibrateCommand `cmd:"" help:"Tell what passwords may cost on this machine."`
}

// findUser returns the person that an id or an e-mail address names.
func findUser(p *program, s *storage.Storage, name string) (accounts.User, error) {
	if id := octavo.ID(name); id.Is(octavo.PrefixUser) {
		return s.Accounts.Users.ByID(p.ctx, id)
	}
	return s.Accounts.Users.ByEmail(p.ctx, octavo.NormalEmail(name))
}

// userLine is what people see of a person, in columns that tabs divide.
func userLine(u octavo.User) string {
	state := "active"
	switch {
	case u.Disabled:
		state = "disabled"
	case u.Invited:
		state = "invited"
	}
	return strings.Join([]string{string(u.ID), state, string(u.Role), u.CreatedAt.UTC().Format(time.RFC3339), u.Email, u.Name}, "\t")
}
