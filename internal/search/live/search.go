package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
)

// Query is a search request.
type Query = search.Query

// Found is one page of search results.
type Found struct {
	search.Answer
	Next *search.Place // where to continue; nil at the end
}

// Search runs a query for an audience, only among pages with all of the
// bound tags. It fails with an *octavo.Error of type Unavailable if the
// index is not complete in time or too many searches run, and with
// context.DeadlineExceeded if the search took too long.
func (s *Service) Search(ctx context.Context, aud octavo.Audience, bound []string, q search.Query) (found Found, err error) {
	if s.Observe != nil {
		begun := s.Now()
		defer func() { s.Observe(s.Now().Sub(begun), len(found.Hits), err) }()
	}
	index, err := s.completed(ctx)
	if err != nil {
		return Found{}, err
	}
	settled := s.isSettled(ctx) // before the search, which may find newer pages
	q.PublishedOnly = aud.PublishedOnly
	q.Bound = bound
	answer, err := index.Search(ctx, q)
	if errors.Is(err, search.ErrBusy) {
		return Found{}, &octavo.Error{Type: octavo.Unavailable, Detail: "Too many searches are running at once.", RetryAfter: time.Second, Err: err}
	}
	if err != nil {
		return Found{}, fmt.Errorf("search: %w", err)
	}
	found = Found{Answer: answer}
	if answer.More && len(answer.Hits) > 0 {
		found.Next = answer.Hits[len(answer.Hits)-1].Cursor()
	}
	if !settled {
		found.Hits, err = s.seen(ctx, aud, bound, answer.Hits)
	}
	return found, err
}

// readyWait is how long a search waits for the index to be complete.
const readyWait = 2 * time.Second

// completed returns the index. If it is not complete yet, it waits for a while.
func (s *Service) completed(ctx context.Context) (*search.Index, error) {
	if index := s.index.Load(); index != nil {
		return index, nil
	}
	wait, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	_ = s.AwaitReady(wait) // Ready returns the result
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err := s.Ready()
	return s.index.Load(), err
}

// seen drops the hits that the audience may no longer see, because the index
// is a moment behind the store.
func (s *Service) seen(ctx context.Context, aud octavo.Audience, bound []string, hits []search.Hit) ([]search.Hit, error) {
	if len(hits) == 0 {
		return hits, nil
	}
	ids := make([]octavo.ID, len(hits))
	for i := range hits {
		ids[i] = octavo.ID(hits[i].ID)
	}
	seen, err := s.Store.Index.Seen(ctx, aud, ids, bound)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(hits, func(h search.Hit) bool { return !seen[octavo.ID(h.ID)] }), nil
}

// settle records, if true, that the index is complete: until the next commit, hits need
// not be checked against the store. That can be known only if no other process writes.
func (s *Service) settle(ctx context.Context, index *search.Index) {
	if s.Store.DB.Shared() {
		return
	}
	now, err := s.Store.Stamps.All(ctx) // before the position, which then covers everything in the stamp
	if err != nil {
		return
	}
	if last, err := s.Store.Log.Last(ctx); err == nil && last <= index.Position() {
		s.settled.Store(&now)
	}
}

// isSettled reports whether nothing was committed since settle.
func (s *Service) isSettled(ctx context.Context) bool {
	settled := s.settled.Load()
	if settled == nil {
		return false
	}
	now, err := s.Store.Stamps.All(ctx)
	return err == nil && settled.Is(now)
}

// Await waits until the index has everything that was committed before the
// call, or ctx ends.
func (s *Service) Await(ctx context.Context) error {
	index, err := s.completed(ctx)
	if err != nil {
		return err
	}
	position, err := s.Store.Log.Last(ctx)
	if err != nil {
		return err
	}
	return index.Reached(ctx, position)
}
