package hookstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// excerptSize limits the part of a request body in the log, in bytes.
const excerptSize = 1024

// LoggedDelivery is a delivery as shown in the log.
type LoggedDelivery struct {
	Delivery
	Request  string // the beginning of the sent body; "" if the event is no longer kept
	Callback string // the address of a callback
}

// Deliveries returns at most limit attempts for a webhook, oldest first,
// after the given id, and whether more follow.
func (s *Hooks) Deliveries(ctx context.Context, hook, after octavo.ID, limit int) (list []LoggedDelivery, more bool, err error) {
	return s.deliveryLog(ctx, `d.target = $1 AND d.id > $2`, sqldb.Plain(string(hook)), sqldb.Plain(string(after)), limit)
}

// EventDeliveries is Deliveries for all targets of one event.
func (s *Hooks) EventDeliveries(ctx context.Context, event, after octavo.ID, limit int) (list []LoggedDelivery, more bool, err error) {
	return s.deliveryLog(ctx, `d.event_id = $1 AND d.id > $2`, sqldb.Plain(string(event)), sqldb.Plain(string(after)), limit)
}

func (s *Hooks) deliveryLog(ctx context.Context, where, of, after string, limit int) ([]LoggedDelivery, bool, error) {
	return sqldb.CollectUpTo(ctx, s.read, "read the deliveries of "+of, limit, scanLogged, `SELECT `+deliveryColumns+`, COALESCE(c.time, 0), COALESCE(substr(c.payload, 1, $4), ''), COALESCE(b.url, '')
		FROM deliveries d LEFT JOIN changes c ON c.event_id = d.event_id LEFT JOIN callbacks b ON b.event_id = d.event_id
		WHERE `+where+` ORDER BY d.id LIMIT $3`, of, after, limit+1, excerptSize)
}

func scanLogged(row sqldb.Scanner) (l LoggedDelivery, err error) {
	var at int64
	var payload, callback string
	if l.Delivery, err = scanDelivery(row, &at, &payload, &callback); err != nil {
		return l, err
	}
	if payload != "" {
		body := octavo.Event{ID: l.EventID, Type: l.Kind, CreatedAt: sqldb.Moment(at), Data: []byte(payload)}.AppendJSON(nil)
		l.Request = strings.ToValidUTF8(string(body[:min(len(body), excerptSize)]), "")
	}
	if _, hook := l.Webhook(); !hook {
		l.Callback = callback
	}
	return l, nil
}

// EventKept reports whether an event is still in the change log.
func (s *Hooks) EventKept(ctx context.Context, event octavo.ID) (kept bool, err error) {
	var one int
	kept, err = s.read.Row(ctx, []any{&one}, `SELECT 1 FROM changes WHERE event_id = $1`, sqldb.Plain(string(event)))
	if err != nil {
		return false, fmt.Errorf("look up event %s: %w", event, err)
	}
	return kept, nil
}

// Sweep removes the log of deliveries whose events were removed.
func (s *Hooks) Sweep(ctx context.Context) error {
	for removed := int64(changelog.RetentionBatch); removed == changelog.RetentionBatch; {
		err := s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
			cutoff := octavo.FirstID(octavo.PrefixEvent, tx.Now().Add(-s.log.Keep()))
			removed, err = tx.Exec(`DELETE FROM deliveries WHERE (target, id) IN (
				SELECT d.target, d.id FROM deliveries d WHERE d.event_id < $1 AND d.status <> 'pending' LIMIT $2)`, cutoff, changelog.RetentionBatch)
			return err
		})
		if err != nil {
			return fmt.Errorf("remove old deliveries: %w", err)
		}
	}
	return nil
}

// Backlog is what waits to be sent to a target.
type Backlog struct {
	Target string
	Due    time.Time // since when the oldest is due, or until when one waits
}

// Stuck returns the targets whose oldest delivery was due longer ago than
// age and has not been tried.
func (s *Hooks) Stuck(ctx context.Context, age time.Duration) (stuck []Backlog, err error) {
	before := s.db.Now().Add(-age)
	for after := ""; ; {
		const slice = 1000
		due, err := s.DueTargets(ctx, after, slice)
		if err != nil {
			return nil, err
		}
		for _, d := range due {
			if !d.At.IsZero() && d.At.Before(before) {
				stuck = append(stuck, Backlog{d.Target, d.At})
			}
			after = d.Target
		}
		if len(due) < slice {
			return stuck, nil
		}
	}
}

// OldestDue returns since when the oldest due delivery is due, or zero if none is due.
func (s *Hooks) OldestDue(ctx context.Context) (oldest time.Time, err error) {
	late, err := s.Stuck(ctx, 0)
	for _, b := range late {
		if oldest.IsZero() || b.Due.Before(oldest) {
			oldest = b.Due
		}
	}
	return oldest, err
}

// MaxPending is the maximum that Pending counts up to.
const MaxPending = 10_000

// Pending returns how many deliveries are still to be sent, including those in backoff.
func (s *Hooks) Pending(ctx context.Context) (n int, err error) {
	_, err = s.read.Row(ctx, []any{&n}, `SELECT COUNT(*) FROM (SELECT 1 FROM (
			SELECT d.id FROM deliveries d WHERE d.ready_at IS NOT NULL
			UNION ALL SELECT d.id FROM deliveries d WHERE d.status = 'pending' AND d.ready_at IS NULL
		) pending LIMIT $1) counted`, MaxPending)
	if err != nil {
		return 0, fmt.Errorf("count what is to be sent: %w", err)
	}
	return n, nil
}
