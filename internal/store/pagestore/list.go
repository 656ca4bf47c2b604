package pagestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// listFirst is how many pages are first read with their content. Their size
// shows how many make a page of the list.
const listFirst = 4

// List returns at most q.Limit pages in the query's order, fewer if they are
// large, and whether more follow.
func (s *Pages) List(ctx context.Context, aud octavo.Audience, q Query) (pages []octavo.Page, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list pages: %w", err)
	}
	defer end()
	limit, size := q.Limit, 0
	batchSize := listFirst
	for more = true; more && len(pages) < limit && size < sqldb.MaxSlice; batchSize = 1 + (sqldb.MaxSlice-size)*len(pages)/(size+1) {
		q.Limit = min(limit-len(pages), batchSize)
		var batch []octavo.Page
		if batch, more, err = s.listBatch(ctx, aud, q); err != nil {
			return nil, false, fmt.Errorf("list pages: %w", err)
		}
		pages = append(pages, batch...)
		for _, p := range batch {
			size += len(p.Content)
		}
		if more {
			q.Behind(pages[len(pages)-1])
		}
	}
	return pages, more, nil
}

func (s *Pages) listBatch(ctx context.Context, aud octavo.Audience, q Query) (pages []octavo.Page, more bool, err error) {
	plan, err := s.planList(ctx, aud, q)
	if err != nil || plan.empty {
		return nil, false, err
	}
	var a sqldb.Args
	text, err := plan.statement(pageColumns(aud)+", p.deleted_at", pageTables, &a)
	if err != nil {
		return nil, false, err
	}
	pages, err = sqldb.Collect(ctx, s.read, metered(ctx, func(row sqldb.Scanner) (octavo.Page, error) {
		var deleted *int64
		page, err := scanPage(row, &deleted)
		page.DeletedAt = sqldb.OptMoment(deleted)
		return page, err
	}), text, a...)
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(pages, comparePages(q.Sort))
	pages, more = sqldb.Cut(pages, q.Limit)
	return pages, more, nil
}

// ListRefs is [Pages.List] for callers that may have the pages cached: it
// returns references to q.Limit of them, and their positions.
func (s *Pages) ListRefs(ctx context.Context, aud octavo.Audience, q Query) (refs []Ref, marks []sqldb.Cursor, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, nil, false, fmt.Errorf("list pages: %w", err)
	}
	defer end()
	plan, err := s.planList(ctx, aud, q)
	if err != nil || plan.empty {
		return nil, nil, false, err
	}
	var a sqldb.Args
	text, err := plan.statement(refColumns(aud)+", CAST(f.sort_key AS TEXT)", "pages p", &a)
	if err != nil {
		return nil, nil, false, err
	}
	refs, marks = make([]Ref, 0, q.Limit), make([]sqldb.Cursor, 0, q.Limit)
	err = s.read.Query(ctx, func(row sqldb.Scanner) error {
		if more = len(refs) == q.Limit; more {
			return sqldb.ErrEnough
		}
		var r Ref
		var m sqldb.Cursor
		err := row.Scan(r.into(&m.Key)...)
		m.ID = r.ID
		refs, marks = append(refs, r), append(marks, m)
		return err
	}, text+" ORDER BY "+plan.order("f.sort_key", "f.id"), a...)
	if err != nil && !errors.Is(err, sqldb.ErrEnough) {
		return nil, nil, false, fmt.Errorf("list pages: %w", err)
	}
	return refs, marks, more, nil
}

// Behind makes the query continue after a page of its list.
func (q *Query) Behind(page octavo.Page) {
	mark := CursorOf(page, q.Sort)
	q.After = &mark
}

// CursorOf returns the position of a page in an order.
func CursorOf(page octavo.Page, sort Sort) sqldb.Cursor {
	switch sort {
	case SortUpdatedDesc:
		return sqldb.Cursor{Key: strconv.FormatInt(page.UpdatedAt.UnixMilli(), 10), ID: page.ID}
	case SortTitle:
		return sqldb.Cursor{Key: page.Title, ID: page.ID}
	}
	return sqldb.Cursor{ID: page.ID}
}

// comparePages orders pages. The database has selected the right ones;
// sorting them there again with their content would cost more.
func comparePages(sort Sort) func(a, b octavo.Page) int {
	return func(a, b octavo.Page) int {
		switch sort {
		case SortCreatedDesc:
			return cmp.Compare(b.ID, a.ID)
		case SortUpdatedDesc:
			return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
		case SortTitle:
			return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Compare(a.ID, b.ID)
	}
}
