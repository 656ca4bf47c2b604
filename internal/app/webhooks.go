package app

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// What the connections to receivers are bounded by.
const (
	idleReceivers   = 1000      // connections kept
	idlePerReceiver = 256       // of them to one host, which may have several endpoints
	receiverAnswer  = 128 << 10 // bytes of an answer, which are more than are read
)

// Webhooks makes what keeps endpoints and sends events to them. The options say
// what it may connect to; counts may be nil.
func Webhooks(ctx context.Context, e Env, ids *octavo.IDSource, st *store.Store, c *Credentials, product string, counts *metrics.Metrics, o egress.Options) (*webhooks.Service, error) {
	o.Idle, o.IdlePerHost, o.MaxResponse = idleReceivers, idlePerReceiver, receiverAnswer
	o.Timeout = 2 * egress.DefaultTimeout // a try ends before
	options := webhooks.Options{
		Store: st, Vault: c.Vault, IDs: ids, Client: egress.New(o), Now: e.Now, Random: e.Random, Log: e.Log, Trace: e.Trace, Agent: "Octavo/" + product,
		Alone: !st.DB.Shared(), // the data folder is locked
	}
	if counts != nil {
		options.Observe = func(status octavo.DeliveryStatus, took, late time.Duration) {
			if status != octavo.DeliverySucceeded {
				late = -1
			}
			counts.Delivery(string(status), took, late)
		}
	}
	return webhooks.New(ctx, options)
}
