package pagestore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Create creates a page, its first revision and its events.
func (s *Pages) Create(tx *sqldb.Tx, n NewPage) (octavo.Page, error) {
	id, err := tx.NewID(octavo.PrefixPage)
	if err != nil {
		return octavo.Page{}, err
	}
	page := &pageRow{
		Page: octavo.Page{
			ID: id, Title: n.Title, Slug: n.Slug, Status: n.Status, Content: n.Content, Frontmatter: n.Frontmatter,
			ParentID: n.ParentID, Position: n.Position, CreatedAt: tx.Now(), UpdatedAt: tx.Now(), Version: 1, Revision: 1,
			Source: sqldb.Plain(n.Path), ImportSet: sqldb.Plain(n.ImportSet),
		},
		imported: n.Language, rawFront: n.RawFront,
	}
	page.Language = octavo.PageLanguage(page.Frontmatter, page.imported)
	if page.Status == "" {
		page.Status = octavo.Draft
	}
	page.wasPublic = page.Status == octavo.Published
	if page.wasPublic {
		if err := tx.NeedsReview(id); err != nil {
			return octavo.Page{}, err
		}
	}
	if err := checkParent(tx, id, n.ParentID); err != nil {
		return octavo.Page{}, err
	}
	if page.Dialect, err = newDialect(tx, n); err != nil {
		return octavo.Page{}, err
	}
	d := n.Derived
	if d == nil || page.Dialect != n.prepared {
		computed := s.derive(tx, page)
		d = &computed
	}
	page.Links = encodeLinks(d.Links)
	if err := s.insertPage(tx, page, *d); err != nil {
		return octavo.Page{}, err
	}
	if err := claimSlug(tx, id, n.Slug); err != nil {
		return octavo.Page{}, err
	}
	if _, err := addFormerSlugs(tx, page, n.FormerSlugs); err != nil {
		return octavo.Page{}, err
	}
	if err := addCallback(tx, id, n.CallbackURL); err != nil {
		return octavo.Page{}, err
	}
	if err := keepImported(tx, page, n.Imported); err != nil {
		return octavo.Page{}, err
	}
	if err := record(tx, octavo.PageCreated, page); err != nil {
		return octavo.Page{}, err
	}
	if page.Status == octavo.Published {
		if err := record(tx, octavo.PagePublished, page); err != nil {
			return octavo.Page{}, err
		}
	}
	return page.Page, nil
}

// newDialect returns the dialect of a new page: its own, or that of its
// parent, or that of the site.
func newDialect(tx *sqldb.Tx, n NewPage) (d octavo.Dialect, err error) {
	if n.Dialect != nil {
		return *n.Dialect, nil
	}
	_, err = tx.Row([]any{&d}, `SELECT dialect FROM (
			SELECT 1 AS rank, dialect FROM pages WHERE id = $1 UNION ALL SELECT 2, value FROM settings WHERE name = $2
		) d WHERE dialect <> '' ORDER BY rank LIMIT 1`, n.ParentID, sqldb.DialectSetting)
	if err != nil {
		return "", fmt.Errorf("read the dialect for a new page: %w", err)
	}
	return d, nil
}

// insertPage writes a new page with its revision and derived rows.
func (s *Pages) insertPage(tx *sqldb.Tx, p *pageRow, d Derived) error {
	if _, err := tx.Exec(`INSERT INTO pages (id, slug, title, status, parent_id, position, version, revision,
			was_public, created_at, updated_at, path, path_key, frontmatter, links, import_set, language, spoken, dialect, name_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
		p.ID, p.Slug, p.Title, p.Status, sqldb.Null(p.ParentID), p.Position, p.Version, p.Revision,
		p.wasPublic, p.CreatedAt.UnixMilli(), p.UpdatedAt.UnixMilli(), p.Source, sqldb.Indexed(d.PathKey),
		string(p.Frontmatter), string(p.Links), p.ImportSet, p.imported, p.spoken(), string(p.Dialect), sqldb.Indexed(d.NameKey)); err != nil {
		return fmt.Errorf("create page %s: %w", p.ID, err)
	}
	if err := insertRevision(tx, p); err != nil {
		return err
	}
	return s.insertDerived(tx, p, d)
}
