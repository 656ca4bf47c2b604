package webhooks

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
)

// endpointAge is how long cached data of a webhook is used: another process
// may have changed it.
const endpointAge = time.Second

// maxEndpoints limits how many are cached.
const maxEndpoints = 10_000

// endpoint is a webhook with its secrets, as last read.
type endpoint struct {
	hookstore.Webhook
	secrets []secret
	gone    bool // it does not exist
	read    time.Time
}

// endpoint returns a webhook, which may be up to endpointAge old.
func (s *Service) endpoint(ctx context.Context, id octavo.ID) (*endpoint, error) {
	now := s.Now()
	s.mu.Lock()
	known := s.endpoints[id]
	s.mu.Unlock()
	if known != nil {
		if age := now.Sub(known.read); age >= 0 && age < endpointAge {
			return known, nil
		}
	}
	e := &endpoint{read: now}
	var err error
	e.Webhook, err = s.Hooks.Get(ctx, id)
	switch {
	case octavo.IsType(err, octavo.NotFound):
		e.gone = true
	case err != nil:
		return nil, err
	default:
		if e.secrets, err = readSecrets(ctx, s.Vault, hookstore.SecretPrefix(id)); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.endpoints) >= maxEndpoints {
		clear(s.endpoints)
	}
	s.endpoints[id] = e
	return e, nil
}

// forget drops the cached webhook.
func (s *Service) forget(id octavo.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.endpoints, id)
}
