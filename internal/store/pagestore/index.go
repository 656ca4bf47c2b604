package pagestore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// State identifies the present state of a page, to detect outdated derived data.
type State struct {
	ID        octavo.ID
	Published bool
	UpdatedAt time.Time
}

// States returns at most limit pages after an identifier, by identifier,
// without deleted ones.
func (s *Index) States(ctx context.Context, after octavo.ID, limit int) ([]State, error) {
	states, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (st State, err error) {
		var status octavo.PageStatus
		var updated int64
		err = row.Scan(&st.ID, &status, &updated)
		st.Published, st.UpdatedAt = status == octavo.Published, sqldb.Moment(updated)
		return st, err
	}, `SELECT p.id, p.status, p.updated_at FROM pages p
		WHERE p.id > $1 AND `+sqldb.Visible(octavo.Audience{}, "p")+` ORDER BY p.id LIMIT $2`, sqldb.Plain(string(after)), limit)
	if err != nil {
		return nil, fmt.Errorf("read the states of pages: %w", err)
	}
	return states, nil
}

// Names are texts that lead to a page beside its own title and slug.
type Names struct {
	FormerSlugs []string
	Redirecting []string // all former slugs, including those hidden from the audience
	Ancestors   []string // titles of the pages above it, the nearest first
}

// Names returns the names of pages, as far as the audience may see them: titles above a
// hidden page are hidden too. Pages without any are omitted. At most 1,000 ids.
func (s *Index) Names(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID]Names, error) {
	names := map[octavo.ID]Names{}
	read := func(add func(n *Names, text string, shown bool)) func(sqldb.Scanner) error {
		return func(row sqldb.Scanner) error {
			var id octavo.ID
			var text string
			var shown bool
			if err := row.Scan(&id, &text, &shown); err != nil {
				return err
			}
			n := names[id]
			add(&n, text, shown)
			names[id] = n
			return nil
		}
	}
	var a sqldb.Args
	err := s.read.Query(ctx, read(func(n *Names, slug string, shown bool) {
		n.Redirecting = append(n.Redirecting, slug)
		if shown {
			n.FormerSlugs = append(n.FormerSlugs, slug)
		}
	}), `SELECT s.page_id, s.slug, `+slugVisible(aud)+` FROM slugs s WHERE s.page_id IN `+sqldb.List(&a, ids)+` AND s.state = 'former'
		ORDER BY s.page_id, s.slug`, a...)
	if err != nil {
		return nil, fmt.Errorf("read the former slugs of %d pages: %w", len(ids), err)
	}
	a = nil
	err = s.read.Query(ctx, read(func(n *Names, title string, _ bool) { n.Ancestors = append(n.Ancestors, title) }),
		aboveStatement(aud, ids, &a), a...)
	if err != nil {
		return nil, fmt.Errorf("read what is above %d pages: %w", len(ids), err)
	}
	return names, nil
}

// aboveStatement finds the titles of the pages above others. CROSS JOIN makes SQLite
// use the tables in this order. Otherwise it scans all published pages for each one.
func aboveStatement(aud octavo.Audience, ids []octavo.ID, a *sqldb.Args) string {
	return `WITH RECURSIVE up (page_id, title, parent_id, depth) AS (
			SELECT p.id, p.title, p.parent_id, 0 FROM pages p WHERE p.id IN ` + sqldb.List(a, ids) + `
			UNION ALL
			SELECT up.page_id, p.title, p.parent_id, up.depth + 1 FROM up CROSS JOIN pages p
			WHERE p.id = up.parent_id AND up.depth < ` + a.Add(treeBound) + ` AND ` + sqldb.Visible(aud, "p") + `
		) SELECT page_id, title, 1 = 1 FROM up WHERE depth > 0 ORDER BY page_id, depth`
}

// Below returns the pages at any level below one of these, by identifier. At
// most 1,000 ids.
func (s *Index) Below(ctx context.Context, ids []octavo.ID) ([]octavo.ID, error) {
	var a sqldb.Args
	below, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `WITH RECURSIVE down (id, depth) AS (
			SELECT p.id, 1 FROM pages p WHERE p.parent_id IN `+sqldb.List(&a, ids)+` AND p.deleted_at IS NULL
			UNION
			SELECT p.id, down.depth + 1 FROM pages p JOIN down ON p.parent_id = down.id
			WHERE p.deleted_at IS NULL AND down.depth < `+a.Add(treeBound)+`
		) SELECT DISTINCT id FROM down ORDER BY id`, a...)
	if err != nil {
		return nil, fmt.Errorf("read what is below %d pages: %w", len(ids), err)
	}
	return below, nil
}

// Seen returns the pages that the audience sees and that have all of the
// tags. At most 1,000 ids.
func (s *Index) Seen(ctx context.Context, aud octavo.Audience, ids []octavo.ID, tags []string) (map[octavo.ID]bool, error) {
	var a sqldb.Args
	text := `SELECT p.id FROM pages p WHERE p.id IN ` + sqldb.List(&a, ids) + ` AND ` + sqldb.Visible(aud, "p")
	for _, tag := range tags {
		text += ` AND EXISTS (SELECT 1 FROM page_tags t WHERE t.page_id = p.id AND t.tag = ` + a.Add(sqldb.Indexed(tag)) + `)`
	}
	seen := make(map[octavo.ID]bool, len(ids))
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		err := row.Scan(&id)
		seen[id] = true
		return err
	}, text, a...)
	if err != nil {
		return nil, fmt.Errorf("look which of %d pages are seen: %w", len(ids), err)
	}
	return seen, nil
}
