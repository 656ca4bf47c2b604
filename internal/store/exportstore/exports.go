// Package exportstore keeps export jobs: what was asked for, who works on it, what
// became of it, and who is told of the end. A job is accepted, leased for a time to
// whoever works on it, and ended; its end puts the deliveries of its webhooks in
// line in the same transaction.
//
// It does not know formats or bytes: the result lies in the blob store under the
// key that a job names. The pages of an export are read by [pagestore.Selection].
//
// Begin with export.go, then claim.go for the life of a job.
package exportstore

import (
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Exports reads and changes export jobs. It is safe for concurrent use.
type Exports struct {
	db    *sqldb.DB
	read  sqldb.Conn
	hooks *hookstore.Hooks
}

// New returns the exports of a database.
func New(db *sqldb.DB, hooks *hookstore.Hooks) *Exports {
	return &Exports{db: db, read: db.Read(), hooks: hooks}
}
