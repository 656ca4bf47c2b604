package authserver

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Invite adds a person, and returns an address at which they set their password once,
// within LinkLife. It mails them the address if mail is configured.
func (s *Server) Invite(ctx context.Context, cause sqldb.Cause, u octavo.User) (octavo.User, string, error) {
	url, link, err := s.newLink()
	if err != nil {
		return u, "", err
	}
	if u.ID, err = s.IDs.New(octavo.PrefixUser); err != nil {
		return u, "", err
	}
	if err := s.Accounts.Users.Invite(ctx, cause, accounts.User{User: u}, link); err != nil {
		return u, "", err
	}
	s.Outbox.send(invitation(u, url, s.Env.Now()))
	added, err := s.Accounts.Users.ByID(ctx, u.ID)
	return added.User, url, err
}

// Reset signs a person out everywhere, and returns an address at which they set a new
// password once, within LinkLife.
func (s *Server) Reset(ctx context.Context, cause sqldb.Cause, id octavo.ID) (string, error) {
	url, link, err := s.newLink()
	if err != nil {
		return "", err
	}
	defer s.Verify.Forget()
	_, err = s.Accounts.Users.Reset(ctx, cause, id, link)
	return url, err
}

// newLink makes a link and its address.
func (s *Server) newLink() (url string, l accounts.Link, err error) {
	if s.passwordless() {
		return "", l, octavo.Errorf(octavo.Conflict, "This server has no passwords: people are added when they sign in with the provider.")
	}
	text, hash, err := NewSecret(s.Env.Random)
	return s.Issuer + setupPath + text, accounts.Link{Hash: hash, ExpiresAt: s.Env.Now().Add(LinkLife)}, err
}

// ChangePerson changes a person. If the provider manages the role, changing it is a
// Conflict.
func (s *Server) ChangePerson(ctx context.Context, cause sqldb.Cause, id octavo.ID, p octavo.UserPatch) (octavo.User, error) {
	change := accounts.UserChange{UserPatch: p}
	if s.Provider != nil && len(s.Provider.Roles) > 0 {
		change.RolesBy = s.Provider.Issuer
	}
	defer s.Verify.Forget()
	u, err := s.Accounts.Users.Change(ctx, cause, id, change)
	return u.User, err
}

// RemovePerson removes a person; see [accounts.Users.Remove].
func (s *Server) RemovePerson(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	defer s.Verify.Forget()
	return s.Accounts.Users.Remove(ctx, cause, id, s.ForgetPerson)
}
