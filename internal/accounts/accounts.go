// Package accounts stores people and their sessions, clients and their
// grants, API keys and the secrets of the installation, and reads the audit
// log. Every change records an audit entry in the same transaction.
//
// It never writes the change log, because nothing outside follows accounts. It does not
// check passwords or sign tokens; packages auth and authserver do.
//
// Each type has one noun. Start with [Users].
package accounts

import (
	"context"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Accounts has all accounts of an installation.
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
	// Clients are the applications that people can authorize.
	Clients store
	// Grants are the authorizations of clients by people, and the revoked
	// access tokens.
	Grants store
	// Keys are API keys.
	Keys store
	// Secrets are stored under names, encrypted by the caller.
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

// Sweep removes temporary audit entries and rotated keys, and expired
// sessions, grants and links.
func (a *Accounts) Sweep(ctx context.Context) error {
	return a.Grants.db.Write(ctx, sqldb.Cause{}, sweepExpired)
}
