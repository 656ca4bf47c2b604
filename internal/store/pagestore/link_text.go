package pagestore

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Limits for the links that lead to a page.
const (
	// LinkTextPages is how many linking pages are read for a page, oldest first.
	LinkTextPages = 256
	linkTextSize  = 200 // characters of a text
)

// LinkText is the text of a link to a page.
type LinkText struct {
	From, To octavo.ID
	Text     string // only its beginning if it is long
}

func scanLinkText(row sqldb.Scanner) (l LinkText, err error) {
	err = row.Scan(&l.To, &l.From, &l.Text)
	return l, err
}

// LinkTexts returns the links from other pages that the audience sees to some pages,
// resolved as in [Pages.Backlinks]. They are ordered by target, then by page, then by
// link. For each page, the first LinkTextPages linking pages count. At most 1,000 ids.
func (s *Index) LinkTexts(ctx context.Context, aud octavo.Audience, ids []octavo.ID) ([]LinkText, error) {
	var a sqldb.Args
	links, err := sqldb.Collect(ctx, s.read, scanLinkText, linkTextStatement(aud, ids, &a), a...)
	return links, octavo.Wrapf(err, "read what links call %d pages", len(ids))
}

// linkTextStatement finds the links to pages. For CROSS JOIN see aboveStatement.
func linkTextStatement(aud octavo.Audience, ids []octavo.ID, a *sqldb.Args) string {
	return `WITH ` + naming(sqldb.List(a, ids)) + `, seen (target, page_id, link, place) AS (
			SELECT n.target, n.page_id, n.link, DENSE_RANK() OVER (PARTITION BY n.target ORDER BY n.page_id)
			FROM named n CROSS JOIN pages p WHERE p.id = n.page_id AND n.page_id <> n.target AND ` + sqldb.Visible(aud, "p") + `
		)
		SELECT target, page_id, label FROM (
			SELECT DISTINCT s.target, s.page_id, s.link, substr(l.label, 1, ` + a.Add(linkTextSize) + `) AS label
			FROM seen s JOIN page_links l ON l.page_id = s.page_id AND l.link = s.link
			WHERE s.place <= ` + a.Add(LinkTextPages) + ` AND s.target = ` + firstTarget("s") + `
		) found ORDER BY target, page_id, link`
}

// LinkTextsOn returns the links from some pages to others, as far as [Index.LinkTexts]
// returns them: for a published page only those on published pages. They are ordered by
// the page with the link. At most 1,000 ids.
func (s *Index) LinkTextsOn(ctx context.Context, ids []octavo.ID) ([]LinkText, error) {
	var a sqldb.Args
	public := octavo.Audience{PublishedOnly: true}
	links, err := sqldb.Collect(ctx, s.read, scanLinkText, `SELECT target, page_id, label FROM (
			SELECT DISTINCT f.page_id, f.link, substr(f.label, 1, `+a.Add(linkTextSize)+`) AS label, `+firstTarget("f")+` AS target
			FROM page_links f WHERE f.page_id IN `+sqldb.List(&a, ids)+`
		) l JOIN pages p ON p.id = l.page_id JOIN pages t ON t.id = l.target
		WHERE t.id <> p.id AND `+sqldb.Visible(octavo.Audience{}, "p")+` AND (`+sqldb.Visible(public, "p")+` OR NOT `+sqldb.Visible(public, "t")+`)
		ORDER BY l.page_id, l.link`, a...)
	return links, octavo.Wrapf(err, "read the links of %d pages", len(ids))
}

// LinkRivals returns the present targets of links that could also mean one
// of these pages. When one of these is created, removed or renamed, such a
// link may change its target. At most 1,000 ids.
func (s *Index) LinkRivals(ctx context.Context, ids []octavo.ID) ([]octavo.ID, error) {
	var a sqldb.Args
	these := sqldb.List(&a, ids)
	rivals, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `WITH `+naming(these)+`
		SELECT id FROM (
			SELECT `+leadsTo+` AS id FROM named n JOIN page_links c ON c.page_id = n.page_id AND c.link = n.link
			UNION
			SELECT x.id FROM pages x JOIN pages y ON y.path_key = x.path_key
			WHERE y.id IN `+these+` AND x.path_key <> '' AND x.deleted_at IS NULL
			UNION
			SELECT x.id FROM pages x JOIN pages y ON y.name_key = x.name_key JOIN page_links l ON l.target_path = y.name_key
			WHERE y.id IN `+these+` AND x.name_key <> '' AND l.target_path <> '' AND x.deleted_at IS NULL
			UNION
			SELECT x.page_id FROM page_labels x JOIN page_labels y ON y.label = x.label WHERE y.page_id IN `+these+`
		) r WHERE id IS NOT NULL AND id NOT IN `+these+` ORDER BY id`, a...)
	return rivals, octavo.Wrapf(err, "read which pages share links with %d", len(ids))
}

// naming is a table expression of the links that may mean pages.
func naming(ids string) string {
	return `named (target, page_id, link) AS (
			SELECT l.target_id, l.page_id, l.link FROM page_links l WHERE l.target_id IN ` + ids + ` AND l.target_id <> ''
			UNION
			SELECT x.id, l.page_id, l.link FROM pages x JOIN page_links l ON l.target_path = x.path_key
			WHERE x.id IN ` + ids + ` AND x.path_key <> '' AND l.target_path <> ''
			UNION
			SELECT x.id, l.page_id, l.link FROM pages x JOIN page_links l ON l.target_path = x.name_key
			WHERE x.id IN ` + ids + ` AND x.name_key <> '' AND l.target_path <> ''
			UNION
			SELECT x.page_id, l.page_id, l.link FROM page_labels x JOIN page_links l ON l.target_path = x.label
			WHERE x.page_id IN ` + ids + ` AND l.target_path <> ''
			UNION
			SELECT x.page_id, l.page_id, l.link FROM slugs x JOIN page_links l ON l.target_slug = x.slug
			WHERE x.page_id IN ` + ids + ` AND l.target_slug <> ''
		)`
}

// firstTarget is the target page of a link: its first existing candidate.
func firstTarget(link string) string {
	return `(SELECT ` + leadsTo + ` FROM page_links c
		WHERE c.page_id = ` + link + `.page_id AND c.link = ` + link + `.link AND ` + leadsTo + ` IS NOT NULL
		ORDER BY c.rank LIMIT 1)`
}
