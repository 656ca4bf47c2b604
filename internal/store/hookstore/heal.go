package hookstore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// healBatch is how many deliveries one statement makes due.
const healBatch = 1000

// healStatement expects the time now and the limit in a before it.
func healStatement(a *sqldb.Args, now time.Time, w sqldb.Waits, lock string) string {
	return `UPDATE deliveries SET ready_at = $1 WHERE (target, id) IN (
		SELECT f.target, f.id FROM deliveries f WHERE f.ready_at IS NOT NULL AND f.ready_at > ` + w.Latest(a, now) + ` LIMIT $2` + lock + `)`
}

// Heal makes deliveries due that wait longer than possible (after the clock was set
// back), and returns their number. [Hooks.Claim] cannot do this: it finds the first of
// a target in the order of an index, while the longest wait depends on the attempt.
func (s *Hooks) Heal(ctx context.Context, w sqldb.Waits) (healed int64, err error) {
	for {
		list, err := s.PutOff(ctx, w, sqldb.ClockSlack)
		if err != nil || len(list) == 0 {
			return healed, err
		}
		var n int64
		err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
			a := sqldb.Args{tx.Now().UnixMilli(), healBatch}
			n, err = tx.Exec(healStatement(&a, tx.Now().Add(sqldb.ClockSlack), w, s.db.SkipLocked()), a...)
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

func putOffStatement(a *sqldb.Args, now time.Time, w sqldb.Waits) string {
	return `SELECT target, MAX(ready_at) FROM deliveries WHERE ready_at IS NOT NULL AND ready_at > ` + w.Latest(a, now) + ` GROUP BY target ORDER BY target`
}

// PutOff returns the targets with a delivery that waits longer than
// possible, by more than slack, and until when.
func (s *Hooks) PutOff(ctx context.Context, w sqldb.Waits, slack time.Duration) ([]Backlog, error) {
	var a sqldb.Args
	list, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (b Backlog, err error) {
		err = row.Scan(&b.Target, sqldb.ScanTime(&b.Due))
		return b, err
	}, putOffStatement(&a, s.db.Now().Add(slack), w), a...)
	if err != nil {
		return nil, fmt.Errorf("look for deliveries that were put off: %w", err)
	}
	return list, nil
}
