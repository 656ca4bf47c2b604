package authserver

import (
	"context"
	"io"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// maxRedirectURIs is the maximum for one client.
const maxRedirectURIs = 50

// NewClient returns a client that is not stored yet, and the secret of a confidential one.
func NewClient(ids *octavo.IDSource, random io.Reader, p octavo.ClientPatch) (c accounts.Client, secret string, err error) {
	if err := patchClient(&c, p, p.Public); err != nil {
		return c, "", err
	}
	if c.ID, err = ids.New(octavo.PrefixClient); err != nil || p.Public {
		return c, "", err
	}
	secret, hash, err := NewSecret(random)
	c.Secret = hash[:]
	return c, secret, err
}

// patchClient applies p and reports every fault of the result.
func patchClient(c *accounts.Client, p octavo.ClientPatch, public bool) error {
	if p.Name != nil {
		c.Name = *p.Name
	}
	if p.RedirectURIs != nil {
		c.RedirectURIs = *p.RedirectURIs
	}
	if p.Scopes != nil {
		c.Scopes = *p.Scopes
	}
	var faults octavo.Faults
	if fault := octavo.CheckName(c.Name); fault != "" {
		faults.Add("/name", "%s", fault)
	}
	if n := len(c.RedirectURIs); n > maxRedirectURIs {
		faults.Add("/redirectUris", "must have at most %d items; it has %d", maxRedirectURIs, n)
	}
	for i, uri := range c.RedirectURIs {
		if fault := CheckRedirectURI(uri); fault != "" {
			faults.Add(octavo.PointerIndex("/redirectUris", i), "%s", fault)
		}
	}
	if public && c.Scopes != 0 {
		faults.Add("/scopes", "is only for confidential clients: a public client cannot act without a person")
	}
	if len(c.RedirectURIs) == 0 && c.Scopes == 0 {
		faults.Add("/redirectUris", "or scopes is required: otherwise the application could do nothing")
	}
	return faults.Err()
}

// AddClient registers a client, and returns the secret of a confidential one.
func (s *Server) AddClient(ctx context.Context, cause sqldb.Cause, p octavo.ClientPatch) (c accounts.Client, secret string, err error) {
	if c, secret, err = NewClient(s.IDs, s.Env.Random, p); err != nil {
		return c, "", err
	}
	if err := s.Accounts.Clients.Add(ctx, cause, c); err != nil {
		return c, "", err
	}
	c, err = s.Accounts.Clients.ByID(ctx, c.ID)
	return c, secret, err
}

// ChangeClient changes a client. Access tokens with a removed scope are revoked.
func (s *Server) ChangeClient(ctx context.Context, cause sqldb.Cause, id octavo.ID, p octavo.ClientPatch) (accounts.Client, error) {
	defer s.Verify.Forget()
	return s.Accounts.Clients.Change(ctx, cause, id, func(c *accounts.Client) error { return patchClient(c, p, c.Public()) })
}

// RemoveClient removes a client, its grants and its tokens.
func (s *Server) RemoveClient(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	if id == "cli_octavo" { // of octavo login
		return octavo.Errorf(octavo.Conflict, "Client %s is part of the program and cannot be removed.", id)
	}
	defer s.Verify.Forget()
	return s.Accounts.Clients.Remove(ctx, cause, id)
}
