package webhooks

import (
	"context"
	"errors"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// FollowerName is the name of the saved position in the change log up to
// which events were queued.
const FollowerName = "webhooks"

// maxPlanned is how many deliveries one transaction queues, unless a single
// event has more: other writers wait for it.
const maxPlanned = 1000

// follow queues the events of the change log until ctx ends. Writers of
// pages do not wait for it.
func (s *Service) follow(ctx context.Context) {
	var planned []hookstore.NewDelivery
	o := changelog.FollowerOptions{
		Name: FollowerName,
		Plan: func(ctx context.Context, batch []changelog.Change) (n int, work bool, err error) {
			planned, n, err = s.plan(ctx, batch)
			return n, len(planned) > 0, err
		},
		Apply: func(tx *sqldb.Tx, _ []changelog.Change) error { return s.Hooks.Add(tx, planned) },
		Done:  s.poke,
	}
	for ctx.Err() == nil {
		err := s.followOnce(ctx, o)
		if truncated, ok := errors.AsType[*changelog.TruncatedError](err); ok {
			s.Log.ErrorContext(ctx, "events were removed before they were queued: the server was down for longer than --change-retention", "error", err)
			err = s.Changes.MoveFollower(ctx, FollowerName, truncated.Removed)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "the follower of webhooks is stuck", "error", err)
			sqldb.Pause(ctx, pollInterval)
		}
	}
}

// followOnce starts at the oldest change that is kept, if it never ran before.
func (s *Service) followOnce(ctx context.Context, o changelog.FollowerOptions) (err error) {
	if o.After, err = s.Changes.First(ctx); err != nil {
		return err
	}
	return s.Changes.NewFollower(o).Run(ctx)
}

// plan returns the deliveries for the first n changes. It reads webhooks after the
// changes: a webhook that does not exist yet was created after them.
func (s *Service) plan(ctx context.Context, batch []changelog.Change) (planned []hookstore.NewDelivery, n int, err error) {
	hooks, err := s.Hooks.Active(ctx)
	if err != nil {
		return nil, 0, err
	}
	var published []octavo.ID
	for _, c := range batch {
		if c.Kind == octavo.PagePublished {
			published = append(published, c.EventID)
		}
	}
	callbacks, err := s.Hooks.Callbacks(ctx, published)
	if err != nil {
		return nil, 0, err
	}
	for i, c := range batch {
		d := hookstore.NewDelivery{EventID: c.EventID, Kind: c.Kind, Lane: string(c.Page), Position: c.Position, Size: int64(len(c.Payload))}
		for _, w := range hooks {
			if slices.Contains(w.Types, c.Kind) && c.Kind != octavo.WebhookTest && c.Position > w.ActiveAfter {
				d.Target = string(w.ID)
				planned = append(planned, d)
			}
		}
		if address, ok := callbacks[c.EventID]; ok {
			d.Target = hookstore.CallbackTarget(address)
			planned = append(planned, d)
		}
		if len(planned) >= maxPlanned {
			return planned, i + 1, nil
		}
	}
	return planned, len(batch), nil
}
