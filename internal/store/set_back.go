package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Waits are how long work waits at most: while it is leased, and with Retry[n]
// until it is due when it is at attempt n. What is at a later one waits no
// longer than by the last, of which there is one at least.
type Waits struct {
	Lease time.Duration
	Retry []time.Duration
}

// latest is when a row is due at the latest, as SQL.
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

// SetBackDeliveries is for a clock that has gone back. What was put in line by a
// time that is yet to come waits from now on as long as it was to wait then, and
// what was there before no longer than it may; see [Steps] for when. It returns
// how many deliveries it moved.
func (s *Store) SetBackDeliveries(ctx context.Context, w Waits) (moved int64, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) error {
		n, err := tx.exec(`UPDATE deliveries SET ready_at = ready_at - created_at + $1, created_at = $1
			WHERE ready_at IS NOT NULL AND lease = 0 AND created_at > $2`, tx.now.UnixMilli(), tx.now.Add(clockStep).UnixMilli())
		if err != nil {
			return err
		}
		moved, err = tx.setBack("deliveries", w)
		moved += n
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("set deliveries back: %w", err)
	}
	return moved, nil
}

// SetBackExports is for a clock that has gone back: exports and messages about
// them, which wait for a time that is yet to come, wait from now on no longer
// than they may. It returns how many of both it moved.
func (s *Store) SetBackExports(ctx context.Context, exports, messages Waits) (moved int64, err error) {
	err = s.write(ctx, Cause{}, func(tx *Tx) error {
		n, err := tx.setBack("exports", exports)
		if err != nil {
			return err
		}
		moved, err = tx.setBack("export_channels", messages)
		moved += n
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("set exports back: %w", err)
	}
	return moved, nil
}

// setBack moves what waits in a table to when it is due at the latest. What waits
// longer by less than clockStep is left: so much the clocks of processes differ.
func (tx *Tx) setBack(table string, w Waits) (moved int64, err error) {
	var a args
	latest, beyond := w.latest(&a, tx.now), w.latest(&a, tx.now.Add(clockStep))
	return tx.exec(`UPDATE `+table+` SET ready_at = `+latest+` WHERE ready_at IS NOT NULL AND ready_at > `+beyond, a...)
}

// PutOffDeliveries returns the targets with a delivery that waits longer than it
// may, by more than slack, and until when: a clock that was ahead has left them.
func (s *Store) PutOffDeliveries(ctx context.Context, w Waits, slack time.Duration) ([]Backlog, error) {
	var a args
	latest := w.latest(&a, s.now().Add(slack))
	list, err := collect(ctx, s.read, func(row scanner) (b Backlog, err error) {
		var at int64
		err = row.Scan(&b.Target, &at)
		b.Due = moment(at)
		return b, err
	}, `SELECT target, MAX(ready_at) FROM deliveries WHERE ready_at IS NOT NULL AND ready_at > `+latest+` GROUP BY target ORDER BY target`, a...)
	if err != nil {
		return nil, fmt.Errorf("look for deliveries that were put off: %w", err)
	}
	return list, nil
}
