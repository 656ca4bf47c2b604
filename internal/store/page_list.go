package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/octavo-docs/octavo"
)

// ListPages returns at most q.Limit pages in the query's order, and whether
// more follow.
func (s *Store) ListPages(ctx context.Context, aud octavo.Audience, q PageQuery) (pages []octavo.Page, more bool, err error) {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list pages: %w", err)
	}
	defer end()
	plan, err := s.planList(ctx, aud, q)
	if err != nil || plan.empty {
		return nil, false, err
	}
	var a args
	text, err := plan.statement(pageColumns(aud), pageTables, &a)
	if err != nil {
		return nil, false, err
	}
	pages, err = collect(ctx, s.read, func(row scanner) (octavo.Page, error) { return scanPage(row) }, text, a...)
	if err != nil {
		return nil, false, fmt.Errorf("list pages: %w", err)
	}
	slices.SortFunc(pages, comparePages(q.Sort))
	pages, more = cut(pages, q.Limit)
	return pages, more, nil
}

// ListRefs is [Store.ListPages] for who knows the pages already. mark is the
// place of the last one.
func (s *Store) ListRefs(ctx context.Context, aud octavo.Audience, q PageQuery) (refs []PageRef, mark Mark, more bool, err error) {
	ctx, end, err := s.lists.enter(ctx)
	if err != nil {
		return nil, Mark{}, false, fmt.Errorf("list pages: %w", err)
	}
	defer end()
	plan, err := s.planList(ctx, aud, q)
	if err != nil || plan.empty {
		return nil, Mark{}, false, err
	}
	var a args
	text, err := plan.statement(refColumns(aud)+", CAST(f.sort_key AS TEXT)", "pages p", &a)
	if err != nil {
		return nil, Mark{}, false, err
	}
	refs = make([]PageRef, 0, q.Limit+1)
	err = s.read.query(ctx, func(row scanner) error {
		var r PageRef
		if len(refs) == q.Limit {
			more = true
			return nil
		}
		err := row.Scan(&r.ID, &r.Version, &r.ParentID, &mark.Key)
		refs = append(refs, r)
		mark.ID = r.ID
		return err
	}, text+" ORDER BY "+plan.order("f.sort_key", "f.id"), a...)
	if err != nil {
		return nil, Mark{}, false, fmt.Errorf("list pages: %w", err)
	}
	return refs, mark, more, nil
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
