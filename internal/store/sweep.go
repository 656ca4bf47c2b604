package store

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
)

const purgeStatement = `SELECT p.id FROM pages p WHERE p.deleted_at <= $1 ORDER BY p.deleted_at`

// Sweep removes what is kept for a time only: pages that were deleted longer
// ago than KeepDeleted, with everything of them but a page.purged change,
// changes older than Options.KeepChanges, whether followers have read them or
// not, and what became of their deliveries, exports that ended as long ago, answers to requests older than IdempotencyTTL, quotas whose window has
// ended, what the audit log and rotated keys had for a time, and sessions,
// grants and links that have expired. It returns how many pages it removed.
// Several processes may sweep at once.
func (s *Store) Sweep(ctx context.Context, actor octavo.Actor) (purged int, err error) {
	// Nothing that is removed here may still wait for its position: whoever
	// gives it that would wait for the removal.
	if _, err := s.LastPosition(ctx); err != nil {
		return 0, err
	}
	cutoff := s.now().Add(-KeepDeleted).UnixMilli()
	ids, err := collect(ctx, s.read, column[octavo.ID], purgeStatement, cutoff)
	if err != nil {
		return 0, fmt.Errorf("find pages to purge: %w", err)
	}
	for _, id := range ids {
		var done bool
		err := s.write(ctx, Cause{Actor: actor}, func(tx *Tx) error {
			done = false
			page, err := tx.loadWhere(id, "p.deleted_at <= $2", cutoff)
			if err != nil {
				return gone(err)
			}
			done = true
			return tx.purge(page)
		})
		if err != nil {
			return purged, fmt.Errorf("purge page %s: %w", id, err)
		}
		if done {
			purged++
		}
	}
	if err := s.removeChanges(ctx); err != nil {
		return purged, err
	}
	if err := s.removeDeliveries(ctx); err != nil {
		return purged, err
	}
	if err := s.removeExports(ctx); err != nil {
		return purged, err
	}
	if q, ok := s.Quotas().(sharedQuotas); ok {
		if err := q.sweep(ctx); err != nil {
			return purged, err
		}
	}
	if err := s.removeAudit(ctx); err != nil {
		return purged, err
	}
	if err := s.removeFormerSecrets(ctx); err != nil {
		return purged, err
	}
	if err := s.cutHold(ctx); err != nil {
		return purged, err
	}
	return purged, s.write(ctx, Cause{}, func(tx *Tx) error {
		_, err := tx.exec(`DELETE FROM idempotency WHERE created_at <= $1`, tx.now.Add(-IdempotencyTTL).UnixMilli())
		if err != nil {
			return fmt.Errorf("remove old idempotency keys: %w", err)
		}
		return tx.sweepCredentials()
	})
}

// purge removes a deleted page for good. Its rows elsewhere go with it.
func (tx *Tx) purge(page *pageRow) error {
	if _, err := tx.exec(`DELETE FROM changes WHERE subject = $1`, page.ID); err != nil {
		return fmt.Errorf("remove its changes: %w", err)
	}
	if _, err := tx.exec(`DELETE FROM pages WHERE id = $1`, page.ID); err != nil {
		return fmt.Errorf("remove it: %w", err)
	}
	page.Version++
	return tx.record(octavo.PagePurged, page)
}
