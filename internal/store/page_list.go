package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/octavo-docs/octavo"
)

// MaxSlice is how much content, in bytes, a slice of a list goes on after. It
// keeps the answer to one request from filling the memory.
const MaxSlice = 8 << 20

// listFirst is how many pages are read with their content at first; after that
// it is known about how many make a slice.
const listFirst = 4

// errEnough ends the reading of rows that are not needed any more.
var errEnough = errors.New("enough was read")

// ListPages returns at most q.Limit pages in the query's order, fewer when
// they are large, and whether more follow.
func (s *Store) ListPages(ctx context.Context, aud octavo.Audience, q PageQuery) (pages []octavo.Page, more bool, err error) {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list pages: %w", err)
	}
	defer end()
	limit, size := q.Limit, 0
	batchSize := listFirst
	for more = true; more && len(pages) < limit && size < MaxSlice; batchSize = 1 + (MaxSlice-size)*len(pages)/(size+1) {
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
			mark := MarkOf(pages[len(pages)-1], q.Sort)
			q.After = &mark
		}
	}
	return pages, more, nil
}

func (s *Store) listBatch(ctx context.Context, aud octavo.Audience, q PageQuery) (pages []octavo.Page, more bool, err error) {
	plan, err := s.planList(ctx, aud, q)
	if err != nil || plan.empty {
		return nil, false, err
	}
	var a args
	text, err := plan.statement(pageColumns(aud), pageTables, &a)
	if err != nil {
		return nil, false, err
	}
	pages, err = collect(ctx, s.read, metered(ctx), text, a...)
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(pages, comparePages(q.Sort))
	pages, more = cut(pages, q.Limit)
	return pages, more, nil
}

// ListRefs is [Store.ListPages] for who knows the pages already: it returns
// references to q.Limit of them, and their places.
func (s *Store) ListRefs(ctx context.Context, aud octavo.Audience, q PageQuery) (refs []PageRef, marks []Mark, more bool, err error) {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return nil, nil, false, fmt.Errorf("list pages: %w", err)
	}
	defer end()
	plan, err := s.planList(ctx, aud, q)
	if err != nil || plan.empty {
		return nil, nil, false, err
	}
	var a args
	text, err := plan.statement(refColumns(aud)+", CAST(f.sort_key AS TEXT)", "pages p", &a)
	if err != nil {
		return nil, nil, false, err
	}
	refs, marks = make([]PageRef, 0, q.Limit), make([]Mark, 0, q.Limit)
	err = s.read.query(ctx, func(row scanner) error {
		if more = len(refs) == q.Limit; more {
			return errEnough
		}
		var r PageRef
		var m Mark
		err := row.Scan(r.into(&m.Key)...)
		m.ID = r.ID
		refs, marks = append(refs, r), append(marks, m)
		return err
	}, text+" ORDER BY "+plan.order("f.sort_key", "f.id"), a...)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, nil, false, fmt.Errorf("list pages: %w", err)
	}
	return refs, marks, more, nil
}

// MarkOf returns the place of page in an order.
func MarkOf(page octavo.Page, sort Sort) Mark {
	switch sort {
	case SortUpdatedDesc:
		return Mark{strconv.FormatInt(page.UpdatedAt.UnixMilli(), 10), page.ID}
	case SortTitle:
		return Mark{page.Title, page.ID}
	}
	return Mark{ID: page.ID}
}

// comparePages puts pages into an order. The database has found the right ones;
// to have it sort them again with their content would cost more.
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
