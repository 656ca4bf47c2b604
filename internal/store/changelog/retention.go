package changelog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// DefaultKeepChanges is the default retention of changes (decision 34).
const DefaultKeepChanges = 30 * 24 * time.Hour

// RetentionBatch is the maximum number of changes that one transaction removes.
const RetentionBatch = 1000

// TruncatedError is returned if retention removed changes after a position
// before they were read. Retention does not wait for followers. A follower
// that was away for longer has to start again from the state of the store,
// and then follow from the Last that it read before that.
type TruncatedError struct {
	After   int64 // the position asked for
	Removed int64 // the newest position removed; every later change is kept
}

func (e *TruncatedError) Error() string {
	return fmt.Sprintf("the changes after position %d are no longer stored up to %d", e.After, e.Removed)
}

// First returns the position after which every change is kept.
func (s *Log) First(ctx context.Context) (removed int64, err error) {
	_, err = s.src.LogReader().Row(ctx, []any{&removed}, `SELECT removed FROM change_retention`)
	return removed, octavo.Wrapf(err, "read where the change log begins")
}

// Sweep removes the changes older than the retention, oldest first, so that
// the rest has no gap.
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
			// The clock may be behind the one by which others were removed.
			_, err = tx.Exec(`UPDATE change_retention SET removed = $1, cutoff = CASE WHEN cutoff < $2 THEN $2 ELSE cutoff END WHERE removed < $1`, to, cutoff)
			return err
		})
		if err != nil {
			return fmt.Errorf("remove old changes: %w", err)
		}
	}
	return nil
}

// passedOver is the setting with the skipped ranges of positions, and
// keepPassedOver the maximum number of ranges in it.
const (
	passedOver     = "passed-over"
	keepPassedOver = 16
)

// stretch is the range between two positions, excluding both.
type stretch [2]int64

// Reach is how far the change log has come. Data from a position that the
// log has not reached, or that was lost, belongs to another history.
type Reach struct {
	Last int64
	lost []stretch
}

// Has reports whether the log has reached the position.
func (r Reach) Has(position int64) bool {
	for _, s := range r.lost {
		if s[0] < position && position < s[1] {
			return false
		}
	}
	return position <= r.Last
}

// Reach returns how far the change log has come, at least at the time of the call.
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
	return lost, octavo.Wrapf(err, "read which positions were passed over")
}

// PassOver makes later changes continue at or after the position to, unless
// they already do. It records that the positions up to there are lost.
func (s *Log) PassOver(tx *sqldb.Tx, to int64) error {
	if err := tx.Lock(sqldb.PositionLock); err != nil {
		return fmt.Errorf("pass over positions of the change log: %w", err)
	}
	// Read by separate statements after the lock: another process may have
	// done the same, or added positions.
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
	return octavo.Wrapf(err, "pass over positions of the change log")
}
