package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// clockSlack is more than the clocks of two processes differ by, also in the
// second in which they follow a clock of the database that was set.
const clockSlack = 10 * time.Second

// Waits are how long a job waits at most: Lease while it is leased, else
// Retry[n] at attempt n, or the last of Retry at a later attempt. A job that is
// due later than that was given its time by a clock that was ahead, which has
// been set back since. It is due now.
type Waits struct {
	Lease time.Duration
	Retry []time.Duration
}

// latest is when a row is due at the latest, in SQL.
func (w Waits) latest(a *args, now time.Time) string {
	at := func(wait time.Duration) string { return "CAST(" + a.add(now.Add(wait).UnixMilli()) + " AS BIGINT)" }
	var b strings.Builder
	b.WriteString("(CASE WHEN lease <> 0 THEN " + at(w.Lease))
	last := len(w.Retry) - 1
	for n, wait := range w.Retry[:last] {
		fmt.Fprintf(&b, " WHEN attempt <= %d THEN %s", n, at(wait))
	}
	b.WriteString(" ELSE " + at(w.Retry[last]) + " END)")
	return b.String()
}

// due says in SQL that a row may be claimed. The plus keeps SQLite from looking
// for the two ends of an index one after the other.
func (w Waits) due(a *args, now time.Time) string {
	return "(+ready_at <= " + a.add(now.UnixMilli()) + " OR +ready_at > " + w.latest(a, now.Add(clockSlack)) + ")"
}

// healBatch is how many deliveries one statement makes due.
const healBatch = 1000

// healStatement follows the time now and the limit in a.
func healStatement(a *args, now time.Time, w Waits, lock string) string {
	return `UPDATE deliveries SET ready_at = $1 WHERE (target, id) IN (
		SELECT f.target, f.id FROM deliveries f WHERE f.ready_at IS NOT NULL AND f.ready_at > ` + w.latest(a, now) + ` LIMIT $2` + lock + `)`
}

// HealDeliveries makes the deliveries due that wait longer than they may, and
// returns how many those are. [Store.ClaimDeliveries] does not do it: it looks
// for the first of a target in the order of an index, and what may be the latest
// time depends on the attempt.
func (s *Store) HealDeliveries(ctx context.Context, w Waits) (healed int64, err error) {
	for {
		list, err := s.PutOffDeliveries(ctx, w, clockSlack)
		if err != nil || len(list) == 0 {
			return healed, err
		}
		var n int64
		err = s.write(ctx, Cause{}, func(tx *Tx) (err error) {
			a := args{tx.now.UnixMilli(), healBatch}
			n, err = tx.exec(healStatement(&a, tx.now.Add(clockSlack), w, s.db.skipLocked()), a...)
			return err
		})
		if err != nil {
			return healed, fmt.Errorf("make deliveries due that were put off: %w", err)
		}
		if healed += n; n < healBatch {
			return healed, nil
		}
	}
}

func putOffStatement(a *args, now time.Time, w Waits) string {
	return `SELECT target, MAX(ready_at) FROM deliveries WHERE ready_at IS NOT NULL AND ready_at > ` + w.latest(a, now) + ` GROUP BY target ORDER BY target`
}

// PutOffDeliveries returns the targets with a delivery that waits longer than it
// may, by more than slack, and until when.
func (s *Store) PutOffDeliveries(ctx context.Context, w Waits, slack time.Duration) ([]Backlog, error) {
	var a args
	list, err := collect(ctx, s.read, func(row scanner) (b Backlog, err error) {
		var at int64
		err = row.Scan(&b.Target, &at)
		b.Due = moment(at)
		return b, err
	}, putOffStatement(&a, s.now().Add(slack), w), a...)
	if err != nil {
		return nil, fmt.Errorf("look for deliveries that were put off: %w", err)
	}
	return list, nil
}
