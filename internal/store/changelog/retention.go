package changelog

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// DefaultKeepChanges is how long changes are kept unless the options say
// otherwise (decision 34).
const DefaultKeepChanges = 30 * 24 * time.Hour

// RetentionBatch is how many changes one transaction removes at most.
const RetentionBatch = 1000

// TruncatedError says that changes behind a position were removed for their
// age before they were read. Retention wins over followers: one that was away
// for longer than changes are kept has to begin anew from the state of the
// store, and to follow from where LastPosition was before it read that.
type TruncatedError struct {
	After   int64 // the position asked for
	Removed int64 // the newest position removed; behind it every change is kept
}

// Error implements error.
func (e *TruncatedError) Error() string {
	return fmt.Sprintf("the changes behind position %d are not kept any more up to %d", e.After, e.Removed)
}

// First returns the position behind which every change is kept.
func (s *Log) First(ctx context.Context) (removed int64, err error) {
	if _, err := s.src.LogReader().Row(ctx, []any{&removed}, `SELECT removed FROM change_retention`); err != nil {
		return 0, fmt.Errorf("read where the change log begins: %w", err)
	}
	return removed, nil
}

// Sweep removes the changes older than Options.KeepChanges, from the
// oldest on: what it leaves has no gap.
func (s *Log) Sweep(ctx context.Context) error {
	position := s.src.position()
	for full := true; full; {
		err := s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
			full = false
			cutoff := tx.Now().Add(-s.keep).UnixMilli()
			var seen int
			var to int64
			old := true
			err := tx.Query(func(row sqldb.Scanner) error {
				var at, time int64
				if err := row.Scan(&at, &time); err != nil {
					return err
				}
				seen++
				if old = old && time <= cutoff; old {
					to = at
				}
				return nil
			}, `SELECT `+position+`, time FROM changes WHERE `+position+` > 0 ORDER BY `+position+` LIMIT $1`, RetentionBatch)
			if err != nil || to == 0 {
				return err
			}
			full = old && seen == RetentionBatch
			if err := s.noteGone(tx, to); err != nil {
				return err
			}
			if _, err := tx.Exec(`DELETE FROM changes WHERE `+position+` <= $1`, to); err != nil {
				return err
			}
			// The clock may be behind that by which others were removed.
			_, err = tx.Exec(`UPDATE change_retention SET removed = $1, cutoff = CASE WHEN cutoff < $2 THEN $2 ELSE cutoff END WHERE removed < $1`, to, cutoff)
			return err
		})
		if err != nil {
			return fmt.Errorf("remove old changes: %w", err)
		}
	}
	return nil
}
