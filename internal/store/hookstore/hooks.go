// Package hookstore keeps webhooks and the deliveries to them and to callbacks. A
// [Delivery] is one try to send an event to a target. Deliveries of one lane, such
// as a page, are made in order: the first is due, those behind it wait.
//
// It does not send anything and does not decide what is sent to whom: package
// webhooks does, and asks here for what is due. Secrets of webhooks are stored with
// them; they are encrypted by whoever hands them over.
//
// Begin with webhook.go for endpoints, delivery.go for the queue, delivery_claim.go
// and delivery_finish.go for a try from its lease to its end.
package hookstore

import (
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Hooks reads and changes webhooks and deliveries. It is safe for concurrent use.
type Hooks struct {
	db         *sqldb.DB
	read       sqldb.Conn
	log        *changelog.Log
	deliveries sqldb.Inserter
}

// New returns the webhooks and deliveries of a database.
func New(db *sqldb.DB, log *changelog.Log) *Hooks {
	return &Hooks{db: db, read: db.Read(), log: log, deliveries: newDeliveries()}
}
