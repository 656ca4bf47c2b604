package store

import (
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// KeepDeleted is how long a deleted page can be restored (decision 10).
const KeepDeleted = 30 * 24 * time.Hour

// DeletePage deletes a page so that it can be restored for a time. The policy
// says what becomes of its children; match is asked about the page only.
func (tx *Tx) DeletePage(id octavo.ID, policy ChildrenPolicy, match IfMatch) error {
	if err := tx.lockTree(); err != nil {
		return err
	}
	page, err := tx.load(id)
	if err != nil {
		return err
	}
	if err := match.check(&page.Page); err != nil {
		return err
	}
	switch policy {
	case ChildrenCascade:
		err = tx.deleteBelow(id)
	case ChildrenReparent:
		err = tx.reparent(page)
	default:
		err = tx.refuseChildren(id)
	}
	if err != nil {
		return err
	}
	return tx.delete(page)
}

// delete marks one page, which has no children, as deleted.
func (tx *Tx) delete(page *pageRow) error {
	page.Version++
	page.UpdatedAt = tx.after(page.UpdatedAt)
	if _, err := tx.exec(`UPDATE pages SET deleted_at = $2, version = $3, updated_at = $4 WHERE id = $1`,
		page.ID, tx.now.UnixMilli(), page.Version, page.UpdatedAt.UnixMilli()); err != nil {
		return fmt.Errorf("delete page %s: %w", page.ID, err)
	}
	if err := tx.releaseSlugs(page.ID); err != nil {
		return err
	}
	if err := tx.deleteDerived(page.ID); err != nil {
		return err
	}
	return tx.record(octavo.PageDeleted, page)
}

func (tx *Tx) refuseChildren(id octavo.ID) error {
	children, err := tx.children(id)
	if err != nil || len(children) == 0 {
		return err
	}
	return octavo.Errorf(octavo.Conflict,
		"Page %s has children (%d). Say children=cascade to delete them too, or children=reparent to move them up.", id, len(children))
}

func (tx *Tx) deleteBelow(id octavo.ID) error {
	ids, err := tx.below(id)
	if err != nil {
		return err
	}
	for _, id := range ids {
		page, err := tx.load(id)
		if err != nil {
			return err
		}
		if err := tx.delete(page); err != nil {
			return err
		}
	}
	return nil
}

// reparent moves the children of page to its parent.
func (tx *Tx) reparent(page *pageRow) error {
	ids, err := tx.children(page.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := tx.UpdatePage(id, PageChange{ParentID: &page.ParentID}, nil); err != nil {
			return err
		}
	}
	return nil
}
