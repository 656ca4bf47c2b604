package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// dueBatch bounds how many pages one look at the schedule takes on.
const dueBatch = 100

// dueStatement finds due pages; one that is due for both may come twice.
const dueStatement = `SELECT p.id FROM pages p WHERE p.publish_at <= $1 AND p.deleted_at IS NULL
	UNION ALL SELECT p.id FROM pages p WHERE p.unpublish_at <= $1 AND p.deleted_at IS NULL LIMIT $2`

// RunSchedule publishes and unpublishes the pages whose time has come, in the
// actor's name, and returns how many changed and when the next one is due; a
// zero time says none is planned. Several processes may do this at once: each
// due time takes effect once. A page with both times due goes through both, in
// their order.
func (s *Store) RunSchedule(ctx context.Context, actor octavo.Actor) (next time.Time, n int, err error) {
	for {
		now := s.now()
		ids, err := collect(ctx, s.read, column[octavo.ID], dueStatement, now.UnixMilli(), dueBatch)
		if err != nil {
			return time.Time{}, n, fmt.Errorf("find the pages that are due: %w", err)
		}
		for _, id := range ids {
			done, err := s.runDue(ctx, actor, id)
			if err != nil {
				return time.Time{}, n, fmt.Errorf("run the schedule of page %s: %w", id, err)
			}
			if done {
				n++
			}
		}
		if len(ids) < dueBatch {
			break
		}
	}
	next, err = s.nextDue(ctx)
	return next, n, err
}

// runDue applies the due times of one page, unless someone did so before.
func (s *Store) runDue(ctx context.Context, actor octavo.Actor, id octavo.ID) (done bool, err error) {
	err = s.write(ctx, Cause{Actor: actor}, func(tx *Tx) error {
		done = false
		page, err := tx.load(id)
		if err != nil {
			return gone(err)
		}
		for step, due := dueStep(page.Page, tx.now); due; step, due = dueStep(page.Page, tx.now) {
			done = true
			if page.Page, err = tx.UpdatePage(id, step, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// gone drops a NotFound error: what is gone needs nothing done.
func gone(err error) error {
	var e *octavo.Error
	if errors.As(err, &e) && e.Type == octavo.NotFound {
		return nil
	}
	return err
}

// dueStep returns the first change that is due, and whether one is. Only a
// published page is unpublished; of any other the time is just removed.
func dueStep(page octavo.Page, now time.Time) (PageChange, bool) {
	due := func(t *time.Time) bool { return t != nil && !t.After(now) }
	published, draft := octavo.Published, octavo.Draft
	publish, unpublish := due(page.PublishAt), due(page.UnpublishAt)
	switch {
	case publish && !(unpublish && page.UnpublishAt.Before(*page.PublishAt)):
		return PageChange{Status: &published, Publish: &octavo.OptTime{}}, true
	case unpublish && page.Status == octavo.Published:
		return PageChange{Status: &draft, Unpublish: &octavo.OptTime{}}, true
	case unpublish:
		return PageChange{Unpublish: &octavo.OptTime{}}, true
	}
	return PageChange{}, false
}

func (s *Store) nextDue(ctx context.Context) (time.Time, error) {
	var publish, unpublish *int64
	_, err := s.read.row(ctx, []any{&publish, &unpublish}, `SELECT
		(SELECT MIN(p.publish_at) FROM pages p WHERE p.deleted_at IS NULL AND p.publish_at IS NOT NULL),
		(SELECT MIN(p.unpublish_at) FROM pages p WHERE p.deleted_at IS NULL AND p.unpublish_at IS NOT NULL)`)
	if err != nil {
		return time.Time{}, fmt.Errorf("look up when the next page is due: %w", err)
	}
	switch {
	case publish == nil && unpublish == nil:
		return time.Time{}, nil
	case publish == nil || unpublish != nil && *unpublish < *publish:
		return moment(*unpublish), nil
	}
	return moment(*publish), nil
}
