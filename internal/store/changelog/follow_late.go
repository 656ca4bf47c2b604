package changelog

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// FollowerSince returns when the first change happened that the follower of
// that name has not handled, as far as it has saved that: up to an hour and a
// quarter after it did where changes follow each other without a rest. Where no
// follower ever had the name, what webhooks are to be told counts. It is zero
// when there is none.
func (s *Log) FollowerSince(ctx context.Context, name string) (time.Time, error) {
	var at int64
	found, err := s.read.Row(ctx, []any{&at}, `SELECT c.time FROM changes c
		WHERE c.`+s.src.position()+` > COALESCE((SELECT f.position FROM followers f WHERE f.name = $1), (SELECT MIN(w.active_after) FROM webhooks w WHERE NOT w.disabled))
		ORDER BY c.`+s.src.position()+` LIMIT 1`, name)
	if err != nil {
		return time.Time{}, fmt.Errorf("look what follower %s has to do: %w", name, err)
	}
	if !found {
		return time.Time{}, nil
	}
	return sqldb.Moment(at), nil
}
