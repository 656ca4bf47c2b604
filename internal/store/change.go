package store

import (
	"context"
	"encoding/json"
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
	Page     octavo.ID
	Version  int64
	Actor    octavo.Actor
	TraceID  string
	Public   bool            // the page is or once was published
	Payload  json.RawMessage // the Page as it was published; for other kinds its id
}

// Changes returns at most limit changes behind the position after. On
// PostgreSQL every change that was committed before the call has its position.
func (s *Store) Changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	if err := s.db.settle(ctx); err != nil {
		return nil, fmt.Errorf("order changes: %w", err)
	}
	position := s.db.position()
	list, err := collect(ctx, s.read, scanChange,
		`SELECT `+position+`, event_id, time, kind, subject, version, actor_id, actor_name, trace_id, public, payload
		FROM changes WHERE `+position+` > $1 ORDER BY `+position+` LIMIT $2`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read changes behind %d: %w", after, err)
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
	payload := append(octavo.AppendString([]byte(`{"id":`), string(page.ID)), '}')
	if kind == octavo.PagePublished {
		payload = page.AppendJSON(nil)
	}
	if _, err := tx.exec(`INSERT INTO changes (event_id, time, kind, subject, version, actor_id, actor_name,
			trace_id, public, payload)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		id, tx.now.UnixMilli(), kind, page.ID, page.Version, tx.cause.Actor.ID, tx.cause.Actor.Name,
		tx.cause.TraceID, page.wasPublic, string(payload)); err != nil {
		return fmt.Errorf("record %s of page %s: %w", kind, page.ID, err)
	}
	if kind == octavo.PagePublished {
		return tx.tieCallback(page.ID, id)
	}
	return nil
}
