package changelog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Change is one event of a mutation, written with it. Followers read changes
// in the order of Position, which rises but may have gaps.
type Change struct {
	Position int64
	EventID  octavo.ID
	Time     time.Time
	Kind     octavo.EventType
	Page     octavo.ID // or another subject, such as an asset, depending on Kind
	Version  int64
	Actor    octavo.Actor
	TraceID  string
	Public   bool            // the page is or was published
	Payload  json.RawMessage // the Page as it was published; for other kinds its id
}

// maxChangeBytes limits the payload of one read of changes.
const maxChangeBytes = 4 << 20

// Changes returns at most limit changes after the position after. It returns
// fewer than there are if they are large, but none only if there are none.
// It covers everything that was committed before the call. If some of the
// changes are no longer kept, the error is a *[TruncatedError].
func (s *Log) Changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	if _, err := s.Last(ctx); err != nil {
		return nil, err
	}
	return s.behind(ctx, after, limit)
}

// Last returns the position of the newest change. Every change that was committed
// before the call is at or before it, and every later one after it.
func (s *Log) Last(ctx context.Context) (int64, error) {
	end, err := s.src.settle(ctx)
	if err != nil {
		return 0, fmt.Errorf("read where the change log ends: %w", err)
	}
	return end, nil
}

// behind is Changes for those that have their position.
func (s *Log) behind(ctx context.Context, after int64, limit int) ([]Change, error) {
	var list []Change
	size := 0
	position := s.src.position()
	err := s.src.LogReader().Query(ctx, func(row sqldb.Scanner) error {
		c, err := scanChange(row)
		list = append(list, c)
		if size += len(c.Payload); err == nil && size >= maxChangeBytes {
			return sqldb.ErrEnough
		}
		return err
	}, `SELECT `+position+`, event_id, time, kind, subject, version, actor_id, actor_name, trace_id, public, payload
		FROM changes WHERE `+position+` > $1 ORDER BY `+position+` LIMIT $2`, after, limit)
	if err != nil && !errors.Is(err, sqldb.ErrEnough) {
		return nil, fmt.Errorf("read changes behind %d: %w", after, err)
	}
	// Checked afterwards, so that concurrent removals are not missed.
	removed, err := s.First(ctx)
	if err != nil {
		return nil, err
	}
	if after < removed {
		return nil, &TruncatedError{After: after, Removed: removed}
	}
	return list, nil
}

func scanChange(row sqldb.Scanner) (Change, error) {
	var (
		c       Change
		at      int64
		payload string
	)
	err := row.Scan(&c.Position, &c.EventID, &at, &c.Kind, &c.Page, &c.Version,
		&c.Actor.ID, &c.Actor.Name, &c.TraceID, &c.Public, &payload)
	c.Time = sqldb.Moment(at)
	c.Payload = json.RawMessage(payload)
	return c, err
}

// SubjectOnly is a payload with only the subject's id.
func SubjectOnly(id octavo.ID) []byte {
	return append(octavo.AppendString([]byte(`{"id":`), string(id)), '}')
}

// Record writes a change in the transaction that makes it. id is that of the event.
func Record(tx *sqldb.Tx, id octavo.ID, kind octavo.EventType, subject octavo.ID, version int64, public bool, payload []byte) error {
	if _, err := tx.Exec(`INSERT INTO changes (event_id, time, kind, subject, version, actor_id, actor_name,
			trace_id, public, payload, traceparent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		id, tx.Now().UnixMilli(), kind, subject, version, tx.Cause().Actor.ID, tx.Cause().Actor.Name,
		tx.Cause().TraceID, public, string(payload), tx.Cause().Traceparent); err != nil {
		return fmt.Errorf("record %s of %s: %w", kind, subject, err)
	}
	tx.Changed()
	return nil
}

// ReplaceName replaces the name of the person who made changes. The last
// condition is that of the index that finds them.
func ReplaceName(tx *sqldb.Tx, actor octavo.ID, name string) error {
	_, err := tx.Exec(`UPDATE changes SET actor_name = $2 WHERE actor_id = $1 AND substr(actor_id, 1, 4) = 'usr_'`, actor, name)
	if err != nil {
		return fmt.Errorf("replace who made changes: %w", err)
	}
	return nil
}
