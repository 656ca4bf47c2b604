package pagestore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// KeepDeleted is how long a deleted page can be restored (decision 10).
const KeepDeleted = 30 * 24 * time.Hour

// Delete deletes a page, which can be restored for a time. The policy
// decides about its children; match is checked only for the page.
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
	if live(page) {
		if err := tx.NeedsReview(page.ID); err != nil {
			return err
		}
	}
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
		"Page %s has children (%d). Set children=cascade to delete them too, or children=reparent to move them up.", id, len(children))
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

const purgeStatement = `SELECT p.id FROM pages p WHERE p.deleted_at <= $1 ORDER BY p.deleted_at`

// Sweep purges the pages that were deleted longer ago than [KeepDeleted],
// each in a separate transaction, and returns their number.
func (s *Pages) Sweep(ctx context.Context, actor octavo.Actor) (purged int, err error) {
	cutoff := s.db.Now().Add(-KeepDeleted).UnixMilli()
	ids, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], purgeStatement, cutoff)
	if err != nil {
		return 0, fmt.Errorf("find pages to purge: %w", err)
	}
	for _, id := range ids {
		var done bool
		err := s.db.Write(ctx, sqldb.Cause{Actor: actor}, func(tx *sqldb.Tx) error {
			done = false
			page, err := loadWhere(tx, id, "p.deleted_at <= $2", cutoff)
			if err != nil {
				return gone(err)
			}
			done = true
			return purge(tx, page)
		})
		if err != nil {
			return purged, fmt.Errorf("purge page %s: %w", id, err)
		}
		if done {
			purged++
		}
	}
	return purged, nil
}

// Purge removes a page permanently, deleted or not, with page.purged in the audit log.
// The policy decides about the children of a page that is not deleted.
func (s *Pages) Purge(tx *sqldb.Tx, id octavo.ID, policy ChildrenPolicy, match sqldb.IfMatch) error {
	if err := s.Delete(tx, id, policy, match); err != nil && !octavo.IsType(err, octavo.NotFound) {
		return err
	}
	page, err := loadWhere(tx, id, "p.deleted_at IS NOT NULL")
	if err != nil {
		return err
	}
	if err := purge(tx, page); err != nil {
		return err
	}
	if err := tx.ForgetAnswers(string(id)); err != nil {
		return err
	}
	return tx.Audit(octavo.AuditEntry{Action: octavo.PageRemoved, Subject: string(id), Detail: map[string]any{"slug": page.Slug}})
}

// purge removes a deleted page permanently, with its rows elsewhere, and its
// text from proposals and feedback.
func purge(tx *sqldb.Tx, page *pageRow) error {
	if err := proposalstore.Blank(tx, page.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM changes WHERE subject = $1`, page.ID); err != nil {
		return fmt.Errorf("remove its changes: %w", err)
	}
	if _, err := tx.Exec(`DELETE FROM pages WHERE id = $1`, page.ID); err != nil {
		return fmt.Errorf("remove it: %w", err)
	}
	page.Version++
	return record(tx, octavo.PagePurged, page)
}

// Restore restores a deleted page: under its parent if that exists and has room below
// it, otherwise as a root page. A page that was deleted too long ago, or not at all, is
// NotFound. If another page has its slug, the error is SlugTaken.
func (s *Pages) Restore(tx *sqldb.Tx, id octavo.ID) (octavo.Page, error) {
	if err := lockTree(tx); err != nil {
		return octavo.Page{}, err
	}
	page, err := loadWhere(tx, id, "p.deleted_at > $2", tx.Now().Add(-KeepDeleted).UnixMilli())
	if octavo.IsType(err, octavo.NotFound) {
		err = octavo.Errorf(octavo.NotFound, "There is no deleted page %q.", id) // it may exist without being deleted
	}
	if err != nil {
		return octavo.Page{}, err
	}
	if err := checkParent(tx, id, page.ParentID); err != nil {
		if !octavo.IsType(err, octavo.InvalidRequest) {
			return octavo.Page{}, err
		}
		page.ParentID = ""
	}
	if err := reclaimSlugs(tx, id, page.Slug); err != nil {
		return octavo.Page{}, err
	}
	if live(page) {
		if err := tx.NeedsReview(id); err != nil {
			return octavo.Page{}, err
		}
	}
	page.Version++
	page.UpdatedAt = tx.After(page.UpdatedAt)
	// Times that passed while the page was deleted have no effect.
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
