// Package storecheck looks for what contradicts itself in a database: its schema
// against a kept snapshot of it, and its rows against the rules that bind them.
package storecheck

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Finding is something in the store that contradicts something else in it.
type Finding struct {
	Rule    string // what should hold
	Subject string // the page, slug or file where it does not
	Mend    string // what whoever runs the server can do
}

// What mends findings in the database.
const (
	mendFile = "stop the server, look at the disk, and bring the newest backup back into an empty folder; nothing mends the file as it is"
	mendRule = "nothing mends it by itself: bring back the newest backup with which doctor finds nothing, and report it as a mistake in Octavo unless the disk or somebody's hand did it"
)

// rule is what must hold in the store and a statement that lists, by one
// column, where it does not.
type rule struct{ text, query string }

// impossiblePages lists pages that no program has written so.
const impossiblePages = `SELECT p.id FROM pages p WHERE p.status NOT IN ('draft', 'published', 'archived')
	OR p.created_at NOT BETWEEN 0 AND 253402300799999 OR p.updated_at NOT BETWEEN 0 AND 253402300799999`

// ImpossiblePages returns the pages with a status or a time that there is not.
// Check finds them, and nothing that was made of them is to be blamed for it.
func ImpossiblePages(ctx context.Context, db *sqldb.DB) ([]octavo.ID, error) {
	ids, err := column[octavo.ID](ctx, db, impossiblePages)
	if err != nil {
		return nil, fmt.Errorf("look for impossible pages: %w", err)
	}
	return ids, nil
}

// column returns what a query of one column finds.
func column[T any](ctx context.Context, db *sqldb.DB, query string) ([]T, error) {
	return sqldb.Collect(ctx, db.Read().Within(0), sqldb.Column[T], query)
}

func rules() []rule {
	return []rule{
		{"a page has a status that there is, and times that there are", impossiblePages},
		{
			"a page that is not deleted has exactly one current slug, its own",
			`SELECT p.id FROM pages p WHERE p.deleted_at IS NULL AND 1 <> (
				SELECT COUNT(*) FROM slugs s WHERE s.page_id = p.id AND s.state = 'current' AND s.slug = p.slug)`,
		},
		{
			"a current slug is that of a page that is not deleted",
			`SELECT s.slug FROM slugs s JOIN pages p ON p.id = s.page_id
				WHERE s.state = 'current' AND (p.deleted_at IS NOT NULL OR p.slug <> s.slug)`,
		},
		{
			"a slug is released exactly when its page is deleted",
			`SELECT s.slug FROM slugs s JOIN pages p ON p.id = s.page_id
				WHERE (s.state = 'released') <> (p.deleted_at IS NOT NULL)`,
		},
		{
			"the revisions of a page are numbered from 1 to the page's own",
			`SELECT p.id FROM pages p WHERE p.revision <> (SELECT COALESCE(MAX(r.number), 0) FROM revisions r WHERE r.page_id = p.id)
				OR p.revision <> (SELECT COUNT(*) FROM revisions r WHERE r.page_id = p.id)`,
		},
		{
			"a page has the title, slug and front matter of its newest revision",
			`SELECT p.id FROM pages p JOIN revisions r ON r.page_id = p.id AND r.number = p.revision
				WHERE p.title <> r.title OR p.slug <> r.slug OR p.frontmatter <> r.frontmatter`,
		},
		{
			"what a published page shows is public",
			`SELECT p.id FROM pages p JOIN revisions r ON r.page_id = p.id AND r.number = p.revision
				WHERE p.status = 'published' AND NOT (r.public AND p.was_public)`,
		},
		{
			"the version of a page is at least its revision",
			`SELECT p.id FROM pages p WHERE p.version < p.revision`,
		},
		{
			"the parent of a page is not deleted",
			`SELECT p.id FROM pages p JOIN pages parent ON parent.id = p.parent_id
				WHERE p.deleted_at IS NULL AND parent.deleted_at IS NOT NULL`,
		},
		{
			fmt.Sprintf("a page is reached from a root page within %d levels", octavo.MaxDepth),
			fmt.Sprintf(`WITH RECURSIVE tree (id, depth) AS (
				SELECT p.id, 1 FROM pages p WHERE p.parent_id IS NULL AND p.deleted_at IS NULL
				UNION ALL
				SELECT p.id, tree.depth + 1 FROM pages p JOIN tree ON p.parent_id = tree.id
				WHERE p.deleted_at IS NULL AND tree.depth < %d
			) SELECT p.id FROM pages p WHERE p.deleted_at IS NULL AND p.id NOT IN (SELECT id FROM tree)`, octavo.MaxDepth),
		},
		{
			"only pages that are not deleted have links",
			`SELECT DISTINCT p.id FROM pages p JOIN page_links l ON l.page_id = p.id WHERE p.deleted_at IS NOT NULL`,
		},
		{
			"only pages that are not deleted have tags",
			`SELECT DISTINCT p.id FROM pages p JOIN page_tags t ON t.page_id = p.id WHERE p.deleted_at IS NOT NULL`,
		},
		{
			"the tags of a page are sorted by what the page has",
			`SELECT DISTINCT p.id FROM pages p JOIN page_tags t ON t.page_id = p.id
				WHERE t.title <> p.title OR t.status <> p.status OR t.updated_at <> p.updated_at`,
		},
		{
			// An hour is left for clocks that differ.
			"the newest change of a page has the page's version, unless it was removed for its age",
			`SELECT p.id FROM pages p, change_retention r WHERE p.version <> COALESCE(
				(SELECT MAX(c.version) FROM changes c WHERE c.subject = p.id),
				CASE WHEN r.removed = 0 OR p.updated_at > r.cutoff + 3600000 THEN 0 ELSE p.version END)`,
		},
		{
			"only pages that are not deleted have assets",
			`SELECT DISTINCT p.id FROM pages p JOIN page_assets u ON u.page_id = p.id WHERE p.deleted_at IS NOT NULL`,
		},
		{
			"a blob counts the assets that have it, of which there is one at least",
			`SELECT b.key FROM blobs b WHERE b.uses < 1 OR b.uses <> (SELECT COUNT(*) FROM assets a WHERE a.hash = b.hash)`,
		},
		{
			"the bytes of an asset are counted",
			`SELECT a.id FROM assets a WHERE NOT EXISTS (SELECT 1 FROM blobs b WHERE b.hash = a.hash)`,
		},
		{
			"an asset is found under its key, and under its path",
			`SELECT a.id FROM assets a WHERE CASE WHEN a.source = '' THEN 1 ELSE 2 END <> (
				SELECT COUNT(*) FROM asset_targets t WHERE t.asset_id = a.id AND t.target IN ('/' || a.key, a.source))`,
		},
		{
			"of the deliveries of a lane that are pending one is due",
			`SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND d.ready_at IS NULL AND NOT EXISTS (
				SELECT 1 FROM deliveries f WHERE f.lane = d.lane AND f.target = d.target AND f.ready_at IS NOT NULL)`,
		},
		{
			"a delivery that is due is pending",
			`SELECT d.id FROM deliveries d WHERE d.ready_at IS NOT NULL AND d.status <> 'pending'`,
		},
		{
			"an export is to be worked on exactly until it has ended",
			`SELECT x.id FROM exports x WHERE (x.ready_at IS NULL) <> (x.status IN ('ready', 'failed')) OR (x.ready_at IS NULL) <> (x.ended_at IS NOT NULL)`,
		},
		{
			"an export that has ended holds no pages any more, and has its event",
			`SELECT x.id FROM exports x WHERE x.ready_at IS NULL AND (x.event_id = '' OR EXISTS (SELECT 1 FROM export_parts p WHERE p.export_id = x.id))`,
		},
		{
			"a change was public when its page was published",
			`SELECT c.event_id FROM changes c WHERE c.kind = 'page.published' AND NOT c.public`,
		},
	}
}

// Check looks for everything that can be inconsistent, in the files of the
// database too where it can tell, and returns what it found. It reads the
// whole store; what is being written meanwhile does not disturb it.
func Check(ctx context.Context, db *sqldb.DB) ([]Finding, error) {
	var findings []Finding
	damage, err := db.Damage(ctx)
	if err != nil {
		damage = append(damage, err.Error())
	}
	for _, text := range damage {
		findings = append(findings, Finding{"the database file is sound", text, mendFile})
	}
	for _, c := range []struct {
		rule  string
		check func(context.Context, *sqldb.DB) ([]Finding, error)
	}{{ruleSchema, checkSchema}, {ruleOneRow, checkLog}, {ruleAhead, checkAhead}, {ruleSigns, checkSigns}} {
		found, err := c.check(ctx, db)
		if findings = append(findings, found...); err != nil {
			findings = append(findings, unchecked(c.rule, err))
		}
	}
	for _, r := range rules() {
		subjects, err := column[string](ctx, db, r.query)
		if ctx.Err() != nil {
			return findings, fmt.Errorf("check that %s: %w", r.text, err)
		}
		if err != nil {
			findings = append(findings, unchecked(r.text, err))
		}
		for _, subject := range subjects {
			findings = append(findings, Finding{r.text, subject, mendRule})
		}
	}
	return findings, nil
}

// unchecked is a finding like any other: the rest can still be looked at.
func unchecked(rule string, err error) Finding {
	return Finding{rule, "this could not be checked: " + err.Error(), mendRule}
}
