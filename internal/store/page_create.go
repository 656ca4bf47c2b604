package store

import (
	"fmt"

	"github.com/octavo-docs/octavo"
)

// CreatePage creates a page, its first revision and its events.
func (tx *Tx) CreatePage(n NewPage) (octavo.Page, error) {
	id, err := tx.s.opts.IDs.New(octavo.PrefixPage)
	if err != nil {
		return octavo.Page{}, err
	}
	page := &pageRow{
		Page: octavo.Page{
			ID: id, Title: n.Title, Slug: n.Slug, Status: n.Status, Content: n.Content, Frontmatter: n.Frontmatter,
			ParentID: n.ParentID, Position: n.Position, CreatedAt: tx.now, UpdatedAt: tx.now, Version: 1, Revision: 1,
			Source: plain(n.Path),
		},
		rawFront: n.RawFront,
	}
	if page.Status == "" {
		page.Status = octavo.Draft
	}
	page.wasPublic = page.Status == octavo.Published
	if err := tx.checkParent(id, n.ParentID); err != nil {
		return octavo.Page{}, err
	}
	d := n.Derived
	if d == nil {
		computed := tx.derive(page)
		d = &computed
	}
	page.Links = encodeLinks(d.Links)
	if err := tx.insertPage(page, *d); err != nil {
		return octavo.Page{}, err
	}
	if err := tx.claimSlug(id, n.Slug); err != nil {
		return octavo.Page{}, err
	}
	if _, err := tx.addFormerSlugs(page, n.FormerSlugs); err != nil {
		return octavo.Page{}, err
	}
	if err := tx.addCallback(id, n.CallbackURL); err != nil {
		return octavo.Page{}, err
	}
	if err := tx.record(octavo.PageCreated, page); err != nil {
		return octavo.Page{}, err
	}
	if page.Status == octavo.Published {
		if err := tx.record(octavo.PagePublished, page); err != nil {
			return octavo.Page{}, err
		}
	}
	return page.Page, nil
}

// insertPage writes a new page with its revision and derived rows.
func (tx *Tx) insertPage(p *pageRow, d Derived) error {
	if _, err := tx.exec(`INSERT INTO pages (id, slug, title, status, parent_id, position, version, revision,
			was_public, created_at, updated_at, path, path_key, frontmatter, links)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		p.ID, p.Slug, p.Title, p.Status, null(p.ParentID), p.Position, p.Version, p.Revision,
		p.wasPublic, p.CreatedAt.UnixMilli(), p.UpdatedAt.UnixMilli(), p.Source, indexed(d.PathKey),
		string(p.Frontmatter), string(p.Links)); err != nil {
		return fmt.Errorf("create page %s: %w", p.ID, err)
	}
	if err := tx.insertRevision(p); err != nil {
		return err
	}
	return tx.insertDerived(p, d)
}
