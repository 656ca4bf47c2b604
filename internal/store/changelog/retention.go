package changelog

import (
	"context"
	"encoding/json"
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
// store, and to follow from where Last was before it read that.
type TruncatedError struct {
	After   int64 // the position asked for
	Removed int64 // the newest position removed; behind it every change is kept
}

// Error implements error.
func (e *TruncatedError) Error() string {
	return fmt.Sprintf("the changes after position %d are no longer stored up to %d", e.After, e.Removed)
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

// passedOver is the setting that keeps which positions were passed over, and
// keepPassedOver how many stretches of them it names at most.
const (
	passedOver     = "passed-over"
	keepPassedOver = 16
)

// stretch is what lies between two positions, none of which belongs to it.
type stretch [2]int64

// Reach is how far the change log has come. What was made of the log up to a
// position that it has not reached, or that was lost, is of another history.
type Reach struct {
	Last int64
	lost []stretch
}

// Has reports whether the log has come to the position.
func (r Reach) Has(position int64) bool {
	for _, s := range r.lost {
		if s[0] < position && position < s[1] {
			return false
		}
	}
	return position <= r.Last
}

// Reach returns how far the change log has come, no less than at the call.
func (s *Log) Reach(ctx context.Context) (r Reach, err error) {
	if r.Last, err = s.Last(ctx); err != nil {
		return r, err
	}
	r.lost, err = lostStretches(ctx, s.read)
	return r, err
}

func lostStretches(ctx context.Context, c sqldb.Conn) (lost []stretch, err error) {
	var text string
	found, err := c.Row(ctx, []any{&text}, `SELECT value FROM settings WHERE name = $1`, passedOver)
	if err == nil && found {
		err = json.Unmarshal([]byte(text), &lost)
	}
	if err != nil {
		return nil, fmt.Errorf("read which positions were passed over: %w", err)
	}
	return lost, nil
}

// PassOver has later changes come at or behind the position to, unless they do,
// and remembers that what was told up to there is lost.
func (s *Log) PassOver(tx *sqldb.Tx, to int64) error {
	if err := tx.Lock(sqldb.PositionLock); err != nil {
		return fmt.Errorf("pass over positions of the change log: %w", err)
	}
	// Read by statements of their own behind the lock: another process may have
	// done the same, or have placed changes.
	last, err := s.src.lastPosition(tx.Context(), tx.Conn())
	if err != nil || last >= to {
		return err
	}
	lost, err := lostStretches(tx.Context(), tx.Conn())
	if err != nil {
		return err
	}
	lost = append(lost, stretch{last, to})
	text, err := json.Marshal(lost[max(0, len(lost)-keepPassedOver):])
	if err == nil {
		err = tx.SetSetting(passedOver, string(text))
	}
	if err == nil {
		err = s.src.passOver(tx, to)
	}
	if err != nil {
		return fmt.Errorf("pass over positions of the change log: %w", err)
	}
	return nil
}
