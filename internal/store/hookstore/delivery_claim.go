package hookstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// LeaseTime is the length of a delivery's lease. A delivery that is not
// finished by then is due again.
const LeaseTime = time.Minute

// DueTarget is a target with pending deliveries, and when the first of them is due.
type DueTarget struct {
	Target string
	At     time.Time
}

// dueTargets goes from target to target along an index of the first deliveries of
// lanes. Its time depends on the number of targets, not of deliveries.
const dueTargets = `WITH RECURSIVE step (target) AS (
		SELECT (SELECT d.target FROM deliveries d WHERE d.ready_at IS NOT NULL AND d.target > $1 ORDER BY d.target, d.ready_at LIMIT 1)
		UNION ALL
		SELECT (SELECT d.target FROM deliveries d WHERE d.ready_at IS NOT NULL AND d.target > step.target ORDER BY d.target, d.ready_at LIMIT 1)
		FROM step WHERE step.target IS NOT NULL
	)
	SELECT step.target, (SELECT d.ready_at FROM deliveries d WHERE d.ready_at IS NOT NULL AND d.target = step.target ORDER BY d.target, d.ready_at LIMIT 1)
	FROM step WHERE step.target IS NOT NULL LIMIT $2`

// DueTargets returns at most limit targets with pending deliveries, by name,
// after the given one.
func (s *Hooks) DueTargets(ctx context.Context, after string, limit int) ([]DueTarget, error) {
	list, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (t DueTarget, err error) {
		err = row.Scan(&t.Target, sqldb.ScanTime(&t.At)) // zero if it was finished meanwhile
		return t, err
	}, dueTargets, after, limit)
	if err != nil {
		return nil, fmt.Errorf("find targets with deliveries: %w", err)
	}
	return list, nil
}

// Ask is a request for due deliveries to a target.
type Ask struct {
	Target string
	Limit  int
}

func claimStatement(lock string) string {
	return `UPDATE deliveries SET ready_at = $1, lease = $2 WHERE (target, id) IN (
		SELECT f.target, f.id FROM deliveries f WHERE f.target = $3 AND f.ready_at <= $4
		ORDER BY f.ready_at, f.id LIMIT $5` + lock + `)
		RETURNING ` + strings.ReplaceAll(deliveryColumns, "d.", "")
}

// Claim leases due deliveries, at most one of each lane, for LeaseTime. lease is drawn
// for this call, by [sqldb.DrawLease], and identifies them when they are finished.
func (s *Hooks) Claim(ctx context.Context, asks []Ask, lease int64) (claimed []Delivery, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		claimed = nil
		for _, ask := range asks {
			found, err := sqldb.Collect(tx.Context(), tx.Conn(), scanOnlyDelivery,
				claimStatement(s.db.SkipLocked()), tx.Now().Add(LeaseTime).UnixMilli(), lease, ask.Target, tx.Now().UnixMilli(), ask.Limit)
			if err != nil {
				return fmt.Errorf("claim deliveries to %s: %w", ask.Target, err)
			}
			slices.SortFunc(found, func(a, b Delivery) int { return cmp.Compare(a.ID, b.ID) })
			claimed = append(claimed, found...)
		}
		return nil
	})
	if err != nil {
		return nil, err // its claims were rolled back
	}
	return claimed, nil
}

// Free ends every lease. It is for a process with exclusive access, at its
// start: the leases belong to a dead process.
func (s *Hooks) Free(ctx context.Context) (freed int64, err error) {
	err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		freed, err = tx.Exec(`UPDATE deliveries SET ready_at = $1, lease = 0 WHERE ready_at IS NOT NULL AND lease <> 0`, tx.Now().UnixMilli())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("free deliveries: %w", err)
	}
	return freed, nil
}

// Sending is an event to send, and the request that caused it.
type Sending struct {
	Event                octavo.Event
	TraceID, Traceparent string
}

// Sending returns an event as it is sent; found is false if it is no longer kept.
func (s *Hooks) Sending(ctx context.Context, event octavo.ID) (v Sending, found bool, err error) {
	var at int64
	var payload string
	found, err = s.read.Row(ctx, []any{&v.Event.ID, &v.Event.Type, &at, &payload, &v.TraceID, &v.Traceparent},
		`SELECT event_id, kind, time, payload, trace_id, traceparent FROM changes WHERE event_id = $1`, event)
	if err != nil {
		return Sending{}, false, fmt.Errorf("read event %s: %w", event, err)
	}
	v.Event.CreatedAt, v.Event.Data = sqldb.Moment(at), []byte(payload)
	return v, found, nil
}
