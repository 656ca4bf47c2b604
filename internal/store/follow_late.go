package store

import (
	"context"
	"fmt"
	"time"
)

// FollowerSince returns when the first change happened that the follower of
// that name has not handled, as far as it has saved that: up to an hour and a
// quarter after it did where changes follow each other without a rest. Where no
// follower ever had the name, what webhooks are to be told counts. It is zero
// when there is none.
func (s *Store) FollowerSince(ctx context.Context, name string) (time.Time, error) {
	var at int64
	found, err := s.read.row(ctx, []any{&at}, `SELECT c.time FROM changes c
		WHERE c.`+s.db.position()+` > COALESCE((SELECT f.position FROM followers f WHERE f.name = $1), (SELECT MIN(w.active_after) FROM webhooks w WHERE NOT w.disabled))
		ORDER BY c.`+s.db.position()+` LIMIT 1`, name)
	if err != nil {
		return time.Time{}, fmt.Errorf("look what follower %s has to do: %w", name, err)
	}
	if !found {
		return time.Time{}, nil
	}
	return moment(at), nil
}

// OldestDue returns since when the delivery is due that waits longest, zero
// when none is due.
func (s *Store) OldestDue(ctx context.Context) (oldest time.Time, err error) {
	late, err := s.StuckDeliveries(ctx, 0)
	for _, b := range late {
		if oldest.IsZero() || b.Due.Before(oldest) {
			oldest = b.Due
		}
	}
	return oldest, err
}
