package pagestore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// fewPages is up to how many pages are checked one by one and sorted,
// instead of searching an index with many others. 500 take about as long as
// finding 20 of them among a million.
const fewPages = 500

// filter is a part of a query that an index can answer.
type filter int

// The filters.
const (
	byNothing filter = iota
	bySlug
	byTag
	byParent
	byRoot // no parent that a published-only audience sees
	byStatus
	byTime // changed since
	byLanguage
	byDeletion
)

// listPlan says how a list is read: from an index in the list's order (that of base),
// or from the index of a filter that selects few pages. Other filters are written so
// that SQLite, which plans without statistics, does not use another index for them.
type listPlan struct {
	aud   octavo.Audience
	q     Query
	base  filter
	few   filter
	empty bool // nothing can match
}

// planList plans the list. If an index answers only a part of the query, it
// counts what each part selects, up to fewPages.
func (s *Pages) planList(ctx context.Context, aud octavo.Audience, q Query) (listPlan, error) {
	p := newListPlan(aud, q)
	rest := p.rest()
	if p.empty || len(rest) == 0 {
		return p, nil
	}
	candidates := rest
	if p.base != byNothing {
		candidates = append([]filter{p.base}, rest...)
	}
	for _, f := range candidates {
		few, err := s.selectsFew(ctx, p, f)
		if err != nil {
			return p, fmt.Errorf("plan a list of pages: %w", err)
		}
		if few {
			if f != p.base {
				p.few = f
			}
			return p, nil
		}
	}
	return p, nil
}

// newListPlan plans without reading data.
func newListPlan(aud octavo.Audience, q Query) listPlan {
	p := listPlan{aud: aud, q: q}
	if aud.PublishedOnly {
		p.empty = q.Status != "" && q.Status != octavo.Published
		p.q.Status = octavo.Published
	}
	switch {
	case q.Deleted: // they are few, and have a separate index
		p.few, p.empty = byDeletion, p.empty || aud.PublishedOnly
	case q.Slug != "":
		p.base = bySlug
	case q.Tag != "":
		p.base = byTag
	case q.Parent != nil && p.parentFilter() == byParent:
		p.base = byParent
	case p.q.Status != "":
		p.base = byStatus
	}
	return p
}

// parentFilter is the filter for q.Parent.
func (p *listPlan) parentFilter() filter {
	if p.aud.PublishedOnly && *p.q.Parent == "" {
		return byRoot
	}
	return byParent
}

// rest returns the filters that the index of the base does not answer, for
// more than one page.
func (p *listPlan) rest() (rest []filter) {
	if p.base == bySlug || p.q.Deleted {
		return nil
	}
	if !p.q.UpdatedAfter.IsZero() && p.q.Sort != SortUpdatedDesc {
		rest = append(rest, byTime)
	}
	if p.q.Language != "" && !p.q.Unsaid {
		rest = append(rest, byLanguage)
	}
	if p.q.Parent != nil && p.parentFilter() != p.base {
		rest = append(rest, p.parentFilter())
	}
	if p.q.Status != "" && p.base != byStatus {
		rest = append(rest, byStatus)
	}
	return rest
}

// selectsFew reports whether at most fewPages are selected by f.
func (s *Pages) selectsFew(ctx context.Context, p listPlan, f filter) (bool, error) {
	if f == byRoot { // it looks for children of each of these
		if few, err := s.returnsFew(ctx, hiddenSource, nil); err != nil || !few {
			return false, err
		}
	}
	var a sqldb.Args
	return s.returnsFew(ctx, p.source(f, &a), a)
}

// returnsFew reports whether a statement that selects ids returns at most fewPages.
func (s *Pages) returnsFew(ctx context.Context, source string, a sqldb.Args) (bool, error) {
	var n int
	limit := a.Add(s.few + 1)
	_, err := s.read.Row(ctx, []any{&n}, "SELECT COUNT(*) FROM ("+source+" LIMIT "+limit+") few", a...)
	return n <= s.few, err
}

// source selects the ids of the pages of filter f, within the base if an
// index has both. It reads no more rows than it returns, except for byRoot.
func (p *listPlan) source(f filter, a *sqldb.Args) string {
	switch f {
	case byRoot:
		return rootSource
	case byLanguage:
		return "SELECT c.id FROM pages c WHERE " + inLanguage(p.q.Language, "c", a)
	case byDeletion:
		return "SELECT c.id FROM pages c WHERE c.deleted_at IS NOT NULL"
	}
	id, table, where := "c.id", "pages", ""
	switch p.base {
	case byTag:
		if f == byParent {
			where = p.underParent("c", a)
			break
		}
		id, table, where = "c.page_id AS id", "page_tags", "c.tag = "+a.Add(sqldb.Indexed(p.q.Tag))
	case byParent:
		where = p.underParent("c", a)
	case byStatus:
		where = "c.status = " + a.Add(p.q.Status)
	default:
		where = "1 = 1"
	}
	switch {
	case f == byTime:
		where += " AND c.updated_at > " + a.Add(p.q.UpdatedAfter.UnixMilli()) + " ORDER BY c.updated_at DESC"
	case f == byStatus && p.base != byStatus:
		where += " AND c.status = " + a.Add(p.q.Status)
	}
	return "SELECT " + id + " FROM " + table + " c WHERE " + where
}

// hiddenSource selects the pages that a published-only audience does not see.
const hiddenSource = `SELECT c.id FROM pages c WHERE c.status IN ('draft', 'archived')`

// rootSource selects the possible root pages for a published-only audience:
// pages without a parent, and those under a hidden one.
const rootSource = `SELECT c.id FROM pages c WHERE c.parent_id IS NULL AND c.status = 'published'
	UNION ALL
	SELECT c.id FROM pages v CROSS JOIN pages c WHERE v.status IN ('draft', 'archived') AND c.parent_id = v.id AND c.status = 'published'`

// underParent is the condition that the page in alias has the query's
// parent, as the audience sees it; a hidden parent has no pages.
func (p *listPlan) underParent(alias string, a *sqldb.Args) string {
	id := *p.q.Parent
	switch {
	case id == "":
		return alias + ".parent_id IS NULL"
	case p.aud.PublishedOnly:
		return alias + ".parent_id = (SELECT v.id FROM pages v WHERE v.id = " + a.Add(sqldb.Plain(string(id))) + " AND " + sqldb.Visible(p.aud, "v") + ")"
	}
	return alias + ".parent_id = " + a.Add(sqldb.Plain(string(id)))
}

// inLanguage is the condition that the page in alias has a language or a
// variant of it: the character after the hyphen is the point.
func inLanguage(language, alias string, a *sqldb.Args) string {
	language = sqldb.Plain(strings.ToLower(language))
	return alias + ".spoken <> '' AND " + alias + ".spoken >= " + a.Add(language) + " AND " + alias + ".spoken < " + a.Add(language+".")
}

// statement builds the query: columns of page p among tables and f, which has the id
// and sort_key of each page. The rows are unordered. They are found before the first is
// returned, because the SQLite driver enforces the deadline only until then.
func (p *listPlan) statement(columns, tables string, a *sqldb.Args) (string, error) {
	found, err := p.find(a)
	if err != nil {
		return "", err
	}
	return "WITH found (id, sort_key) AS MATERIALIZED (" + found + ") SELECT " + columns +
		" FROM found f CROSS JOIN " + tables + " WHERE p.id = f.id", nil
}

// find selects the id and sort key of the pages, in order.
func (p *listPlan) find(a *sqldb.Args) (string, error) {
	id, title, updated, status := "p.id", "p.title", "p.updated_at", "p.status"
	from, where := "pages p", "("+sqldb.Visible(p.aud, "p")+") IS TRUE"
	walk := p.few == byNothing
	if p.q.Deleted {
		where = "p.deleted_at IS NOT NULL"
	}
	switch {
	case !walk:
		// Without a limit the databases would flatten the subquery.
		from = "(" + p.source(p.few, a) + " LIMIT 1000000000) few CROSS JOIN pages p"
		where += " AND p.id = few.id"
	case p.base == byTag:
		id, title, updated, status = "t.page_id", "t.title", "t.updated_at", "t.status"
		from = "page_tags t CROSS JOIN pages p"
		where += " AND p.id = t.page_id AND t.tag = " + a.Add(sqldb.Indexed(p.q.Tag))
	}
	if p.q.Slug != "" && p.q.Deleted {
		where += " AND p.slug = " + a.Add(sqldb.Plain(p.q.Slug))
	} else if p.q.Slug != "" {
		where += " AND p.id = (SELECT s.page_id FROM slugs s WHERE s.slug = " + a.Add(sqldb.Plain(p.q.Slug)) + " AND s.state = 'current')"
	}
	if p.q.Tag != "" && (!walk || p.base != byTag) {
		where += " AND EXISTS (SELECT 1 FROM page_tags t WHERE t.tag = " + a.Add(sqldb.Indexed(p.q.Tag)) + " AND t.page_id = p.id)"
	}
	if p.q.Parent != nil {
		switch {
		case p.parentFilter() == byRoot:
			where += " AND " + parentOf(p.aud) + " IS NULL"
		case walk && p.base == byParent:
			where += " AND " + p.underParent("p", a)
		default:
			where += " AND (" + p.underParent("p", a) + ") IS TRUE"
		}
	}
	switch {
	case p.q.Status == "":
	case walk && p.base == byStatus:
		where += " AND " + status + " = " + a.Add(p.q.Status)
	default:
		where += " AND (" + status + " = " + a.Add(p.q.Status) + ") IS TRUE"
	}
	switch {
	case p.q.UpdatedAfter.IsZero():
	case walk && p.q.Sort == SortUpdatedDesc && p.base != bySlug:
		where += " AND " + updated + " > " + a.Add(p.q.UpdatedAfter.UnixMilli())
	default:
		where += " AND (" + updated + " > " + a.Add(p.q.UpdatedAfter.UnixMilli()) + ") IS TRUE"
	}
	switch {
	case p.q.Language == "":
	case p.q.Unsaid:
		where += " AND (" + inLanguage(p.q.Language, "p", a) + " OR p.spoken = '') IS TRUE"
	default:
		where += " AND (" + inLanguage(p.q.Language, "p", a) + ") IS TRUE"
	}
	key := map[Sort]string{SortUpdatedDesc: updated, SortTitle: title}[p.q.Sort]
	after, err := p.after(key, id, a)
	if err != nil {
		return "", err
	}
	selected := key
	if key == "" {
		selected = "''"
	}
	return "SELECT " + id + ", " + selected + " FROM " + from + " WHERE " + where + after +
		" ORDER BY " + p.order(key, id) + " LIMIT " + a.Add(p.q.Limit+1), nil
}

// order is the list's order by the columns of its key and the id.
func (p *listPlan) order(key, id string) string {
	switch p.q.Sort {
	case SortCreatedDesc:
		return id + " DESC"
	case SortUpdatedDesc:
		return key + " DESC, " + id + " DESC"
	case SortTitle:
		return key + ", " + id
	}
	return id
}

// after is the condition for continuing after q.After.
func (p *listPlan) after(key, id string, a *sqldb.Args) (string, error) {
	compare := ">"
	switch p.q.Sort {
	case "", SortCreated, SortTitle:
	case SortCreatedDesc, SortUpdatedDesc:
		compare = "<"
	default:
		return "", fmt.Errorf("list pages: unknown order %q", p.q.Sort)
	}
	if p.q.After == nil {
		return "", nil
	}
	last := sqldb.Plain(string(p.q.After.ID))
	var value any = sqldb.Plain(p.q.After.Key)
	switch p.q.Sort {
	case SortUpdatedDesc:
		ms, err := strconv.ParseInt(p.q.After.Key, 10, 64)
		if err != nil {
			return "", fmt.Errorf("list pages: continue behind %q: %w", p.q.After.Key, err)
		}
		value = ms
	case SortTitle:
	default:
		return fmt.Sprintf(" AND %s %s %s", id, compare, a.Add(last)), nil
	}
	return fmt.Sprintf(" AND (%s, %s) %s (%s, %s)", key, id, compare, a.Add(value), a.Add(last)), nil
}
