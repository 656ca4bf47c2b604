package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// Change is one event that a mutation caused, written with it. Followers read
// changes in the order of Position, which rises without a promise to be dense.
type Change struct {
	Position int64
	EventID  octavo.ID
	Time     time.Time
	Kind     octavo.EventType
	Page     octavo.ID // or another subject, such as an asset; Kind tells
	Version  int64
	Actor    octavo.Actor
	TraceID  string
	Public   bool            // the page is or once was published
	Payload  json.RawMessage // the Page as it was published; for other kinds its id
}

// maxChangeBytes is how much payload one reading of changes goes on after.
const maxChangeBytes = 4 << 20

// Changes returns at most limit changes behind the position after: all of them
// or, when they are large, fewer, but none only when there is none. Those that
// were committed before the call are among them. When some of them are not
// kept any more the error is a *[TruncatedError].
func (s *Store) Changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	if _, err := s.LastPosition(ctx); err != nil {
		return nil, err
	}
	return s.behind(ctx, after, limit)
}

// LastPosition returns the position of the newest change. Every change that
// was committed before the call is at or before it, every later one behind it.
func (s *Store) LastPosition(ctx context.Context) (int64, error) {
	end, err := s.db.settle(ctx)
	if err != nil {
		return 0, fmt.Errorf("read where the change log ends: %w", err)
	}
	return end, nil
}

// behind is Changes of those that have their position.
func (s *Store) behind(ctx context.Context, after int64, limit int) ([]Change, error) {
	var list []Change
	size := 0
	position := s.db.position()
	err := s.db.logReader().query(ctx, func(row scanner) error {
		c, err := scanChange(row)
		list = append(list, c)
		if size += len(c.Payload); err == nil && size >= maxChangeBytes {
			return errEnough
		}
		return err
	}, `SELECT `+position+`, event_id, time, kind, subject, version, actor_id, actor_name, trace_id, public, payload
		FROM changes WHERE `+position+` > $1 ORDER BY `+position+` LIMIT $2`, after, limit)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("read changes behind %d: %w", after, err)
	}
	// Asked afterwards, so that what was removed in between is not passed over.
	removed, err := s.FirstPosition(ctx)
	if err != nil {
		return nil, err
	}
	if after < removed {
		return nil, &TruncatedError{After: after, Removed: removed}
	}
	return list, nil
}

func scanChange(row scanner) (Change, error) {
	var (
		c       Change
		at      int64
		payload string
	)
	err := row.Scan(&c.Position, &c.EventID, &at, &c.Kind, &c.Page, &c.Version,
		&c.Actor.ID, &c.Actor.Name, &c.TraceID, &c.Public, &payload)
	c.Time = moment(at)
	c.Payload = json.RawMessage(payload)
	return c, err
}

// record writes an event of the page.
func (tx *Tx) record(kind octavo.EventType, page *pageRow) error {
	id, err := tx.s.opts.IDs.New(octavo.PrefixEvent)
	if err != nil {
		return err
	}
	payload := subjectOnly(page.ID)
	if kind == octavo.PagePublished {
		payload = page.AppendJSON(make([]byte, 0, len(page.Content)+len(page.Content)/8+1<<10)) // most need no more
	}
	if err := tx.insertChange(id, kind, page.ID, page.Version, page.wasPublic, payload); err != nil {
		return err
	}
	tx.touch(kind, page.ID)
	if kind == octavo.PagePublished {
		return tx.tieCallback(page.ID, id)
	}
	return nil
}

// touch notes that what was known of the page does not hold any more.
func (tx *Tx) touch(kind octavo.EventType, id octavo.ID) {
	tx.pages.any = true
	switch kind {
	case octavo.PageCreated:
		tx.created = id
		return
	case octavo.PagePublished:
		if id == tx.created {
			return
		}
		tx.pages.shown = true
	case octavo.PageUpdated:
	default:
		tx.pages.shown = true
	}
	tx.pages.pages = append(tx.pages.pages, id)
}

// touchFile notes that there is no file under the key any more.
func (tx *Tx) touchFile(key string) {
	tx.pages.any = true
	tx.pages.pages = append(tx.pages.pages, octavo.ID(key))
}

// subjectOnly is a payload that names the subject alone.
func subjectOnly(id octavo.ID) []byte {
	return append(octavo.AppendString([]byte(`{"id":`), string(id)), '}')
}

func (tx *Tx) insertChange(id octavo.ID, kind octavo.EventType, subject octavo.ID, version int64, public bool, payload []byte) error {
	if _, err := tx.exec(`INSERT INTO changes (event_id, time, kind, subject, version, actor_id, actor_name,
			trace_id, public, payload, traceparent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		id, tx.now.UnixMilli(), kind, subject, version, tx.cause.Actor.ID, tx.cause.Actor.Name,
		tx.cause.TraceID, public, string(payload), tx.cause.Traceparent); err != nil {
		return fmt.Errorf("record %s of %s: %w", kind, subject, err)
	}
	tx.told = true
	return nil
}
