package pagestore

import (
	"bytes"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Update changes a page. A change without effect keeps the version and causes no event.
func (s *Pages) Update(tx *sqldb.Tx, id octavo.ID, change Change, match sqldb.IfMatch) (octavo.Page, error) {
	if change.ParentID != nil {
		// Before the page's own lock, as in all code that takes both.
		if err := lockTree(tx); err != nil {
			return octavo.Page{}, err
		}
	}
	old, err := load(tx, id)
	if err != nil {
		return octavo.Page{}, err
	}
	if err := check(match, &old.Page); err != nil {
		return octavo.Page{}, err
	}
	page := change.apply(*old)
	if err := s.save(tx, old, &page); err != nil {
		return octavo.Page{}, err
	}
	added, err := addFormerSlugs(tx, &page, change.FormerSlugs)
	if err == nil && added && page.Version == old.Version { // nothing else notifies followers of names
		err = s.saveAs(tx, old, &page, difference{named: true})
	}
	if err == nil {
		err = keepImported(tx, &page, change.Imported)
	}
	if err != nil {
		return octavo.Page{}, err
	}
	return page.Page, nil
}

func check(match sqldb.IfMatch, p *octavo.Page) error {
	if match != nil && !match(p.ID, p.Version) {
		return octavo.Errorf(octavo.PreconditionFailed, "Page %s has changed since it was read.", p.ID)
	}
	return nil
}

// apply returns the page with the change.
func (c Change) apply(p pageRow) pageRow {
	set(&p.Title, c.Title)
	set(&p.Slug, c.Slug)
	set(&p.Content, c.Content)
	set(&p.Status, c.Status)
	set(&p.ParentID, c.ParentID)
	if c.Frontmatter != nil && !bytes.Equal(p.Frontmatter, *c.Frontmatter) {
		p.Frontmatter = *c.Frontmatter
		p.rawFront = nil // it no longer means the same (decision 57)
	}
	set(&p.rawFront, c.RawFront)
	if c.Position != nil {
		p.Position = c.Position.Value
	}
	if c.Publish != nil {
		p.PublishAt = stored(c.Publish.Value)
	}
	if c.Unpublish != nil {
		p.UnpublishAt = stored(c.Unpublish.Value)
	}
	if c.Path != nil {
		p.Source = sqldb.Plain(*c.Path)
	}
	if c.ImportSet != nil {
		p.ImportSet = sqldb.Plain(*c.ImportSet)
	}
	set(&p.imported, c.Language)
	set(&p.Dialect, c.Dialect)
	return p
}

func set[T any](dest *T, value *T) {
	if value != nil {
		*dest = *value
	}
}

// stored is a time as it would be read back.
func stored(t *time.Time) *time.Time { return sqldb.OptMoment(sqldb.Millis(t)) }

// difference says which parts of two states of a page differ.
type difference struct {
	revised bool // content, title, slug, front matter: needs a revision
	derived bool // inputs of derived data
	moved   bool // the parent
	placed  bool // position among siblings, path of the file, its set, language and dialect
	timed   bool // the schedule
	status  bool
	named   bool // the former slugs, which compare does not see
}

func compare(a, b *pageRow) difference {
	text := a.Content != b.Content || a.Slug != b.Slug || !bytes.Equal(a.Frontmatter, b.Frontmatter)
	return difference{
		revised: text || a.Title != b.Title || !bytes.Equal(a.rawFront, b.rawFront),
		derived: text || a.Source != b.Source || a.Dialect != b.Dialect,
		moved:   a.ParentID != b.ParentID,
		placed:  !same(a.Position, b.Position) || a.Source != b.Source || a.ImportSet != b.ImportSet || a.imported != b.imported || a.Dialect != b.Dialect,
		timed:   !same(sqldb.Millis(a.PublishAt), sqldb.Millis(b.PublishAt)) || !same(sqldb.Millis(a.UnpublishAt), sqldb.Millis(b.UnpublishAt)),
		status:  a.Status != b.Status,
	}
}

func same(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// save stores page, a changed copy of old: it checks the rules, raises the version and
// writes the page, a revision if needed, derived data and events.
func (s *Pages) save(tx *sqldb.Tx, old, page *pageRow) error {
	if d := compare(old, page); d != (difference{}) {
		return s.saveAs(tx, old, page, d)
	}
	return nil
}

// saveAs is save with a known difference.
func (s *Pages) saveAs(tx *sqldb.Tx, old, page *pageRow, d difference) error {
	if (live(old) || live(page)) && (d.revised || d.derived || d.moved || d.timed || d.status || d.named) {
		if err := tx.NeedsReview(page.ID); err != nil {
			return err
		}
	}
	page.Version++
	page.Language = octavo.PageLanguage(page.Frontmatter, page.imported)
	page.UpdatedAt = tx.After(old.UpdatedAt)
	page.wasPublic = old.wasPublic || page.Status == octavo.Published
	if d.moved {
		if err := checkParent(tx, page.ID, page.ParentID); err != nil {
			return err
		}
	}
	if page.Slug != old.Slug {
		if err := changeSlug(tx, page.ID, old.Slug, page.Slug); err != nil {
			return err
		}
	}
	if old.Status == octavo.Published && (page.Source != old.Source || page.Status != octavo.Published) {
		if err := keepPath(tx, page.ID); err != nil {
			return err
		}
	}
	rederive := resort
	if d.derived {
		rederive = s.rederive
	}
	if err := rederive(tx, page); err != nil {
		return err
	}
	if err := saveRevision(tx, page, d); err != nil {
		return err
	}
	if err := updateRow(tx, page); err != nil {
		return err
	}
	return recordChange(tx, old, page, d)
}

// live reports whether a page is published, or scheduled to be.
func live(p *pageRow) bool { return p.Status == octavo.Published || p.PublishAt != nil }

func updateRow(tx *sqldb.Tx, p *pageRow) error {
	if _, err := tx.Exec(`UPDATE pages SET slug = $2, title = $3, status = $4, parent_id = $5, position = $6,
			version = $7, revision = $8, was_public = $9, updated_at = $10, publish_at = $11, unpublish_at = $12,
			path = $13, frontmatter = $14, links = $15, import_set = $16, language = $17, spoken = $18, dialect = $19
		WHERE id = $1`,
		p.ID, p.Slug, p.Title, p.Status, sqldb.Null(p.ParentID), p.Position,
		p.Version, p.Revision, p.wasPublic, p.UpdatedAt.UnixMilli(), sqldb.Millis(p.PublishAt), sqldb.Millis(p.UnpublishAt),
		p.Source, string(p.Frontmatter), string(p.Links), p.ImportSet, p.imported, p.spoken(), string(p.Dialect)); err != nil {
		return fmt.Errorf("update page %s: %w", p.ID, err)
	}
	return nil
}

// recordChange records the events of a change. A change of only the status,
// with or without its schedule, has its own event and no update event.
func recordChange(tx *sqldb.Tx, old, page *pageRow, d difference) error {
	kind := octavo.PageUpdated
	switch {
	case !d.status:
	case page.Status == octavo.Published:
		kind = octavo.PagePublished
	case page.Status == octavo.Archived:
		kind = octavo.PageArchived
	case old.Status == octavo.Published:
		kind = octavo.PageUnpublished
	}
	if kind != octavo.PageUpdated && (d.revised || d.moved || d.placed) {
		if err := record(tx, octavo.PageUpdated, page); err != nil {
			return err
		}
	}
	return record(tx, kind, page)
}
