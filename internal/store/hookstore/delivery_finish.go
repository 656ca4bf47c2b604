package hookstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Outcome is the result of a claimed delivery.
type Outcome struct {
	Delivery Delivery // as it was claimed
	// Status is the result; DeliveryPending returns it without an attempt.
	Status         octavo.DeliveryStatus
	RetryAfter     time.Duration // until the next attempt, with DeliveryFailed
	EndedAt        time.Time
	ResponseStatus int
	Response       string
	Error          string
	Untried        bool   // nothing was sent, which says nothing about the webhook
	Disable        string // why its webhook is to be disabled; "" if it is not
}

// Finish ends the leases of deliveries, stores their results, and makes the
// next ones of their lanes due. It ignores deliveries whose lease has been
// lost. A webhook without a successful attempt for giveUp is disabled. It
// reports whether anything became due.
func (s *Hooks) Finish(ctx context.Context, outcomes []Outcome, giveUp time.Duration) (due bool, err error) {
	// All transactions lock deliveries in the same order.
	slices.SortStableFunc(outcomes, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Delivery.Lane, b.Delivery.Lane), cmp.Compare(a.Delivery.Target, b.Delivery.Target))
	})
	err = s.db.Write(ctx, sqldb.Cause{Actor: octavo.Actor{ID: "octavo", Name: "Octavo"}}, func(tx *sqldb.Tx) error {
		due = false
		if err := tx.LockShared(sqldb.QueueLock); err != nil {
			return fmt.Errorf("finish %d deliveries: %w", len(outcomes), err)
		}
		ends := map[octavo.ID]*endpointEnds{}
		waiting := map[string]bool{} // targets where something waits for an earlier delivery
		for _, o := range outcomes {
			target := o.Delivery.Target
			if _, asked := waiting[target]; !asked {
				var one int
				var err error
				if waiting[target], err = tx.Row([]any{&one}, waitingStatement, target); err != nil {
					return fmt.Errorf("look what waits for %s: %w", target, err)
				}
			}
			ended, next, err := s.finish(tx, o, waiting[target])
			if err != nil {
				return fmt.Errorf("finish delivery %s: %w", o.Delivery.ID, err)
			}
			due = due || next
			if hook, ok := o.Delivery.Webhook(); ok && ended && !o.Untried {
				if ends[hook] == nil {
					ends[hook] = &endpointEnds{}
				}
				ends[hook].add(o)
			}
		}
		return judgeEndpoints(tx, ends, giveUp)
	})
	return due, err
}

// nextStatement makes the next delivery of a lane due. It checks the row
// itself too, as exportstore.Exports.Claim does.
const nextStatement = `UPDATE deliveries SET ready_at = $3 WHERE +ready_at IS NULL AND (target, id) IN (
	SELECT w.target, w.id FROM deliveries w WHERE w.target = $1 AND w.lane = $2 AND w.status = 'pending' AND w.ready_at IS NULL
	ORDER BY w.position, w.id LIMIT 1)`

const waitingStatement = `SELECT 1 FROM deliveries d WHERE d.target = $1 AND d.status = 'pending' AND d.ready_at IS NULL LIMIT 1`

// finish ends one delivery; ended is false if its lease was lost or there
// was no attempt. waiting says that others may wait for it.
func (s *Hooks) finish(tx *sqldb.Tx, o Outcome, waiting bool) (ended, due bool, err error) {
	d := o.Delivery
	if o.Status == octavo.DeliveryPending {
		n, err := tx.Exec(`UPDATE deliveries SET ready_at = $4, lease = 0 WHERE target = $1 AND id = $2 AND lease = $3`,
			d.Target, d.ID, d.Lease, tx.Now().UnixMilli())
		return false, n > 0, err
	}
	n, err := tx.Exec(`UPDATE deliveries SET status = $4, ready_at = NULL, lease = 0, ended_at = $5,
			response_status = $6, response = $7, error = $8
		WHERE target = $1 AND id = $2 AND lease = $3`,
		d.Target, d.ID, d.Lease, o.Status, sqldb.UnlessZero(o.EndedAt), o.ResponseStatus, sqldb.Plain(o.Response), sqldb.Plain(o.Error))
	if err != nil || n == 0 {
		return false, false, err
	}
	if o.Status == octavo.DeliveryFailed {
		id, err := tx.NewID(octavo.PrefixDelivery)
		if err != nil {
			return false, false, err
		}
		retry := tx.Now().Add(o.RetryAfter).UnixMilli() // by the same clock as claims
		return true, false, tx.Insert(s.deliveries, []any{
			d.Target, id, d.EventID, d.Kind, d.Lane, d.Position, d.Size, d.Attempt + 1, octavo.DeliveryPending, &retry, 0, tx.Now().UnixMilli(),
		})
	}
	if !waiting {
		return true, false, nil
	}
	n, err = tx.Exec(nextStatement, d.Target, d.Lane, tx.Now().UnixMilli())
	return true, n > 0, err
}

// endpointEnds are the results of one webhook's deliveries.
type endpointEnds struct {
	succeeded bool
	failed    time.Time // the last failure; zero for none
	disable   string
}

func (e *endpointEnds) add(o Outcome) {
	if o.Status == octavo.DeliverySucceeded {
		e.succeeded = true
	} else if o.EndedAt.After(e.failed) {
		e.failed = o.EndedAt
	}
	e.disable = cmp.Or(e.disable, o.Disable)
}

// judgeEndpoints records since when webhooks fail, and disables those that
// are gone or have failed for too long.
func judgeEndpoints(tx *sqldb.Tx, ends map[octavo.ID]*endpointEnds, giveUp time.Duration) error {
	for _, id := range slices.Sorted(maps.Keys(ends)) {
		e := ends[id]
		switch {
		case e.disable != "":
			if err := disable(tx, id, e.disable, true, e.failed); err != nil {
				return err
			}
		case e.succeeded:
			if _, err := tx.Exec(`UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`, id); err != nil {
				return fmt.Errorf("note that webhook %s works: %w", id, err)
			}
		case !e.failed.IsZero():
			if _, err := tx.Exec(`UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL AND NOT disabled`,
				id, e.failed.UnixMilli()); err != nil {
				return fmt.Errorf("note that webhook %s fails: %w", id, err)
			}
			reason := fmt.Sprintf("Every try of the last %d days has failed.", giveUp/(24*time.Hour))
			if err := disable(tx, id, reason, false, e.failed.Add(-giveUp)); err != nil {
				return err
			}
		}
	}
	return nil
}

// disable disables a webhook: at once, or if it has been failing since since.
func disable(tx *sqldb.Tx, id octavo.ID, reason string, atOnce bool, since time.Time) error {
	hooks, err := sqldb.Collect(tx.Context(), tx.Conn(), scanWebhook, `UPDATE webhooks SET disabled = TRUE, reason = $2
		WHERE id = $1 AND NOT disabled AND ($3 OR failing_since <= $4) RETURNING `+webhookColumns,
		id, reason, atOnce, since.UnixMilli())
	if err != nil {
		return fmt.Errorf("disable webhook %s: %w", id, err)
	}
	for _, w := range hooks {
		if err := auditWebhook(tx, octavo.WebhookChanged, w, map[string]any{"changed": []string{"disabled"}, "disabled": true, "reason": reason}); err != nil {
			return err
		}
	}
	return nil
}
