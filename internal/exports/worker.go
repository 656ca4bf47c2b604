package exports

import (
	"context"
	"sync"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	// pollInterval is how often the worker looks for exports that other
	// processes accepted or left behind.
	pollInterval = time.Second
	// sweepInterval is how often expired downloads are removed, and old
	// entries from the caches of formats.
	sweepInterval = time.Minute
	// mailInterval is how often due messages are looked for.
	mailInterval = 2 * time.Second
	// endTimeout limits storing the state of a job when the server stops.
	endTimeout = 5 * time.Second
)

// Run works on exports until ctx ends. Then it returns those in progress, and the next
// worker starts them again. It must not run twice at the same time.
func (s *Service) Run(ctx context.Context) {
	if s.Alone {
		if freed, err := s.Exports.Free(ctx); err != nil {
			s.Log.ErrorContext(ctx, "leases of exports were not freed", "error", err)
		} else if freed > 0 {
			s.Log.InfoContext(ctx, "exports interrupted when a server ended are started again", "exports", freed)
		}
	}
	var group sync.WaitGroup
	group.Go(func() {
		s.repeat(ctx, sweepInterval, func() {
			s.books.Tidy()
			n, err := s.Expire(ctx)
			if err != nil && ctx.Err() == nil {
				s.Log.ErrorContext(ctx, "expired downloads were not removed", "error", err)
			}
			if n > 0 {
				s.Log.InfoContext(ctx, "expired downloads were removed", "exports", n)
			}
		})
	})
	group.Go(func() {
		s.repeat(ctx, mailInterval, func() {
			if err := s.sendMessages(ctx); err != nil && ctx.Err() == nil {
				s.Log.ErrorContext(ctx, "messages about exports were not sent", "error", err)
			}
		})
	})
	slots := make(chan struct{}, s.Workers)
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case slots <- struct{}{}:
			x, found, err := s.claim(ctx)
			if err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "no export was claimed; trying again", "error", err)
			}
			if !found {
				<-slots
				s.wake.Wait(ctx, pollInterval)
				continue
			}
			group.Go(func() {
				s.work(ctx, x)
				<-slots
				s.wake.Ring() // the subject may have another one
			})
		}
	}
	group.Wait()
}

func (s *Service) claim(ctx context.Context) (exportstore.Export, bool, error) {
	lease, err := sqldb.DrawLease(s.Random)
	if err != nil {
		return exportstore.Export{}, false, err
	}
	key, err := assetstore.NewKey(s.Random)
	if err != nil {
		return exportstore.Export{}, false, err
	}
	return s.Exports.Claim(ctx, lease, key, sqldb.Retries())
}

func (s *Service) repeat(ctx context.Context, interval time.Duration, work func()) {
	for ctx.Err() == nil {
		work()
		sqldb.Pause(ctx, interval)
	}
}

// Expire removes the bytes of expired downloads, and returns their number.
func (s *Service) Expire(ctx context.Context) (removed int, err error) {
	const batch = 100
	for {
		list, err := s.Exports.Expired(ctx, batch)
		if err != nil {
			return removed, err
		}
		for _, b := range list {
			// The row first: a copy of the database never names bytes that are gone.
			// The sweep of the blob store removes bytes that a crash leaves.
			if err := s.Exports.ForgetBlob(ctx, b); err != nil {
				return removed, err
			}
			blob.Discard(ctx, s.Blobs, b.Key, s.Log)
			removed++
		}
		if len(list) < batch {
			return removed, nil
		}
	}
}
