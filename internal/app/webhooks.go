package app

import (
	"context"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Webhooks returns the webhooks of a store, which send events through client. counts may
// be nil.
func Webhooks(ctx context.Context, e Env, ids *octavo.IDSource, st *store.Store, c *Credentials, product string, counts *metrics.Metrics, client *http.Client) (*webhooks.Service, error) {
	options := webhooks.Options{
		Hooks: st.Hooks, Changes: st.Log, Secrets: st.Accounts.Secrets, Vault: c.Vault, IDs: ids, Client: client, Now: e.Now, Random: e.Random, Log: e.Log, Trace: e.Trace, Agent: "Octavo/" + product,
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
