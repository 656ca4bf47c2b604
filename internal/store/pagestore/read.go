package pagestore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Get returns a page, or a NotFound error.
func (s *Pages) Get(ctx context.Context, aud octavo.Audience, id octavo.ID) (octavo.Page, error) {
	if !octavo.ValidIdentifier(string(id)) {
		return octavo.Page{}, errNoPage(id)
	}
	return sqldb.One(ctx, s.read, "read page "+string(id), errNoPage(id), func(row sqldb.Scanner) (octavo.Page, error) { return scanPage(row) },
		`SELECT `+pageColumns(aud)+` FROM `+pageTables+` WHERE p.id = $1 AND `+sqldb.Visible(aud, "p"), id)
}

// BySlug returns the page of a slug, and whether it is a former slug of that
// page. Without one, the error is NotFound.
func (s *Pages) BySlug(ctx context.Context, aud octavo.Audience, slug string) (page octavo.Page, former bool, err error) {
	if octavo.CheckSlug(slug) != "" {
		return octavo.Page{}, false, errNoSlug(slug)
	}
	var state string
	scan := func(row sqldb.Scanner) (octavo.Page, error) { return scanPage(row, &state) }
	page, err = sqldb.One(ctx, s.read, "read the page at slug "+slug, errNoSlug(slug), scan,
		`SELECT `+pageColumns(aud)+`, s.state
		FROM slugs s JOIN pages p ON p.id = s.page_id JOIN revisions r ON r.page_id = p.id AND r.number = p.revision
		WHERE s.slug = $1 AND s.state <> 'released' AND `+sqldb.Visible(aud, "p")+` AND `+slugVisible(aud), slug)
	return page, state == slugFormer, err
}

// slugVisible is the condition under which the audience sees slug s of page
// p. A former slug from a time when the page was not public is hidden, like
// its revisions (decision 13). A slug that an import added never belonged to
// a revision, and is public with the page.
func slugVisible(aud octavo.Audience) string {
	if !aud.PublishedOnly {
		return "1 = 1"
	}
	return `(s.state = 'current'
		OR EXISTS (SELECT 1 FROM revisions o WHERE o.page_id = s.page_id AND o.slug = s.slug AND o.public)
		OR NOT EXISTS (SELECT 1 FROM revisions o WHERE o.page_id = s.page_id AND o.slug = s.slug))`
}

func errNoSlug(slug string) error {
	return octavo.Errorf(octavo.NotFound, "No page has the slug %q.", slug)
}

// Load is [Pages.Get] within the transaction.
func (s *Pages) Load(tx *sqldb.Tx, id octavo.ID) (octavo.Page, error) {
	row, err := load(tx, id)
	if err != nil {
		return octavo.Page{}, err
	}
	return row.Page, nil
}

// Children returns the children of each page, by position, those without one
// last, then by creation. At most 1,000 ids, see included.
func (s *Pages) Children(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]octavo.PageSummary, error) {
	ctx, end, err := s.db.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the children of pages: %w", err)
	}
	defer end()
	var a sqldb.Args
	children := map[octavo.ID][]octavo.PageSummary{}
	added := sqldb.NewIncluded(ctx, s.most)
	err = s.read.Query(ctx, func(row sqldb.Scanner) error {
		var parent octavo.ID
		var c octavo.PageSummary
		if err := row.Scan(&parent, &c.ID, &c.Title, &c.Slug, &c.Status); err != nil {
			return err
		}
		children[parent] = append(children[parent], c)
		return added.Add(len(c.Title) + len(c.Slug))
	}, `SELECT p.parent_id, p.id, p.title, p.slug, p.status
		FROM pages p JOIN pages parent ON parent.id = p.parent_id
		WHERE p.parent_id IN `+sqldb.List(&a, ids)+` AND `+sqldb.Visible(aud, "p")+` AND `+sqldb.Visible(aud, "parent")+`
		ORDER BY p.parent_id, p.position IS NULL, p.position, p.id`, a...)
	return children, octavo.Wrapf(err, "read the children of %d pages", len(ids))
}

// RawOf returns the original front matter of pages, for the revisions that
// were read, if it is stored. At most 100 pages.
func (s *Pages) RawOf(ctx context.Context, list []*octavo.Page) (map[octavo.ID]string, error) {
	var a sqldb.Args
	rows := make([]string, len(list))
	for i, p := range list {
		rows[i] = "(" + a.Add(string(p.ID)) + ", CAST(" + a.Add(p.Revision) + " AS BIGINT))"
	}
	raw := map[octavo.ID]string{}
	added := sqldb.NewIncluded(ctx, s.most)
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		var text string
		err := row.Scan(&id, &text)
		raw[id] = text
		return errors.Join(err, added.Add(len(text)))
	}, `SELECT r.page_id, r.raw_front FROM revisions r
		WHERE r.raw_front IS NOT NULL AND (r.page_id, r.number) IN (VALUES `+strings.Join(rows, ", ")+`)`, a...)
	return raw, octavo.Wrapf(err, "read the front matter of %d pages as it was written", len(list))
}

// Authors returns the authors of the revisions of each page that the
// audience may see, by first revision. At most 1,000 ids.
func (s *Pages) Authors(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID][]octavo.Actor, error) {
	var a sqldb.Args
	authors := map[octavo.ID][]octavo.Actor{}
	added := sqldb.NewIncluded(ctx, s.most)
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		var author octavo.Actor
		if err := row.Scan(&id, &author.ID, &author.Name); err != nil {
			return err
		}
		authors[id] = append(authors[id], author)
		return added.Add(len(author.ID) + len(author.Name))
	}, `SELECT f.page_id, f.author_id, r.author_name FROM (
			SELECT r.page_id, r.author_id, MIN(r.number) AS number
			FROM revisions r JOIN pages p ON p.id = r.page_id
			WHERE r.page_id IN `+sqldb.List(&a, ids)+` AND `+sqldb.Visible(aud, "p")+` AND `+visibleRevision(aud)+`
			GROUP BY r.page_id, r.author_id
		) f JOIN revisions r ON r.page_id = f.page_id AND r.number = f.number
		ORDER BY f.page_id, f.number`, a...)
	return authors, octavo.Wrapf(err, "read the authors of %d pages", len(ids))
}
