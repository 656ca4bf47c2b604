package pagestore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Limits for due pages: how many are read from the schedule at once, and how
// many change at the same time, sharing commits.
const (
	dueBatch  = 100
	dueAtOnce = 16
)

// dueStatement finds due pages; a page that is due for both may occur twice.
const dueStatement = `SELECT p.id FROM pages p WHERE p.publish_at <= $1 AND p.deleted_at IS NULL
	UNION ALL SELECT p.id FROM pages p WHERE p.unpublish_at <= $1 AND p.deleted_at IS NULL LIMIT $2`

// RunSchedule publishes and unpublishes due pages in the actor's name. It returns when
// the next one is due, and how many changed; a zero time means none is planned. Several
// processes may call it at once: each due time takes effect once. A page with both
// times due goes through both, in order. A page that cannot be changed does not block
// others: the error has all such pages, and they stay due.
func (s *Pages) RunSchedule(ctx context.Context, actor octavo.Actor) (next time.Time, n int, err error) {
	var mu sync.Mutex
	tried, failed := map[octavo.ID]bool{}, []error{}
	for {
		now := s.db.Now()
		ids, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], dueStatement, now.UnixMilli(), dueBatch+2*len(failed))
		if err != nil {
			return time.Time{}, n, fmt.Errorf("find the pages that are due: %w", err)
		}
		ids = slices.DeleteFunc(ids, func(id octavo.ID) bool {
			again := tried[id]
			tried[id] = true
			return again
		})
		if len(ids) == 0 {
			break
		}
		var group errgroup.Group
		group.SetLimit(dueAtOnce)
		for _, id := range ids {
			group.Go(func() error {
				done, err := s.runDue(ctx, actor, id)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil:
					failed = append(failed, fmt.Errorf("run the schedule of page %s: %w", id, err))
				case done:
					n++
				}
				return nil
			})
		}
		_ = group.Wait() // errors are collected separately
	}
	if next, err = s.nextDue(ctx); err != nil {
		failed = append(failed, err)
	}
	return next, n, errors.Join(failed...)
}

// Overdue returns the pages that should have changed before the time, by id,
// at most 1,000.
func (s *Pages) Overdue(ctx context.Context, before time.Time) ([]octavo.ID, error) {
	ids, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], dueStatement, before.UnixMilli(), 1000)
	if err != nil {
		return nil, fmt.Errorf("look for pages that are overdue: %w", err)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// runDue applies the due times of one page, unless another process did.
func (s *Pages) runDue(ctx context.Context, actor octavo.Actor, id octavo.ID) (done bool, err error) {
	err = s.db.Write(ctx, sqldb.Cause{Actor: actor, Review: sqldb.Reviewed}, func(tx *sqldb.Tx) error {
		done = false
		page, err := load(tx, id)
		if err != nil {
			return gone(err)
		}
		for step, due := dueStep(page.Page, tx.Now()); due; step, due = dueStep(page.Page, tx.Now()) {
			done = true
			if page.Page, err = s.Update(tx, id, step, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// gone drops a NotFound error: nothing needs to be done then.
func gone(err error) error {
	if octavo.IsType(err, octavo.NotFound) {
		return nil
	}
	return err
}

// dueStep returns the first due change, if any. Only a published page is
// unpublished; for any other, the time is just removed.
func dueStep(page octavo.Page, now time.Time) (Change, bool) {
	due := func(t *time.Time) bool { return t != nil && !t.After(now) }
	published, draft := octavo.Published, octavo.Draft
	publish, unpublish := due(page.PublishAt), due(page.UnpublishAt)
	switch {
	case publish && !(unpublish && page.UnpublishAt.Before(*page.PublishAt)):
		return Change{Status: &published, Publish: &octavo.OptTime{}}, true
	case unpublish && page.Status == octavo.Published:
		return Change{Status: &draft, Unpublish: &octavo.OptTime{}}, true
	case unpublish:
		return Change{Unpublish: &octavo.OptTime{}}, true
	}
	return Change{}, false
}

func (s *Pages) nextDue(ctx context.Context) (time.Time, error) {
	var publish, unpublish *int64
	_, err := s.read.Row(ctx, []any{&publish, &unpublish}, `SELECT
		(SELECT MIN(p.publish_at) FROM pages p WHERE p.deleted_at IS NULL AND p.publish_at IS NOT NULL),
		(SELECT MIN(p.unpublish_at) FROM pages p WHERE p.deleted_at IS NULL AND p.unpublish_at IS NOT NULL)`)
	if err != nil {
		return time.Time{}, fmt.Errorf("look up when the next page is due: %w", err)
	}
	switch {
	case publish == nil && unpublish == nil:
		return time.Time{}, nil
	case publish == nil || unpublish != nil && *unpublish < *publish:
		return sqldb.Moment(*unpublish), nil
	}
	return sqldb.Moment(*publish), nil
}
