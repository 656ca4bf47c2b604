package pagestore

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const purgeStatement = `SELECT p.id FROM pages p WHERE p.deleted_at <= $1 ORDER BY p.deleted_at`

// Sweep removes the pages that were deleted longer ago than [KeepDeleted] for good,
// each in a transaction of its own, and returns how many.
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

// purge removes a deleted page for good. Its rows elsewhere go with it.
func purge(tx *sqldb.Tx, page *pageRow) error {
	if _, err := tx.Exec(`DELETE FROM changes WHERE subject = $1`, page.ID); err != nil {
		return fmt.Errorf("remove its changes: %w", err)
	}
	if _, err := tx.Exec(`DELETE FROM pages WHERE id = $1`, page.ID); err != nil {
		return fmt.Errorf("remove it: %w", err)
	}
	page.Version++
	return record(tx, octavo.PagePurged, page)
}
