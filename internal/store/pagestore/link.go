package pagestore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// backlinkRow is a backlink and its position: the page with the link and the
// link's number there.
type backlinkRow struct {
	octavo.Backlink
	link int64
}

// Backlinks returns at most limit links to a page, ordered by the pages with
// the links, and whether more follow. Links with one label on one page count
// once. next continues after the last one.
//
// Links are resolved when they are read: a link leads to the first of its
// candidates that exists. So a later page can take over a link.
func (s *Pages) Backlinks(ctx context.Context, aud octavo.Audience, id octavo.ID, after sqldb.Cursor, limit int) (links []octavo.Backlink, next sqldb.Cursor, more bool, err error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, sqldb.Cursor{}, false, fmt.Errorf("list backlinks: %w", err)
	}
	defer end()
	if err := s.exists(ctx, aud, id); err != nil {
		return nil, sqldb.Cursor{}, false, err
	}
	number := int64(-1)
	if after.Key != "" {
		if number, err = strconv.ParseInt(after.Key, 10, 64); err != nil {
			return nil, sqldb.Cursor{}, false, fmt.Errorf("list backlinks: continue behind %q: %w", after.Key, err)
		}
	}
	rows, err := sqldb.Collect(ctx, s.read, sqldb.Measured(ctx, scanBacklink, func(b backlinkRow) int { return len(b.Label) }), backlinks(aud), id, sqldb.Plain(string(after.ID)), number, limit+1)
	if err != nil {
		return nil, sqldb.Cursor{}, false, fmt.Errorf("list the backlinks of page %s: %w", id, err)
	}
	rows, more = sqldb.Cut(rows, limit)
	for _, row := range rows {
		links = append(links, row.Backlink)
		next = sqldb.Cursor{Key: strconv.FormatInt(row.link, 10), ID: row.ID}
	}
	return links, next, more, nil
}

func scanBacklink(row sqldb.Scanner) (b backlinkRow, err error) {
	err = row.Scan(&b.ID, &b.Title, &b.Slug, &b.Label, &b.link)
	return b, err
}

// backlinks finds the links that may mean page $1, and keeps those whose
// first existing candidate it is. For CROSS JOIN see aboveStatement.
func backlinks(aud octavo.Audience) string {
	return `WITH named (page_id, link) AS (
			SELECT l.page_id, l.link FROM page_links l WHERE l.target_id = $1 AND l.target_id <> ''
			UNION
			SELECT l.page_id, l.link FROM page_links l JOIN pages x ON l.target_path = x.path_key
			WHERE x.id = $1 AND x.path_key <> '' AND l.target_path <> ''
			UNION
			SELECT l.page_id, l.link FROM page_links l JOIN pages x ON l.target_path = x.name_key
			WHERE x.id = $1 AND x.name_key <> '' AND l.target_path <> ''
			UNION
			SELECT l.page_id, l.link FROM page_links l JOIN page_labels x ON l.target_path = x.label
			WHERE x.page_id = $1 AND l.target_path <> ''
			UNION
			SELECT l.page_id, l.link FROM page_links l JOIN slugs x ON l.target_slug = x.slug
			WHERE x.page_id = $1 AND l.target_slug <> ''
		), found (page_id, link, label) AS (
			SELECT l.page_id, MIN(l.link), l.label
			FROM named n JOIN page_links l ON l.page_id = n.page_id AND l.link = n.link
			WHERE $1 = ` + firstTarget("n") + `
			GROUP BY l.page_id, l.label
		)
		SELECT p.id, p.title, p.slug, f.label, f.link FROM found f CROSS JOIN pages p
		WHERE p.id = f.page_id AND ` + sqldb.Visible(aud, "p") + ` AND (p.id, f.link) > ($2, $3)
		ORDER BY p.id, f.link LIMIT $4`
}

// leadsTo is the page of candidate c, if it exists: by its id, or by its
// file's path or name, or by a label in it, or by its slug. Among several with a
// path, name or label, one of the same import set comes first, then the oldest.
const leadsTo = `COALESCE(
	(SELECT x.id FROM pages x WHERE x.id = c.target_id AND x.deleted_at IS NULL),
	(SELECT x.id FROM pages x WHERE c.target_path <> '' AND x.path_key <> '' AND x.path_key = c.target_path AND x.deleted_at IS NULL
		ORDER BY x.import_set <> (SELECT o.import_set FROM pages o WHERE o.id = c.page_id), x.id LIMIT 1),
	(SELECT x.id FROM pages x WHERE c.target_path <> '' AND x.name_key <> '' AND x.name_key = c.target_path AND x.deleted_at IS NULL
		ORDER BY x.import_set <> (SELECT o.import_set FROM pages o WHERE o.id = c.page_id), x.id LIMIT 1),
	(SELECT x.id FROM page_labels y JOIN pages x ON x.id = y.page_id WHERE c.target_path <> '' AND y.label = c.target_path AND x.deleted_at IS NULL
		ORDER BY x.import_set <> (SELECT o.import_set FROM pages o WHERE o.id = c.page_id), x.id LIMIT 1),
	(SELECT x.page_id FROM slugs x WHERE x.slug = c.target_slug AND x.state <> 'released'))`

// LinkTarget is the target page of a link. Link is its index among the links
// of its page.
type LinkTarget struct {
	Link  int
	ID    octavo.ID
	Slug  string
	Title string
}

// Resolve resolves links of a text that is not stored as a page, as LinkTargets does
// for a page. from is the page in whose place the text is, or "".
func (s *Pages) Resolve(ctx context.Context, aud octavo.Audience, from octavo.ID, candidates []Target) ([]LinkTarget, error) {
	var found []LinkTarget
	settled := map[int]bool{} // by an existing candidate, even a hidden one
	for some := range slices.Chunk(candidates, maxCandidates) {
		var a sqldb.Args
		of := a.Add(sqldb.Plain(string(from)))
		rows := make([]string, len(some))
		for i, t := range some {
			rows[i] = fmt.Sprintf("(CAST(%d AS BIGINT), CAST(%d AS BIGINT), %s, %s, %s)", t.Link, t.Rank,
				a.Add(sqldb.Plain(string(t.Page))), a.Add(sqldb.Indexed(t.Path)), a.Add(sqldb.Plain(t.Slug)))
		}
		err := s.read.Query(ctx, func(row sqldb.Scanner) error {
			var t LinkTarget
			if err := row.Scan(&t.Link, &t.ID, &t.Slug, &t.Title); err != nil {
				return err
			}
			if !settled[t.Link] && t.Slug != "" {
				found = append(found, t)
			}
			settled[t.Link] = true
			return nil
		}, `WITH named (link, rank, target_id, target_path, target_slug) AS (VALUES `+strings.Join(rows, ", ")+`)
			SELECT n.link, n.target, COALESCE(p.slug, ''), COALESCE(p.title, '') FROM (
				SELECT c.link, c.rank, `+leadsTo+` AS target
				FROM (SELECT link, rank, target_id, target_path, target_slug, `+of+` AS page_id FROM named) c
			) n LEFT JOIN pages p ON p.id = n.target AND `+sqldb.Visible(aud, "p")+`
			WHERE n.target IS NOT NULL ORDER BY n.link, n.rank`, a...)
		if err != nil {
			return nil, fmt.Errorf("resolve %d links: %w", len(some), err)
		}
	}
	return found, nil
}

const maxCandidates = 100

// LinkTargets resolves the links of a page, as [Pages.Backlinks] does, in order. Links
// without a target, or to a page that the audience does not see, are omitted.
func (s *Pages) LinkTargets(ctx context.Context, aud octavo.Audience, id octavo.ID) ([]LinkTarget, error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("resolve links: %w", err)
	}
	defer end()
	targets, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (t LinkTarget, err error) {
		err = row.Scan(&t.Link, &t.ID, &t.Slug, &t.Title)
		return t, err
	}, `SELECT l.link, p.id, p.slug, p.title FROM (
			SELECT DISTINCT f.link, `+firstTarget("f")+` AS target
			FROM page_links f WHERE f.page_id = $1
		) l JOIN pages p ON p.id = l.target
		WHERE `+sqldb.Visible(aud, "p")+` ORDER BY l.link`, id)
	return targets, octavo.Wrapf(err, "resolve the links of page %s", id)
}
