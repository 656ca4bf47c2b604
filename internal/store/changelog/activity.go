package changelog

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Activity returns at most limit changes of pages before a position, newest
// first, as far as they are kept, and whether more follow; nil begins with
// the newest. With public, they are those that a published-only credential
// gets (decision 34). Their payloads are omitted.
func (s *Log) Activity(ctx context.Context, public bool, before *sqldb.Cursor, limit int) (list []Change, more bool, err error) {
	ctx, done, err := s.db.List(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("list what happened: %w", err)
	}
	defer done()
	end, err := s.Last(ctx)
	if err != nil {
		return nil, false, err
	}
	end++
	if before != nil {
		at, err := strconv.ParseInt(before.Key, 10, 64)
		if err != nil {
			return nil, false, fmt.Errorf("list what happened before %q: %w", before.Key, err)
		}
		end = min(end, at)
	}
	for span := firstSpan * int64(limit); len(list) <= limit && end > math.MinInt64; span = min(2*span, feedSpan) {
		begin := end - span
		found, err := s.activityWithin(ctx, public, begin, end, limit+1-len(list))
		if err != nil {
			return nil, false, fmt.Errorf("list what happened before %d: %w", end, err)
		}
		list = append(list, found...)
		if end, err = s.behindLast(ctx, begin); err != nil {
			return nil, false, fmt.Errorf("list what happened before %d: %w", begin, err)
		}
	}
	list, more = sqldb.Cut(list, limit)
	return list, more, nil
}

// behindLast returns the position after the last change before before, or
// the least number if there is none.
func (s *Log) behindLast(ctx context.Context, before int64) (int64, error) {
	position := s.src.position()
	var last int64
	found, err := s.src.LogReader().Row(ctx, []any{&last}, `SELECT `+position+` FROM changes WHERE `+position+` < $1 ORDER BY `+position+` DESC LIMIT 1`, before)
	if err != nil || !found {
		return math.MinInt64, err
	}
	return last + 1, nil
}

// activityWithin is Activity from position begin up to but not including end.
func (s *Log) activityWithin(ctx context.Context, public bool, begin, end int64, limit int) ([]Change, error) {
	var a sqldb.Args
	position := "c." + s.src.position()
	where := position + " >= " + a.Add(begin) + " AND " + position + " < " + a.Add(end) + " AND c.kind IN " + sqldb.List(&a, octavo.ActivityTypes())
	if public {
		where += " AND " + publicChange()
	}
	return sqldb.Collect(ctx, s.src.LogReader(), scanChange, `SELECT `+position+`, c.event_id, c.time, c.kind, c.subject, c.version, c.actor_id, c.actor_name, c.trace_id, c.public, ''
		FROM changes c WHERE `+where+` ORDER BY `+position+` DESC LIMIT `+a.Add(limit), a...)
}
