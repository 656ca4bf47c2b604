package hookstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// againLane is the lane of redeliveries. They are ordered among themselves,
// and new events do not wait for them.
const againLane = "again/"

// redeliverBatch is the maximum number of redeliveries in one transaction.
const redeliverBatch = 500

// maxTryTime is the maximum time between the creation of an attempt's row
// and its result: the longest backoff, and the lease.
const maxTryTime = 48 * time.Hour

// Redeliver sends the event of a delivery again. It queues a new attempt, or
// makes a queued one due at once. The delivery must belong to the webhook,
// which must be enabled.
func (s *Hooks) Redeliver(ctx context.Context, cause sqldb.Cause, hook, delivery octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := lockEnabled(tx, hook); err != nil {
			return err
		}
		found, err := sqldb.Collect(tx.Context(), tx.Conn(), scanOnlyDelivery, `SELECT `+deliveryColumns+` FROM deliveries d WHERE d.target = $1 AND d.id = $2`,
			sqldb.Plain(string(hook)), sqldb.Plain(string(delivery)))
		if err != nil {
			return fmt.Errorf("look up delivery %s: %w", delivery, err)
		}
		if len(found) == 0 {
			return octavo.Errorf(octavo.NotFound, "There is no such delivery to this webhook.")
		}
		_, err = s.sendAgain(tx, found[0])
		return err
	})
}

// lockEnabled refuses a disabled webhook. It locks the delivery queue before
// the webhook, as Finish does; the other order would deadlock.
func lockEnabled(tx *sqldb.Tx, hook octavo.ID) error {
	if err := tx.Lock(sqldb.QueueLock); err != nil {
		return fmt.Errorf("put deliveries to webhook %s in line: %w", hook, err)
	}
	w, err := lockWebhook(tx, hook)
	if err == nil && w.Disabled {
		err = octavo.Errorf(octavo.Conflict, "The webhook is disabled: enable it first.")
	}
	return err
}

// sendAgain queues the event of a delivery again, unless it is queued
// already, and reports whether it did.
func (s *Hooks) sendAgain(tx *sqldb.Tx, d Delivery) (added bool, err error) {
	var lane string
	waiting, err := tx.Row([]any{&lane}, `SELECT lane FROM deliveries WHERE event_id = $1 AND target = $2 AND status = 'pending'`, d.EventID, d.Target)
	if err != nil {
		return false, fmt.Errorf("look for tries of event %s: %w", d.EventID, err)
	}
	if waiting {
		_, err := tx.Exec(`UPDATE deliveries SET ready_at = $3 WHERE lane = $1 AND target = $2 AND ready_at > $3 AND lease = 0`,
			lane, d.Target, tx.Now().UnixMilli())
		return false, err
	}
	var one int
	kept, err := tx.Row([]any{&one}, `SELECT 1 FROM changes WHERE event_id = $1`, d.EventID)
	if err != nil {
		return false, fmt.Errorf("look up event %s: %w", d.EventID, err)
	}
	if !kept {
		return false, octavo.Errorf(octavo.Conflict, "The event is no longer stored.")
	}
	lane = d.Lane
	if !strings.HasPrefix(lane, againLane) {
		lane = againLane + lane
	}
	return true, s.Add(tx, []NewDelivery{{Target: d.Target, EventID: d.EventID, Kind: d.Kind, Lane: lane, Position: d.Position, Size: d.Size}})
}

// RedeliverSince sends again the events that were given up since a time and have not
// been delivered since. It also makes those due at once that have failed since then and
// are in backoff; the failure created their row. It returns their number. It uses
// several transactions; repeating it after a part queues nothing twice.
func (s *Hooks) RedeliverSince(ctx context.Context, cause sqldb.Cause, hook octavo.ID, since time.Time) (n int64, err error) {
	part := cause
	part.Claim = nil
	began := s.db.Now().UnixMilli()     // what fails again meanwhile keeps its schedule
	for moved := int64(1); moved > 0; { // a part may be smaller than its limit if others took some
		err := s.db.Write(ctx, part, func(tx *sqldb.Tx) (err error) {
			if err := lockEnabled(tx, hook); err != nil {
				return err
			}
			// Checks the row itself too, as exportstore.Exports.Claim does.
			moved, err = tx.Exec(`UPDATE deliveries SET ready_at = $2 WHERE +ready_at > $2 AND +lease = 0 AND (target, id) IN (
				SELECT d.target, d.id FROM deliveries d WHERE d.target = $1 AND d.ready_at > $2 AND d.lease = 0 AND d.attempt > 1
					AND d.created_at BETWEEN $5 AND $4
				ORDER BY d.ready_at LIMIT $3)`, hook, tx.Now().UnixMilli(), redeliverBatch, began, sqldb.CeilMilli(since))
			return err
		})
		if err != nil {
			return n, err
		}
		n += moved
	}
	after := octavo.FirstID(octavo.PrefixDelivery, since.Add(-maxTryTime))
	for {
		added, last, err := s.redeliverPart(ctx, part, hook, since, after)
		if n += added; err != nil {
			return n, err
		}
		if last == "" {
			break
		}
		after = last
	}
	// The response to the Idempotency-Key is stored last.
	return n, s.db.Write(ctx, cause, func(tx *sqldb.Tx) error { return lockEnabled(tx, hook) })
}

// redeliverPart returns the last delivery that it looked at, or "" if it was
// the last one.
func (s *Hooks) redeliverPart(ctx context.Context, cause sqldb.Cause, hook octavo.ID, since time.Time, after octavo.ID) (added int64, last octavo.ID, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		added, last = 0, ""
		if err := lockEnabled(tx, hook); err != nil {
			return err
		}
		found, err := sqldb.Collect(tx.Context(), tx.Conn(), scanOnlyDelivery, `SELECT `+deliveryColumns+` FROM deliveries d
			WHERE d.target = $1 AND d.status = 'abandoned' AND d.id > $2 AND d.ended_at >= $3
				AND EXISTS (SELECT 1 FROM changes c WHERE c.event_id = d.event_id)
				AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.event_id = d.event_id AND o.target = d.target AND o.status = 'succeeded')
			ORDER BY d.id LIMIT $4`, hook, after, sqldb.CeilMilli(since), redeliverBatch)
		if err != nil {
			return fmt.Errorf("find what was given up of webhook %s: %w", hook, err)
		}
		for _, d := range found {
			isNew, err := s.sendAgain(tx, d)
			if err != nil {
				return err
			}
			if isNew {
				added++
			}
		}
		if len(found) == redeliverBatch {
			last = found[len(found)-1].ID
		}
		return nil
	})
	return added, last, err
}

// Test sends a test event to a webhook, and returns its id.
func (s *Hooks) Test(ctx context.Context, cause sqldb.Cause, hook octavo.ID) (event octavo.ID, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := lockEnabled(tx, hook); err != nil {
			return err
		}
		if event, err = tx.NewID(octavo.PrefixEvent); err != nil {
			return err
		}
		if err := changelog.Record(tx, event, octavo.WebhookTest, hook, 0, false, changelog.SubjectOnly(hook)); err != nil {
			return err
		}
		return s.Add(tx, []NewDelivery{{Target: string(hook), EventID: event, Kind: octavo.WebhookTest, Lane: "test/" + string(event)}})
	})
	return event, err
}
