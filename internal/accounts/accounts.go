// Package accounts keeps who may do what: people and their sessions, clients and
// what was granted to them, API keys, the secrets of the installation, and reads
// the audit log. Whatever changes one of them records that in the audit log, in the
// same transaction.
//
// It never writes the change log: nothing outside follows accounts. It does not
// check passwords or sign tokens; packages auth and authserver do.
//
// Each type has one noun: begin with [Users].
package accounts

import (
	"context"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Accounts are all accounts of an installation.
type Accounts struct {
	Users    *Users
	Sessions *Sessions
	Clients  *Clients
	Grants   *Grants
	Keys     *Keys
	Secrets  *Secrets
	Audit    *Audit
}

// The parts. They are safe for concurrent use.
type (
	// Users are the people who can sign in.
	Users store
	// Sessions are signed-in browsers.
	Sessions store
	// Clients are the applications that people can let in.
	Clients store
	// Grants are what people allowed clients, and the access tokens that are
	// refused.
	Grants store
	// Keys are API keys.
	Keys store
	// Secrets are kept under names, encrypted by whoever stores them.
	Secrets store
	// Audit is the audit log.
	Audit store
)

type store struct {
	db   *sqldb.DB
	read sqldb.Conn
}

// New returns the accounts of a database.
func New(db *sqldb.DB) *Accounts {
	s := store{db, db.Read()}
	return &Accounts{
		Users: (*Users)(&s), Sessions: (*Sessions)(&s), Clients: (*Clients)(&s), Grants: (*Grants)(&s),
		Keys: (*Keys)(&s), Secrets: (*Secrets)(&s), Audit: (*Audit)(&s),
	}
}

// Sweep removes what the audit log and rotated keys had for a time, and sessions,
// grants and links that have expired.
func (a *Accounts) Sweep(ctx context.Context) error {
	if err := a.Audit.sweep(ctx); err != nil {
		return err
	}
	if err := a.Keys.sweep(ctx); err != nil {
		return err
	}
	return a.Grants.sweep(ctx)
}
