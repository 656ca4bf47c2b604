package store

import (
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// RestorePage brings a deleted page back, under its parent while that is
// there and has room below it, else as a root page. One that was deleted too
// long ago, or not at all, is NotFound; when another page has its slug the
// error is SlugTaken.
func (tx *Tx) RestorePage(id octavo.ID) (octavo.Page, error) {
	if err := tx.lockTree(); err != nil {
		return octavo.Page{}, err
	}
	page, err := tx.loadWhere(id, "p.deleted_at > $2", tx.now.Add(-KeepDeleted).UnixMilli())
	var e *octavo.Error
	if errors.As(err, &e) && e.Type == octavo.NotFound {
		err = octavo.Errorf(octavo.NotFound, "There is no deleted page %q.", id) // there may be one that is not deleted
	}
	if err != nil {
		return octavo.Page{}, err
	}
	if err := tx.checkParent(id, page.ParentID); err != nil {
		if !errors.As(err, &e) || e.Type != octavo.InvalidRequest {
			return octavo.Page{}, err
		}
		page.ParentID = ""
	}
	if err := tx.reclaimSlugs(id, page.Slug); err != nil {
		return octavo.Page{}, err
	}
	page.Version++
	page.UpdatedAt = tx.after(page.UpdatedAt)
	// What was due while the page was away is not made up for.
	if page.PublishAt != nil && !page.PublishAt.After(tx.now) {
		page.PublishAt = nil
	}
	if page.UnpublishAt != nil && !page.UnpublishAt.After(tx.now) {
		page.UnpublishAt = nil
	}
	if err := tx.rederive(page); err != nil {
		return octavo.Page{}, err
	}
	if err := tx.updateRow(page); err != nil {
		return octavo.Page{}, err
	}
	if _, err := tx.exec(`UPDATE pages SET deleted_at = NULL WHERE id = $1`, id); err != nil {
		return octavo.Page{}, fmt.Errorf("restore page %s: %w", id, err)
	}
	if err := tx.record(octavo.PageRestored, page); err != nil {
		return octavo.Page{}, err
	}
	if page.Status == octavo.Published {
		if err := tx.record(octavo.PagePublished, page); err != nil {
			return octavo.Page{}, err
		}
	}
	return page.Page, nil
}
