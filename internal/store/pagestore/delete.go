package pagestore

import (
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// KeepDeleted is how long a deleted page can be restored (decision 10).
const KeepDeleted = 30 * 24 * time.Hour

// Delete deletes a page so that it can be restored for a time. The policy
// says what becomes of its children; match is asked about the page only.
func (s *Pages) Delete(tx *sqldb.Tx, id octavo.ID, policy ChildrenPolicy, match sqldb.IfMatch) error {
	if err := lockTree(tx); err != nil {
		return err
	}
	page, err := load(tx, id)
	if err != nil {
		return err
	}
	if err := check(match, &page.Page); err != nil {
		return err
	}
	switch policy {
	case ChildrenCascade:
		err = deleteBelow(tx, id)
	case ChildrenReparent:
		err = s.reparent(tx, page)
	default:
		err = refuseChildren(tx, id)
	}
	if err != nil {
		return err
	}
	return remove(tx, page)
}

// remove marks one page, which has no children, as deleted.
func remove(tx *sqldb.Tx, page *pageRow) error {
	page.Version++
	page.UpdatedAt = tx.After(page.UpdatedAt)
	if _, err := tx.Exec(`UPDATE pages SET deleted_at = $2, version = $3, updated_at = $4 WHERE id = $1`,
		page.ID, tx.Now().UnixMilli(), page.Version, page.UpdatedAt.UnixMilli()); err != nil {
		return fmt.Errorf("delete page %s: %w", page.ID, err)
	}
	if err := releaseSlugs(tx, page.ID); err != nil {
		return err
	}
	if err := deleteDerived(tx, page.ID); err != nil {
		return err
	}
	return record(tx, octavo.PageDeleted, page)
}

func refuseChildren(tx *sqldb.Tx, id octavo.ID) error {
	children, err := children(tx, id)
	if err != nil || len(children) == 0 {
		return err
	}
	return octavo.Errorf(octavo.Conflict,
		"Page %s has children (%d). Say children=cascade to delete them too, or children=reparent to move them up.", id, len(children))
}

func deleteBelow(tx *sqldb.Tx, id octavo.ID) error {
	ids, err := below(tx, id)
	if err != nil {
		return err
	}
	for _, id := range ids {
		page, err := load(tx, id)
		if err != nil {
			return err
		}
		if err := remove(tx, page); err != nil {
			return err
		}
	}
	return nil
}

// reparent moves the children of page to its parent.
func (s *Pages) reparent(tx *sqldb.Tx, page *pageRow) error {
	ids, err := children(tx, page.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := s.Update(tx, id, Change{ParentID: &page.ParentID}, nil); err != nil {
			return err
		}
	}
	return nil
}
