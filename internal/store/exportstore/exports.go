// Package exportstore stores export jobs: what was requested, which process
// works on it, its result, and who is notified. A job is accepted, leased
// for a time to a worker, and ended. The end queues the deliveries of its
// webhooks in the same transaction.
//
// It does not know formats or bytes: the result is in the blob store under
// the job's key. [pagestore.Selection] reads the pages of an export.
//
// Start with export.go, then claim.go for the life of a job.
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
