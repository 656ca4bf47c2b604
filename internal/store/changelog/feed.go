package changelog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	a := asked{q.After, q.Public, q.Limit, q.Bytes, fmt.Sprint(q.Types)}
	looked, err := s.looks.Share(ctx, a)
	if err != nil {
		return nil, 0, err
	}
	if found, ok := looked.found[a]; ok {
		return found.events, found.next, found.err
	}
	return s.eventsBefore(ctx, q, looked.end)
}

// asked is an EventQuery as a key.
type asked struct {
	after        int64
	public       bool
	limit, bytes int
	types        string // as fmt.Sprint writes a list
}

func (a asked) query() EventQuery {
	q := EventQuery{After: a.after, Public: a.public, Limit: a.limit, Bytes: a.bytes}
	for _, t := range strings.Fields(strings.Trim(a.types, "[]")) {
		q.Types = append(q.Types, octavo.EventType(t))
	}
	return q
}

// looked is where the log ends, and the answers to queries that begin near its end.
type looked struct {
	end   int64
	found map[asked]answer
}

type answer struct {
	events []Change
	next   int64
	err    error
}

// look finds the end of the log, and reads once what many ask for who wait there.
func (s *Log) look(queries []asked) (looked, error) {
	ctx, cancel := context.WithTimeout(s.db.Life().Context(), sqldb.LookTimeout/2) // some wait for the look before as well
	defer cancel()
	end, err := s.Last(ctx)
	if err != nil {
		return looked{}, s.db.Life().Err(err)
	}
	l := looked{end, map[asked]answer{}}
	for _, a := range queries {
		if a.after >= 0 && end-a.after <= feedSpan {
			events, next, err := s.eventsBefore(ctx, a.query(), end)
			l.found[a] = answer{events, next, s.db.Life().Err(err)}
		}
	}
	return l, nil
}

// eventsBefore is Events up to a known end of the log.
func (s *Log) eventsBefore(ctx context.Context, q EventQuery, end int64) (events []Change, next int64, err error) {
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

// parentsOf returns the pages of page.published that have a parent, by index
// of the change.
func parentsOf(changes []Change) (map[int]octavo.Page, error) {
	pages := map[int]octavo.Page{}
	for i, c := range changes {
		if c.Kind != octavo.PagePublished {
			continue
		}
		var page octavo.Page
		if err := json.Unmarshal(c.Payload, &page); err != nil {
			return nil, fmt.Errorf("read the page of event %s: %w", c.EventID, err)
		}
		if page.ParentID != "" {
			pages[i] = page
		}
	}
	return pages, nil
}

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
	return shown, octavo.Wrapf(err, "look up the parents of %d pages", len(pages))
}

// Await waits until there is a change after the position, and returns nil.
// If ctx ends first, or the store is closed, it returns the reason; closing
// waits for it. Any number of callers may wait: together they cost the
// database an occasional look.
func (s *Log) Await(ctx context.Context, after int64) error {
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
