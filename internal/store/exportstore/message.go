package exportstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// claimMessagesStatement expects the lease and the limit in a before it.
func claimMessagesStatement(a *sqldb.Args, now time.Time, w sqldb.Waits, lock string) string {
	return `UPDATE export_channels SET ready_at = ` + a.Add(now.Add(w.Lease).UnixMilli()) + `, lease = $1, attempt = attempt + 1
		WHERE (export_id, number) IN (SELECT d.export_id, d.number FROM export_channels d WHERE d.ready_at IS NOT NULL AND ` + w.Due(a, now) + `
			ORDER BY d.ready_at, d.export_id, d.number LIMIT $2` + lock + `)
		RETURNING ` + strings.ReplaceAll(channelColumns, "c.", "")
}

// ClaimMessages leases at most limit due messages about exports, for
// w.Lease. lease is drawn for this call, by [sqldb.DrawLease].
func (s *Exports) ClaimMessages(ctx context.Context, lease int64, w sqldb.Waits, limit int) (list []Channel, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		a := sqldb.Args{lease, limit}
		list, err = sqldb.Collect(tx.Context(), tx.Conn(), scanChannel, claimMessagesStatement(&a, tx.Now(), w, s.db.SkipLocked()), a...)
		if err != nil {
			return fmt.Errorf("claim messages: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err // its claims were rolled back
	}
	return list, nil
}

// ReleaseMessage returns a claimed message unchanged: it is due at once.
func (s *Exports) ReleaseMessage(ctx context.Context, c Channel) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`UPDATE export_channels SET ready_at = $4, lease = 0, attempt = attempt - 1 WHERE export_id = $1 AND number = $2 AND lease = $3`,
			c.ExportID, c.Number, c.Lease, tx.Now().UnixMilli()); err != nil {
			return fmt.Errorf("give back message %d of export %s: %w", c.Number, c.ExportID, err)
		}
		return nil
	})
}

// MessageOutcome is the result of a claimed message.
type MessageOutcome struct {
	Channel    Channel // as it was claimed
	Status     octavo.DeliveryStatus
	RetryAfter time.Duration // until the next attempt, with DeliveryPending
	Error      string
}

// FinishMessage ends the lease of a message and stores the result. It
// ignores a message whose lease has been lost.
func (s *Exports) FinishMessage(ctx context.Context, o MessageOutcome) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		c := o.Channel
		var ready *int64
		if o.Status == octavo.DeliveryPending {
			at := tx.Now().Add(o.RetryAfter).UnixMilli() // by the same clock as claims
			ready = &at
		}
		if _, err := tx.Exec(`UPDATE export_channels SET status = $4, ready_at = $5, lease = 0, error = $6 WHERE export_id = $1 AND number = $2 AND lease = $3`,
			c.ExportID, c.Number, c.Lease, o.Status, ready, sqldb.Plain(o.Error)); err != nil {
			return fmt.Errorf("finish message %d of export %s: %w", c.Number, c.ExportID, err)
		}
		return nil
	})
}
