package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// claimMessagesStatement follows the lease and the limit in a.
func claimMessagesStatement(a *args, now time.Time, w Waits, lock string) string {
	return `UPDATE export_channels SET ready_at = ` + a.add(now.Add(w.Lease).UnixMilli()) + `, lease = $1, attempt = attempt + 1
		WHERE (export_id, number) IN (SELECT d.export_id, d.number FROM export_channels d WHERE d.ready_at IS NOT NULL AND ` + w.due(a, now) + `
			ORDER BY d.ready_at, d.export_id, d.number LIMIT $2` + lock + `)
		RETURNING ` + strings.ReplaceAll(channelColumns, "c.", "")
}

// ClaimMessages takes at most limit messages about exports that are due, and
// leases them for w.Lease. lease is drawn for this call, by [DrawLease].
func (s *Store) ClaimMessages(ctx context.Context, lease int64, w Waits, limit int) (list []ExportChannel, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) error {
		a := args{lease, limit}
		list, err = collect(tx.ctx, tx.c, scanChannel, claimMessagesStatement(&a, tx.now, w, s.db.skipLocked()), a...)
		if err != nil {
			return fmt.Errorf("claim messages: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err // what it claimed was undone
	}
	return list, nil
}

// ReleaseMessage gives a message back that was claimed, as if it had not been: it
// is due at once.
func (s *Store) ReleaseMessage(ctx context.Context, c ExportChannel) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		if _, err := tx.exec(`UPDATE export_channels SET ready_at = $4, lease = 0, attempt = attempt - 1 WHERE export_id = $1 AND number = $2 AND lease = $3`,
			c.ExportID, c.Number, c.Lease, tx.now.UnixMilli()); err != nil {
			return fmt.Errorf("give back message %d of export %s: %w", c.Number, c.ExportID, err)
		}
		return nil
	})
}

// MessageOutcome is what became of a claimed message.
type MessageOutcome struct {
	Channel    ExportChannel // as it was claimed
	Status     octavo.DeliveryStatus
	RetryAfter time.Duration // until the next try, with DeliveryPending
	Error      string
}

// FinishMessage ends the lease of a message with what became of it. One whose
// lease has passed to somebody else is left to them.
func (s *Store) FinishMessage(ctx context.Context, o MessageOutcome) error {
	return s.write(ctx, Cause{}, func(tx *Tx) error {
		c := o.Channel
		var ready *int64
		if o.Status == octavo.DeliveryPending {
			at := tx.now.Add(o.RetryAfter).UnixMilli() // a time of the clock that it is claimed by
			ready = &at
		}
		if _, err := tx.exec(`UPDATE export_channels SET status = $4, ready_at = $5, lease = 0, error = $6 WHERE export_id = $1 AND number = $2 AND lease = $3`,
			c.ExportID, c.Number, c.Lease, o.Status, ready, plain(o.Error)); err != nil {
			return fmt.Errorf("finish message %d of export %s: %w", c.Number, c.ExportID, err)
		}
		return nil
	})
}
