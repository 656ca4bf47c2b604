package store

import (
	"context"
	"fmt"
	"time"
)

// Waits are how long work waits at most: while it is leased, and with Retry[n]
// until it is due again when it was claimed n times. What was claimed more often
// waits no longer than by the last.
type Waits struct {
	Lease time.Duration
	Retry []time.Duration
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

// setBack moves what waits in a table to when it is due at the latest.
func (tx *Tx) setBack(table string, w Waits) (moved int64, err error) {
	set := `UPDATE ` + table + ` SET ready_at = $1 WHERE ready_at IS NOT NULL AND ready_at > $1 AND `
	if moved, err = tx.exec(set+`lease <> 0`, tx.now.Add(w.Lease).UnixMilli()); err != nil {
		return 0, err
	}
	for claims, wait := range w.Retry {
		which := `lease = 0 AND attempt = $2`
		if claims == len(w.Retry)-1 {
			which = `lease = 0 AND attempt >= $2`
		}
		n, err := tx.exec(set+which, tx.now.Add(wait).UnixMilli(), claims)
		if err != nil {
			return 0, err
		}
		moved += n
	}
	return moved, nil
}
