// Package importstore stores import jobs: what was requested and by whom,
// which process works on it, what it has written, and the report. A job is
// accepted, leased for a time to a worker, and ended.
//
// It does not read the file, which is in the blob store under the job's key until the
// job has ended. Start with import.go, then claim.go for the life of a job.
package importstore

import "github.com/octavo-docs/octavo/internal/store/sqldb"

// Imports reads and changes import jobs. It is safe for concurrent use.
type Imports struct {
	db   *sqldb.DB
	read sqldb.Conn
}

// New returns the imports of a database.
func New(db *sqldb.DB) *Imports { return &Imports{db: db, read: db.Read()} }
