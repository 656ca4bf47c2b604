package pagestore

import (
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Restore brings a deleted page back, under its parent while that is
// there and has room below it, else as a root page. One that was deleted too
// long ago, or not at all, is NotFound; when another page has its slug the
// error is SlugTaken.
func (s *Pages) Restore(tx *sqldb.Tx, id octavo.ID) (octavo.Page, error) {
	if err := lockTree(tx); err != nil {
		return octavo.Page{}, err
	}
	page, err := loadWhere(tx, id, "p.deleted_at > $2", tx.Now().Add(-KeepDeleted).UnixMilli())
	var e *octavo.Error
	if errors.As(err, &e) && e.Type == octavo.NotFound {
		err = octavo.Errorf(octavo.NotFound, "There is no deleted page %q.", id) // there may be one that is not deleted
	}
	if err != nil {
		return octavo.Page{}, err
	}
	if err := checkParent(tx, id, page.ParentID); err != nil {
		if !errors.As(err, &e) || e.Type != octavo.InvalidRequest {
			return octavo.Page{}, err
		}
		page.ParentID = ""
	}
	if err := reclaimSlugs(tx, id, page.Slug); err != nil {
		return octavo.Page{}, err
	}
	page.Version++
	page.UpdatedAt = tx.After(page.UpdatedAt)
	// What was due while the page was away is not made up for.
	if page.PublishAt != nil && !page.PublishAt.After(tx.Now()) {
		page.PublishAt = nil
	}
	if page.UnpublishAt != nil && !page.UnpublishAt.After(tx.Now()) {
		page.UnpublishAt = nil
	}
	if err := s.rederive(tx, page); err != nil {
		return octavo.Page{}, err
	}
	if err := updateRow(tx, page); err != nil {
		return octavo.Page{}, err
	}
	if _, err := tx.Exec(`UPDATE pages SET deleted_at = NULL WHERE id = $1`, id); err != nil {
		return octavo.Page{}, fmt.Errorf("restore page %s: %w", id, err)
	}
	if err := record(tx, octavo.PageRestored, page); err != nil {
		return octavo.Page{}, err
	}
	if page.Status == octavo.Published {
		if err := record(tx, octavo.PagePublished, page); err != nil {
			return octavo.Page{}, err
		}
	}
	return page.Page, nil
}
