package changelog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

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
		_, err = tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, passedOver, string(text))
	}
	if err == nil {
		err = s.src.passOver(tx, to)
	}
	if err != nil {
		return fmt.Errorf("pass over positions of the change log: %w", err)
	}
	return nil
}
