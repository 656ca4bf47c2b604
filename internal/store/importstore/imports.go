// Package importstore keeps import jobs: what was asked for and by whom, who works on
// it, what it has written so far, and the report in the end. A job is accepted, leased
// for a time to whoever works on it, and ended.
//
// It does not know what is in a file: that lies in the blob store under the key that a
// job names, until the job has ended. Begin with import.go, then claim.go for the life
// of a job.
package importstore

import "github.com/octavo-docs/octavo/internal/store/sqldb"

// Imports reads and changes import jobs. It is safe for concurrent use.
type Imports struct {
	db   *sqldb.DB
	read sqldb.Conn
}

// New returns the imports of a database.
func New(db *sqldb.DB) *Imports { return &Imports{db: db, read: db.Read()} }
