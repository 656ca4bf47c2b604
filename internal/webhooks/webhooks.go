// Package webhooks sends events to other programs. It manages webhooks, queues each
// event for those that want it, and sends it, signed, until it is delivered or given up
// (decisions 33 to 37). Callbacks are sent in the same way.
//
// A delivery is its own job: a row with its target, due time and lease.
// Package hookstore has the rows and their order. This package decides what
// is sent, how many at once, and when it is retried.
//
//   - [Service] has the operations of the API on webhooks and deliveries.
//   - [Service.Run] follows the change log and sends. Any number of
//     processes may run on one database.
//
// It does not define events, and does not serve HTTP. Start with [Service],
// then sender.go and try.go.
package webhooks

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Vault keeps the secrets of an installation.
type Vault interface {
	// Seal encrypts a secret to be stored under the name.
	Seal(name string, secret []byte) ([]byte, error)
	// All returns the secrets whose names start with prefix, decrypted, by name.
	All(ctx context.Context, prefix string) ([]accounts.Secret, error)
	// Ensure returns the secret of that name. If there is none, it stores
	// size random bytes.
	Ensure(ctx context.Context, name string, size int) ([]byte, error)
}

// Options configure a service. Export and the fields after it are optional.
type Options struct {
	Hooks   *hookstore.Hooks
	Changes *changelog.Log
	Secrets *accounts.Secrets
	Vault   Vault
	IDs     *octavo.IDSource
	Client  *http.Client // guarded, and follows no redirect
	Now     func() time.Time
	Random  io.Reader
	Log     *slog.Logger
	Agent   string // the User-Agent of requests

	// Export returns the address and body for the end of an export; found is
	// false if the export is gone. Nil if there are no exports.
	Export func(ctx context.Context, id octavo.ID, number int) (address string, data []byte, found bool, err error)

	// Alone says that no other process sends from the store, so that the
	// leases of a dead process are released at the start.
	Alone bool
	// Timeout limits an attempt, from the first lookup to the response; 0
	// means DefaultTimeout, which is also the maximum.
	Timeout time.Duration
	Trace   *tracing.Tracer // nil records no traces
	// Observe, if non-nil, receives the result of each attempt, its duration
	// and, on success, the time since the event.
	Observe func(status octavo.DeliveryStatus, took, late time.Duration)
}

// Service manages webhooks and sends events to them.
type Service struct {
	Options
	Callbacks *CallbackKeys // sign requests without a webhook
	wake      chan struct{} // wakes the sender

	mu        sync.Mutex
	endpoints map[octavo.ID]*endpoint
}

// New returns a service. It reads the keys that sign callbacks, or makes one.
func New(ctx context.Context, o Options) (*Service, error) {
	keys, err := OpenCallbackKeys(ctx, o.Secrets, o.Vault, o.Now, o.Random)
	if err != nil {
		return nil, err
	}
	if o.Timeout <= 0 || o.Timeout > DefaultTimeout {
		o.Timeout = DefaultTimeout
	}
	return &Service{
		Options: o, Callbacks: keys, wake: make(chan struct{}, 1), endpoints: map[octavo.ID]*endpoint{},
	}, nil
}

// poke makes the sender look soon. It never blocks.
func (s *Service) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Create registers a webhook and returns its secret, which is shown only this once.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, in octavo.WebhookCreate) (w hookstore.Webhook, secret string, err error) {
	id, err := s.IDs.New(octavo.PrefixWebhook)
	if err != nil {
		return hookstore.Webhook{}, "", fmt.Errorf("create a webhook: %w", err)
	}
	text, kept, err := s.newSecret(secretName(id, 1))
	if err != nil {
		return hookstore.Webhook{}, "", err
	}
	w = hookstore.Webhook{ID: id, URL: in.URL, Types: in.Types, Description: in.Description, Disabled: in.Disabled, CreatedAt: s.Now()}
	if err := s.Hooks.Insert(ctx, cause, w, kept); err != nil {
		return hookstore.Webhook{}, "", err
	}
	return w, text, nil
}

// Patch changes a webhook. An unknown one is an *octavo.Error of type
// NotFound, as in all methods below.
func (s *Service) Patch(ctx context.Context, cause sqldb.Cause, id octavo.ID, in octavo.WebhookPatch) (hookstore.Webhook, error) {
	defer s.forget(id)
	return s.Hooks.Update(ctx, cause, id, in)
}

// Delete removes a webhook. Its queued deliveries are given up.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	defer s.forget(id)
	return s.Hooks.Delete(ctx, cause, id)
}

// Deliveries returns the attempts for a webhook after the given one, and
// whether more follow.
func (s *Service) Deliveries(ctx context.Context, id, after octavo.ID, limit int) ([]hookstore.LoggedDelivery, bool, error) {
	if _, err := s.Hooks.Get(ctx, id); err != nil {
		return nil, false, err
	}
	return s.Hooks.Deliveries(ctx, id, after, limit)
}

// EventDeliveries returns the attempts for an event after the given one, and
// whether more follow.
func (s *Service) EventDeliveries(ctx context.Context, event, after octavo.ID, limit int) ([]hookstore.LoggedDelivery, bool, error) {
	list, more, err := s.Hooks.EventDeliveries(ctx, event, after, limit)
	if err != nil || len(list) > 0 {
		return list, more, err
	}
	kept, err := s.Hooks.EventKept(ctx, event)
	if err == nil && !kept {
		err = octavo.Errorf(octavo.NotFound, "There is no such event, or it is no longer stored.")
	}
	return nil, false, err
}

// Test sends an event of type webhook.test to a webhook. A disabled one is a
// Conflict, as in the two methods below.
func (s *Service) Test(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	defer s.poke()
	_, err := s.Hooks.Test(ctx, cause, id)
	return err
}

// Redeliver sends the event of a delivery again.
func (s *Service) Redeliver(ctx context.Context, cause sqldb.Cause, id, delivery octavo.ID) error {
	defer s.poke()
	return s.Hooks.Redeliver(ctx, cause, id, delivery)
}

// RedeliverSince sends again the events that have failed since a time and
// were not delivered, and returns their number.
func (s *Service) RedeliverSince(ctx context.Context, cause sqldb.Cause, id octavo.ID, since time.Time) (n int64, err error) {
	defer s.poke()
	return s.Hooks.RedeliverSince(ctx, cause, id, since)
}
