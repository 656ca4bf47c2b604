// Package webhooks tells other programs what happened: it keeps the endpoints
// that want to hear of events, puts each event in line for those that do, and
// sends it, signed, until it has arrived or was tried long enough (decisions 33
// to 37). Callbacks are sent the same way.
//
// A delivery is its own job: a row that says what is sent to whom, when it is
// due and who has it just now. The store keeps the rows and their order; this
// package decides what is sent, how many at once, and when it is tried again.
//
//   - [Service] is what the API does with endpoints and deliveries.
//   - [Service.Run] follows the change log and sends. Any number of processes
//     may run on one database.
//
// It does not know which events there are, nor HTTP as a server.
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
	// Seal encrypts a secret that is to be stored under the name.
	Seal(name string, secret []byte) ([]byte, error)
	// All returns the secrets whose names start with prefix, opened, in the
	// order of their names.
	All(ctx context.Context, prefix string) ([]accounts.Secret, error)
	// Ensure returns the secret of that name, of size random bytes where there
	// was none.
	Ensure(ctx context.Context, name string, size int) ([]byte, error)
}

// Options are what a service is made with. Export and what is below it may be
// left out.
type Options struct {
	Hooks   *hookstore.Hooks
	Changes *changelog.Log
	Secrets *accounts.Secrets
	Vault   Vault
	IDs     *octavo.IDSource
	Client  *http.Client // guarded, and following no redirect
	Now     func() time.Time
	Random  io.Reader
	Log     *slog.Logger
	Agent   string // the User-Agent of what is sent

	// Export returns where the end of an export is told to, and what is told;
	// found is false when it is gone. Nil where there are no exports.
	Export func(ctx context.Context, id octavo.ID, number int) (address string, data []byte, found bool, err error)

	// Alone says that no other process sends from the store: what one before had
	// under way is then made again at the start.
	Alone bool
	// Timeout bounds a try, from the first lookup to the answer; 0 is
	// DefaultTimeout, and it may not be longer.
	Timeout time.Duration
	Trace   *tracing.Tracer // nil records no traces
	// Observe, unless nil, is told of each try: how it ended, how long it took
	// and, when it succeeded, how long after the event.
	Observe func(status octavo.DeliveryStatus, took, late time.Duration)
}

// Service keeps endpoints and sends events to them.
type Service struct {
	Options
	Callbacks *CallbackKeys // that sign what has no endpoint
	wake      chan struct{} // tells the sender that something may be due

	mu        sync.Mutex
	endpoints map[octavo.ID]*endpoint
}

// New makes a service. It reads the keys that sign callbacks, or makes one.
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

// poke has the sender look soon. It never waits.
func (s *Service) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Create registers an endpoint and returns its secret, which is shown this once.
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

// Patch changes an endpoint; an unknown one is an *octavo.Error of type NotFound,
// as in all that follows.
func (s *Service) Patch(ctx context.Context, cause sqldb.Cause, id octavo.ID, in octavo.WebhookPatch) (hookstore.Webhook, error) {
	defer s.forget(id)
	return s.Hooks.Update(ctx, cause, id, in)
}

// Delete removes an endpoint. What is in line for it is given up.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	defer s.forget(id)
	return s.Hooks.Delete(ctx, cause, id)
}

// Deliveries returns the tries to deliver to an endpoint, from behind the
// one called after, and whether more follow.
func (s *Service) Deliveries(ctx context.Context, id, after octavo.ID, limit int) ([]hookstore.LoggedDelivery, bool, error) {
	if _, err := s.Hooks.Get(ctx, id); err != nil {
		return nil, false, err
	}
	return s.Hooks.Deliveries(ctx, id, after, limit)
}

// EventDeliveries returns the tries to deliver an event, from behind the
// one called after, and whether more follow.
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

// Test sends an event of type webhook.test to an endpoint. One that is disabled
// is a Conflict, as in both that follow.
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

// RedeliverSince sends again what has failed since a time and not arrived, and
// returns how many they are.
func (s *Service) RedeliverSince(ctx context.Context, cause sqldb.Cause, id octavo.ID, since time.Time) (n int64, err error) {
	defer s.poke()
	return s.Hooks.RedeliverSince(ctx, cause, id, since)
}
