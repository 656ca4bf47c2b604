package changelog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// feedSpan is the maximum number of positions that one statement looks at, so that none
// takes long, however few match the filters. The first statement looks at firstSpan for
// each wanted event: a database without statistics may read and sort all of them.
const (
	feedSpan  = 10_000
	firstSpan = 4
)

// feedBatch is how many changes are read into memory at once.
const feedBatch = 256

// EventQuery selects events of the feed.
type EventQuery struct {
	After  int64 // continue after this position; negative for the oldest kept
	Types  []octavo.EventType
	Public bool // only what a published-only credential gets (decision 34)
	Limit  int
	Bytes  int // limit of payload in one read; 0 means 4 MiB
}

// Event returns the change as clients see it.
func (c Change) Event() octavo.Event {
	return octavo.Event{ID: c.EventID, Type: c.Kind, CreatedAt: c.Time, Data: c.Payload}
}

// Events returns at most q.Limit events in order, and the position after which to
// continue. The feed was searched up to there, whether or not any event matched. It
// returns no events only if there are none, and fewer than there are if they are large.
// It covers everything that was committed before the call.
//
// If events after q.After are no longer kept, the error is a
// *[TruncatedError]; with q.Public only if it would have returned one of
// them. A position that was never reached is InvalidRequest. With q.Public
// it is accepted, since the error would reveal the length of the log.
func (s *Log) Events(ctx context.Context, q EventQuery) (events []Change, next int64, err error) {
	if q.Bytes <= 0 {
		q.Bytes = maxChangeBytes
	}
	end, err := s.ends.Share(ctx, struct{}{})
	if err != nil {
		return nil, 0, err
	}
	if events, next, ok, err := s.recent.read(q, end); ok || err != nil {
		return events, next, err
	}
	end = max(end, s.tail.end()) // after which Await waits
	next = q.After
	if q.After < 0 {
		if next, err = s.First(ctx); err != nil {
			return nil, 0, err
		}
	}
	if q.After > end && !q.Public {
		return nil, 0, octavo.Invalid("after", "is a position that the feed has not reached; its last is %d", end)
	}
	from := next
	if q.Public {
		from = s.skipQuiet(next)
	}
	if events, next, err = s.eventsUpTo(ctx, q, from, end); err != nil {
		return nil, 0, fmt.Errorf("read events behind %d: %w", q.After, err)
	}
	if q.After >= 0 {
		// Checked afterwards, so that concurrent removals are not missed.
		removed, err := s.removedFor(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		if q.After < removed {
			return nil, 0, &TruncatedError{After: q.After, Removed: removed}
		}
	}
	if q.Public {
		if len(events) == 0 && next > from && slices.Contains(q.Types, octavo.PagePublished) && slices.Contains(q.Types, octavo.PageDeleted) {
			s.noteQuiet(from, next)
		}
		err = s.hideParents(ctx, events)
	}
	return events, next, err
}

// removedFor returns the newest removed position that the query would have returned.
func (s *Log) removedFor(ctx context.Context, q EventQuery) (int64, error) {
	if q.Public {
		return s.Gone(ctx, q.Types)
	}
	return s.First(ctx)
}

// lookAtEnd finds the end of the change log. While readers wait for more, it
// also reads what is new for all of them.
func (s *Log) lookAtEnd([]struct{}) (end int64, err error) {
	ctx, cancel := context.WithTimeout(s.db.Life().Context(), sqldb.LookTimeout)
	defer cancel()
	if end, err = s.Last(ctx); err != nil {
		return 0, s.db.Life().Err(err)
	}
	epoch := s.db.Stamps().None().Epoch()
	if !s.awaited() {
		s.recent.reset(false, 0, epoch)
		return end, nil
	}
	s.recent.begin(end, epoch)
	for more := true; more && s.recent.end < end; {
		var truncated *TruncatedError
		more, err = s.readRecent(ctx)
		switch {
		case errors.As(err, &truncated):
			s.recent.reset(true, end, epoch)
		case err != nil:
			s.recent.reset(false, 0, epoch)
			return 0, s.db.Life().Err(fmt.Errorf("read what is new: %w", err))
		}
	}
	removed, err := s.First(ctx)
	if err != nil {
		return 0, s.db.Life().Err(err)
	}
	s.recent.reached(end, removed)
	return end, nil
}

// readRecent reads some of the changes that are missing in memory, and
// reports whether there were any.
func (s *Log) readRecent(ctx context.Context) (more bool, err error) {
	batch, err := s.behind(ctx, s.recent.end, feedBatch)
	if err != nil || len(batch) == 0 {
		return false, err
	}
	parents, err := parentsOf(batch)
	if err != nil {
		return false, err
	}
	shown, err := s.shownAmong(ctx, parents)
	if err != nil {
		return false, err
	}
	s.recent.add(batch, parents, shown)
	return true, nil
}

// eventsUpTo is Events for the positions after after up to end, with parents. It looks
// at growing ranges until it finds any, and continues for a while until it has enough.
func (s *Log) eventsUpTo(ctx context.Context, q EventQuery, after, end int64) (events []Change, next int64, err error) {
	next = after
	looked := int64(0)
	for span := min(firstSpan*int64(q.Limit), feedSpan); next < end; span = min(2*span, feedSpan) {
		rest := q
		rest.Limit -= len(events)
		found, to, full, err := s.eventsWithin(ctx, rest, next, min(next+span, end))
		if err != nil {
			return nil, 0, err
		}
		looked += to - next
		if events, next = append(events, found...), to; len(found) == 0 && to < end {
			if next, err = s.beforeNext(ctx, to, end); err != nil {
				return nil, 0, err
			}
		}
		for _, c := range found {
			q.Bytes -= len(c.Payload)
		}
		if full || len(events) > 0 && looked >= feedSpan {
			break
		}
	}
	return events, next, nil
}

// beforeNext is the position before the next change after after, at most
// end. Positions in between were removed or skipped.
func (s *Log) beforeNext(ctx context.Context, after, end int64) (int64, error) {
	position := s.src.position()
	next := end + 1
	_, err := s.src.LogReader().Row(ctx, []any{&next}, `SELECT `+position+` FROM changes WHERE `+position+` > $1 ORDER BY `+position+` LIMIT 1`, after)
	return max(after, min(next-1, end)), err
}

// eventsWithin is eventsUpTo in one statement. It is full if it found as
// many events as wanted.
func (s *Log) eventsWithin(ctx context.Context, q EventQuery, after, to int64) (events []Change, next int64, full bool, err error) {
	var a sqldb.Args
	position := "c." + s.src.position()
	where := position + " > " + a.Add(after) + " AND " + position + " <= " + a.Add(to) + " AND c.kind IN " + sqldb.List(&a, q.Types)
	if q.Public {
		where += " AND " + publicChange()
	}
	size := 0
	err = s.src.LogReader().Query(ctx, func(row sqldb.Scanner) error {
		c, err := scanChange(row)
		events = append(events, c)
		if size += len(c.Payload); err == nil && size >= q.Bytes {
			return sqldb.ErrEnough
		}
		return err
	}, `SELECT `+position+`, c.event_id, c.time, c.kind, c.subject, c.version, c.actor_id, c.actor_name, c.trace_id, c.public, c.payload
		FROM changes c WHERE `+where+` ORDER BY `+position+` LIMIT `+a.Add(q.Limit), a...)
	switch {
	case err != nil && !errors.Is(err, sqldb.ErrEnough):
		return nil, after, false, err
	case err != nil || len(events) == q.Limit:
		return events, events[len(events)-1].Position, true, nil
	}
	return events, to, false, nil
}

// hideParents removes unpublished parents from published pages, as reads of
// those pages do.
func (s *Log) hideParents(ctx context.Context, events []Change) error {
	pages, err := parentsOf(events)
	if err != nil {
		return err
	}
	shown, err := s.shownAmong(ctx, pages)
	if err != nil {
		return err
	}
	for i, page := range pages {
		if !shown[page.ParentID] {
			page.ParentID = ""
			events[i].Payload = page.AppendJSON(nil)
		}
	}
	return nil
}

// shownAmong returns the parents of pages that are published.
func (s *Log) shownAmong(ctx context.Context, pages map[int]octavo.Page) (map[octavo.ID]bool, error) {
	shown := map[octavo.ID]bool{}
	var parents []octavo.ID
	for _, page := range pages {
		if !slices.Contains(parents, page.ParentID) {
			parents = append(parents, page.ParentID)
		}
	}
	if len(parents) == 0 {
		return shown, nil
	}
	var a sqldb.Args
	err := s.src.LogReader().Query(ctx, func(row sqldb.Scanner) error {
		id, err := sqldb.Column[octavo.ID](row)
		shown[id] = true
		return err
	}, `SELECT p.id FROM pages p WHERE p.id IN `+sqldb.List(&a, parents)+` AND `+sqldb.Visible(octavo.Audience{PublishedOnly: true}, "p"), a...)
	if err != nil {
		return nil, fmt.Errorf("look up the parents of %d pages: %w", len(pages), err)
	}
	return shown, nil
}

// Await waits until there is a change after the position, and returns nil.
// If ctx ends first, or the store is closed, it returns the reason; closing
// waits for it. Any number of callers may wait: together they cost the
// database an occasional look. While there are callers, and for a minute
// afterwards, new changes are kept in memory, where Events reads them.
func (s *Log) Await(ctx context.Context, after int64) error {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	s.waited.Store(s.db.Now().UnixMilli())
	return s.AwaitChange(ctx, after)
}

// AwaitChange is Await for callers that do not read the feed.
func (s *Log) AwaitChange(ctx context.Context, after int64) error {
	ctx, detach, err := s.tail.attach(ctx, nil)
	if err != nil {
		return err
	}
	defer detach()
	if s.tail.await(ctx, after) {
		return nil
	}
	return context.Cause(ctx)
}

// awaited reports whether readers of the feed wait, or did recently.
func (s *Log) awaited() bool {
	since := time.Duration(s.db.Now().UnixMilli()-s.waited.Load()) * time.Millisecond
	return s.waiting.Load() > 0 || since.Abs() < recentRest
}
