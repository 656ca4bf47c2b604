// Package hookstore stores webhooks and the deliveries to them and to callbacks. A
// [Delivery] is one attempt to send an event to a target. Deliveries of one lane, such
// as a page, are made in order: the first is due, the others wait.
//
// It does not send anything and does not decide what is sent: package
// webhooks does, and gets the due deliveries here. Webhook secrets are
// stored with them, encrypted by the caller.
//
// Start with webhook.go for webhooks, delivery.go for the queue, and delivery_claim.go
// and delivery_finish.go for an attempt from its lease to its end.
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
