// Package live keeps the search index of a process in line with the store. It reads the
// index from its snapshot, updates it, follows the change log, merges and saves in the
// background, and serves searches. Before hits are returned, they are checked against
// the store, so that nobody sees a page that they may no longer see.
//
//   - [Service.Run] does all background work until it is stopped. Each
//     process that searches has its own index.
//   - [Service.Search] serves searches.
//   - [Differences] compares a snapshot with the store.
//
// Package search ranks pages, and the API decides who asks for what. Start
// with [Service].
package live

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// followRest is the delay after following the log has failed.
const followRest = time.Second

// Options configure a service. Fields without a comment are required.
type Options struct {
	Store *store.Store
	// Format returns the markup language of a page.
	Format func(octavo.Page) markdown.Format
	// Include, if non-nil, finds the files that a page imports, and reports
	// why some could not be read.
	Include func(context.Context, octavo.Audience, octavo.Page) (include func(file string) (text string, mdx, found bool), failed func() error)
	Now     func() time.Time
	Log     *slog.Logger
	// Folder is for the snapshot; with "" there is none, and every start
	// reads all pages.
	Folder string
	// Snapshots, if non-nil, is where the processes of the installation
	// share snapshots.
	Snapshots *SharedSnapshots
	Index     search.Config // the zero value is suitable
	// Observe, if non-nil, receives the duration of each search, how many
	// pages it found, and its error.
	Observe func(took time.Duration, found int, err error)
}

// Service is the search service of one process.
type Service struct {
	Options
	index    atomic.Pointer[search.Index] // nil until it is complete for the first time
	complete chan struct{}                // closed when it is complete
	settled  atomic.Pointer[sqldb.Stamp]  // when the index was last known to be complete; see settle

	// shared is the position of the newest shared snapshot, as far as known.
	shared atomic.Int64

	// known are the hashes that pages below changed ones were indexed with;
	// only the follower uses it.
	known map[octavo.ID]uint64
}

// New returns a service, which finds nothing until it runs.
func New(o Options) *Service {
	return &Service{Options: o, complete: make(chan struct{})}
}

// Run maintains the index until ctx ends, and then saves it. The store may
// be closed afterwards. It must not run twice at the same time.
func (s *Service) Run(ctx context.Context) {
	snapshot := s.openSnapshot(ctx)
	defer snapshot.close()
	shared := s.newSharer(ctx)
	index := shared.load(ctx, snapshot.load(ctx))
	var group sync.WaitGroup
	group.Go(func() { index.Maintain(ctx) })
	group.Go(func() { snapshot.keep(ctx, index) })
	group.Go(func() { shared.keep(ctx, index) })
	for ctx.Err() == nil {
		if err := s.follow(ctx, index); err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "the search index is not kept up to date; trying again", "error", err)
			sqldb.Pause(ctx, followRest)
		}
	}
	group.Wait()
	if s.index.Load() != nil {
		snapshot.save(context.WithoutCancel(ctx), index)
	}
}

// follow updates the index and follows the log from there.
func (s *Service) follow(ctx context.Context, index *search.Index) error {
	position, err := s.update(ctx, index)
	if err != nil {
		return err
	}
	s.settle(ctx, index)
	if s.index.Swap(index) == nil {
		close(s.complete)
	}
	follower := s.Store.Log.NewFollower(changelog.FollowerOptions{
		After:  position,
		Handle: func(ctx context.Context, batch []changelog.Change) error { return s.handle(ctx, index, batch) },
		Passed: func(ctx context.Context, to int64) error {
			if err := index.Apply(ctx, to, nil); err != nil {
				return err
			}
			s.settle(ctx, index)
			return nil
		},
	})
	err = follower.Run(ctx)
	if _, ok := errors.AsType[*changelog.TruncatedError](err); ok {
		s.Log.WarnContext(ctx, "the search index is older than the retention of the change log; comparing all pages", "error", err)
		return nil
	}
	return err
}

// Ready returns why searches cannot be served yet, or nil.
func (s *Service) Ready() error {
	if s.index.Load() == nil {
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The search index is not complete yet.", RetryAfter: time.Second}
	}
	return nil
}

// AwaitReady waits until searches can be served, or ctx ends.
func (s *Service) AwaitReady(ctx context.Context) error {
	select {
	case <-s.complete:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Stats are metrics of the index.
type Stats struct {
	search.Stats
	Position int64 // of the change log; 0 until the index is complete
	Shared   int64 // position of the newest shared snapshot, as far as known
}

// Lag returns how many changes of the log the index lacks. It fails while
// the index is not complete, or the database does not respond.
func (s *Service) Lag(ctx context.Context) (int64, error) {
	index := s.index.Load()
	if index == nil {
		return 0, s.Ready()
	}
	position := index.Position() // before the end, which only grows
	last, err := s.Store.Log.Last(ctx)
	return last - position, err
}

// Stats returns the metrics of the index.
func (s *Service) Stats() Stats {
	index := s.index.Load()
	if index == nil {
		return Stats{}
	}
	return Stats{index.Stats(), index.Position(), s.shared.Load()}
}
