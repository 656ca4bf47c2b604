package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/octavo-docs/octavo"
)

// ListPages returns at most q.Limit pages in the query's order, and whether
// more follow.
func (s *Store) ListPages(ctx context.Context, aud octavo.Audience, q PageQuery) (pages []octavo.Page, more bool, err error) {
	var a args
	text, err := listStatement(pageColumns(aud), pageTables, aud, q, &a)
	if err != nil {
		return nil, false, err
	}
	pages, err = collect(ctx, s.read, metered(ctx), text, a...)
	if err != nil {
		return nil, false, fmt.Errorf("list pages: %w", err)
	}
	pages, more = cut(pages, q.Limit)
	return pages, more, nil
}

// ListRefs is [Store.ListPages] for who knows the pages already. mark is the
// place of the last one.
func (s *Store) ListRefs(ctx context.Context, aud octavo.Audience, q PageQuery) (refs []PageRef, mark Mark, more bool, err error) {
	var a args
	key := "''"
	switch q.Sort {
	case SortUpdatedDesc:
		key = "CAST(p.updated_at AS TEXT)"
	case SortTitle:
		key = "p.title"
	}
	text, err := listStatement(refColumns(aud)+", "+key, "pages p", aud, q, &a)
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
	}, text, a...)
	if err != nil {
		return nil, Mark{}, false, fmt.Errorf("list pages: %w", err)
	}
	return refs, mark, more, nil
}

// listStatement puts the query together, of columns of page p among tables. There is an index for every order,
// so a page of the list costs the same however many pages there are.
func listStatement(columns, tables string, aud octavo.Audience, q PageQuery, a *args) (string, error) {
	id := "p.id"
	from := tables
	where := visible(aud, "p")
	if q.Tag != "" {
		// Lets the index of tags give the order; SQLite keeps to that of CROSS JOIN.
		id = "t.page_id"
		from = "page_tags t CROSS JOIN " + tables
		where += " AND p.id = t.page_id AND t.tag = " + a.add(indexed(q.Tag))
	}
	if q.Status != "" {
		where += " AND p.status = " + a.add(q.Status)
	}
	if q.Slug != "" {
		where += " AND p.slug = " + a.add(plain(q.Slug))
	}
	if q.Parent != nil {
		where += " AND " + underParent(aud, *q.Parent, a)
	}
	if !q.UpdatedAfter.IsZero() {
		where += " AND p.updated_at > " + a.add(q.UpdatedAfter.UnixMilli())
	}
	order, after, err := listOrder(q, id, a)
	if err != nil {
		return "", err
	}
	return "SELECT " + columns + " FROM " + from + " WHERE " + where + after +
		" ORDER BY " + order + " LIMIT " + a.add(q.Limit+1), nil
}

// listOrder returns the order and the condition that continues behind q.After.
func listOrder(q PageQuery, id string, a *args) (order, after string, err error) {
	order, compare := id, ">"
	switch q.Sort {
	case "", SortCreated:
	case SortCreatedDesc:
		order, compare = id+" DESC", "<"
	case SortUpdatedDesc:
		order, compare = "p.updated_at DESC, "+id+" DESC", "<"
	case SortTitle:
		order = "p.title, " + id
	default:
		return "", "", fmt.Errorf("list pages: unknown order %q", q.Sort)
	}
	if q.After == nil {
		return order, "", nil
	}
	last := plain(string(q.After.ID))
	switch q.Sort {
	case SortUpdatedDesc:
		ms, err := strconv.ParseInt(q.After.Key, 10, 64)
		if err != nil {
			return "", "", fmt.Errorf("list pages: continue behind %q: %w", q.After.Key, err)
		}
		after = fmt.Sprintf(" AND (p.updated_at, %s) %s (%s, %s)", id, compare, a.add(ms), a.add(last))
	case SortTitle:
		after = fmt.Sprintf(" AND (p.title, %s) %s (%s, %s)", id, compare, a.add(plain(q.After.Key)), a.add(last))
	default:
		after = fmt.Sprintf(" AND %s %s %s", id, compare, a.add(last))
	}
	return order, after, nil
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

// underParent selects the pages whose parent, as the audience sees it, is id.
func underParent(aud octavo.Audience, id octavo.ID, a *args) string {
	if id == "" {
		return parentOf(aud) + " IS NULL"
	}
	condition := "p.parent_id = " + a.add(plain(string(id)))
	if aud.PublishedOnly {
		condition += " AND " + parentOf(aud) + " IS NOT NULL"
	}
	return condition
}
