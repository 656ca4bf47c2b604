// Package assetstore stores assets, the files that pages show: their metadata, the
// names that lead to them, and which bytes of the blob store are in use. A mutation
// runs in a transaction of [sqldb.DB.Write]. It writes the asset, the count of its
// bytes and a row of the change log, all or none.
//
// It does not store bytes. They are put into the blob store before the transaction, and
// removed from it afterwards. It reads from pagestore which pages use an asset.
//
// Start with write.go, then read.go.
package assetstore

import "github.com/octavo-docs/octavo/internal/store/sqldb"

// Assets reads and changes assets. It is safe for concurrent use.
type Assets struct {
	db   *sqldb.DB
	read sqldb.Conn
	most int // limits what is included: sqldb.MaxSlice, smaller in tests

	// Pending are the files that were uploaded for proposals.
	Pending *Pending
}

// New returns the assets of a database.
func New(db *sqldb.DB) *Assets {
	return &Assets{db: db, read: db.Read(), most: sqldb.MaxSlice, Pending: &Pending{db: db, read: db.Read()}}
}
