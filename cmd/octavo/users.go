package main

import (
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/storage"
)

type usersCommand struct {
	Add      usersAddCommand      `cmd:"" help:"Add a person who can sign in."`
	List     usersListCommand     `cmd:"" help:"List the people."`
	Role     usersRoleCommand     `cmd:"" help:"Change what a person may do."`
	Disable  usersDisableCommand  `cmd:"" help:"Disable a person, so that they cannot sign in."`
	Enable   usersEnableCommand   `cmd:"" help:"Enable a disabled person."`
	Password usersPasswordCommand `cmd:"" help:"Set a new password for a person."`

	Calibrate usersCalibrateCommand `cmd:"" help:"Measure how many password passes this machine can do in a given time."`
}

// findUser returns the person with an id or an e-mail address.
func findUser(p *program, s *storage.Storage, name string) (accounts.User, error) {
	if id := octavo.ID(name); id.Is(octavo.PrefixUser) {
		return s.Accounts.Users.ByID(p.ctx, id)
	}
	return s.Accounts.Users.ByEmail(p.ctx, octavo.NormalEmail(name))
}

// userLine is the output for a person: columns separated by tabs.
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
