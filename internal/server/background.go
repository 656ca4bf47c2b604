package server

import (
	"context"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/issuers"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Intervals of background work.
const (
	useInterval     = time.Minute
	sweepInterval   = time.Hour
	notifyInterval  = time.Minute
	refreshInterval = time.Minute
)

// background is the background work of a server.
type background struct {
	credentials *app.Credentials
	outside     *issuers.Verifier    // nil without outside issuers
	provider    *authserver.Provider // nil if people only sign in by password
	files       *assets.Service
	hooks       *webhooks.Service
	search      *live.Service // nil if another process runs search
	exports     *exports.Service
	imports     *imports.Service
	outbox      *authserver.Outbox          // nil without mail
	notify      func(context.Context) error // mails notifications; nil without mail
	worker      bool                        // whether this process runs the work that one process does for all
}

// searchWait is how long the start waits for search. A site of usual size is then ready; a
// large one becomes ready later.
const searchWait = 2 * time.Second

// awaitSearch waits until search is ready, at most searchWait.
func (b background) awaitSearch(ctx context.Context) {
	if b.search == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, searchWait)
	defer cancel()
	_ = b.search.AwaitReady(ctx) // /readyz reports it
}

// start starts the background work. It runs until ctx ends; wait returns when all of it
// has ended.
func (b background) start(ctx context.Context, st *storage.Storage) (wait func()) {
	var group sync.WaitGroup
	log := st.Env.Log

	if st.DB.Shared() {
		group.Go(func() { st.RunClock(ctx) })
	}
	if b.worker {
		b.work(ctx, st, &group)
	}
	if b.search != nil {
		group.Go(func() { b.search.Run(ctx) })
	}
	group.Go(func() { b.outbox.Run(ctx) })
	if b.outside != nil {
		group.Go(func() {
			repeat(ctx, func() time.Duration { b.outside.Refresh(ctx); return refreshInterval })
		})
	}
	if b.provider != nil {
		group.Go(func() {
			repeat(ctx, func() time.Duration { b.provider.Refresh(ctx); return refreshInterval })
		})
	}
	group.Go(func() {
		record := func(ctx context.Context, stopping bool) {
			if err := b.credentials.Keys.RecordUse(ctx); err != nil {
				log.ErrorContext(ctx, "the last use of keys was not recorded", "error", err)
			}
			if err := st.Sites.FlushQueries(ctx); err != nil {
				log.ErrorContext(ctx, "queries of readers were not counted", "error", err)
			}
			if err := b.credentials.Refusals.Flush(ctx, stopping); err != nil {
				log.ErrorContext(ctx, "refused attempts were not recorded", "error", err)
			}
		}
		repeat(ctx, func() time.Duration { record(ctx, false); return useInterval })
		record(context.WithoutCancel(ctx), true) // record what gathered since
	})
	return group.Wait
}

// work starts the work that at least one process of an installation must run.
func (b background) work(ctx context.Context, st *storage.Storage, group *sync.WaitGroup) {
	actor := octavo.Actor{ID: "octavo", Name: "Octavo"}
	log := st.Env.Log
	group.Go(func() { app.RunSchedule(ctx, st.Env, st.Store) })
	group.Go(func() {
		repeat(ctx, func() time.Duration {
			purged, err := st.Sweep(ctx, actor)
			if err != nil && ctx.Err() == nil {
				log.ErrorContext(ctx, "data past its retention was not removed", "error", err)
			}
			if purged > 0 {
				log.InfoContext(ctx, "deleted pages were permanently removed", "pages", purged)
			}
			if err := b.credentials.Tokens.Sweep(ctx); err != nil && ctx.Err() == nil {
				log.ErrorContext(ctx, "old signing keys were not removed", "error", err)
			}
			return sweepInterval
		})
	})
	group.Go(func() { b.hooks.Run(ctx) })
	group.Go(func() { b.exports.Run(ctx) })
	group.Go(func() { b.imports.Run(ctx) })
	if b.notify != nil {
		group.Go(func() {
			repeat(ctx, func() time.Duration {
				if err := b.notify(ctx); err != nil && ctx.Err() == nil {
					log.ErrorContext(ctx, "notifications were not mailed", "error", err)
				}
				return notifyInterval
			})
		})
	}
	group.Go(func() {
		repeat(ctx, func() time.Duration {
			removed, err := b.files.Sweep(ctx)
			if err != nil && ctx.Err() == nil {
				log.ErrorContext(ctx, "orphaned bytes were not removed", "error", err)
			}
			if removed > 0 {
				log.InfoContext(ctx, "orphaned bytes were removed", "files", removed)
			}
			return sweepInterval
		})
	})
}

// repeat calls work, waits for the returned time, and repeats until ctx ends.
func repeat(ctx context.Context, work func() time.Duration) {
	for ctx.Err() == nil {
		select {
		case <-time.After(work()):
		case <-ctx.Done():
		}
	}
}
