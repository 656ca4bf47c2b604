// Package live keeps the search index of a process true to the store: it reads
// the index from its snapshot, brings it up to date, follows the change log,
// merges and saves in the background, and answers searches from it. What the
// index finds is held against the store once more before it is told, so that
// nobody is shown a page that is no longer theirs to see.
//
//   - [Service.Run] does all of the work until it is told to stop. Each process
//     that searches has an index of its own.
//   - [Service.Search] answers.
//   - [Check] compares a snapshot with the store.
//
// How pages are ranked is the business of package search, and who asks for
// what that of the API.
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

// followRest is the wait after following the log has failed.
const followRest = time.Second

// Options are what a service is made with. Those without a note may not be
// left out.
type Options struct {
	Store *store.Store
	// Format tells in which language a page is written.
	Format func(octavo.Page) markdown.Format
	// Include, unless nil, finds the files that a page imports, and tells why some
	// could not be read.
	Include func(context.Context, octavo.Audience, octavo.Page) (include func(file string) (text string, mdx, found bool), failed func() error)
	Now     func() time.Time
	Log     *slog.Logger
	// Folder keeps the snapshot; "" keeps none, and every start reads all pages.
	Folder string
	// Snapshots, if non-nil, is where the processes of the installation keep snapshots
	// for each other.
	Snapshots *SharedSnapshots
	Index     search.Config // the zero value is a good one
	// Observe, unless nil, is told of each search: how long it took, how many
	// pages it found, and whether it failed.
	Observe func(took time.Duration, found int, err error)
}

// Service is the search of one process.
type Service struct {
	Options
	index    atomic.Pointer[search.Index] // nil until it is complete for the first time
	complete chan struct{}                // closed then
	settled  atomic.Pointer[sqldb.Stamp]  // when the index last had everything; see settle

	// shared is the position of the newest shared snapshot that this process knows.
	shared atomic.Int64

	// known is what pages below those that have changed were indexed with; it
	// belongs to the one who follows.
	known map[octavo.ID]uint64
}

// New makes a service, which finds nothing until it runs.
func New(o Options) *Service {
	return &Service{Options: o, complete: make(chan struct{})}
}

// Run keeps the index until ctx ends, and saves it then. The store may be
// closed afterwards. It runs once at a time.
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

// follow brings the index up to date and follows the log from there.
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

// Ready tells why searches are not answered yet; it is nil once they are.
func (s *Service) Ready() error {
	if s.index.Load() == nil {
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The search index is not complete yet.", RetryAfter: time.Second}
	}
	return nil
}

// AwaitReady waits until searches are answered, or ctx ends.
func (s *Service) AwaitReady(ctx context.Context) error {
	select {
	case <-s.complete:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Stats tell how the index is doing.
type Stats struct {
	search.Stats
	Position int64 // of the change log; 0 while the index is not complete
	Shared   int64 // position of the newest shared snapshot that this process knows
}

// Lag returns how many changes of the log the index does not have. It fails
// while the index is not complete, or the database does not answer.
func (s *Service) Lag(ctx context.Context) (int64, error) {
	index := s.index.Load()
	if index == nil {
		return 0, s.Ready()
	}
	position := index.Position() // before the end, which only grows
	last, err := s.Store.Log.Last(ctx)
	return last - position, err
}

// Stats returns how the index is doing.
func (s *Service) Stats() Stats {
	index := s.index.Load()
	if index == nil {
		return Stats{}
	}
	return Stats{index.Stats(), index.Position(), s.shared.Load()}
}
