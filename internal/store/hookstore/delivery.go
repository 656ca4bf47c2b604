package hookstore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Delivery is one attempt to send an event to a target. Attempts of one target and lane
// are made one after the other, by position. A failed attempt is followed by the next
// one before anything else in its lane. A zero time means never.
type Delivery struct {
	ID             octavo.ID
	Target         string // the id of a webhook, or a CallbackTarget
	EventID        octavo.ID
	Kind           octavo.EventType
	Lane           string // what is sent in order, such as a page
	Position       int64
	Size           int64 // of the event's data, in bytes
	Attempt        int   // starts at 1
	Status         octavo.DeliveryStatus
	ReadyAt        time.Time // when it is due; zero while another one of its lane is first
	Lease          int64     // of the present attempt's owner; 0 for none
	CreatedAt      time.Time
	EndedAt        time.Time
	ResponseStatus int
	Response       string // the beginning of the response body
	Error          string
}

// Webhook returns the target's webhook id; false for a callback.
func (d Delivery) Webhook() (octavo.ID, bool) {
	return octavo.ID(d.Target), !strings.HasPrefix(d.Target, callbackPrefix)
}

const deliveryColumns = `d.target, d.id, d.event_id, d.kind, d.lane, d.position, d.size, d.attempt, d.status, d.ready_at, d.lease,
	d.created_at, d.ended_at, d.response_status, d.response, d.error`

func scanDelivery(row sqldb.Scanner, more ...any) (d Delivery, err error) {
	err = row.Scan(append([]any{
		&d.Target, &d.ID, &d.EventID, &d.Kind, &d.Lane, &d.Position, &d.Size, &d.Attempt, &d.Status, sqldb.ScanTime(&d.ReadyAt), &d.Lease,
		sqldb.ScanTime(&d.CreatedAt), sqldb.ScanTime(&d.EndedAt), &d.ResponseStatus, &d.Response, &d.Error,
	}, more...)...)
	return d, err
}

func scanOnlyDelivery(row sqldb.Scanner) (Delivery, error) { return scanDelivery(row) }

// NewDelivery is an event to be sent to a target.
type NewDelivery struct {
	Target   string
	EventID  octavo.ID
	Kind     octavo.EventType
	Lane     string
	Position int64
	Size     int64
}

// newDeliveries inserts the first attempts of deliveries.
func newDeliveries() sqldb.Inserter {
	return sqldb.NewInserter("deliveries", "target, id, event_id, kind, lane, position, size, attempt, status, ready_at, lease, created_at", "")
}

// laneKey identifies the deliveries that are sent in order.
type laneKey struct{ lane, target string }

// Add queues events in the order of the list. The first of a lane is due at
// once, the others when those before them are done.
func (s *Hooks) Add(tx *sqldb.Tx, list []NewDelivery) error {
	if len(list) == 0 {
		return nil
	}
	// A transaction that ends the first of a lane looks for the next one.
	if err := tx.Lock(sqldb.QueueLock); err != nil {
		return fmt.Errorf("put %d deliveries in line: %w", len(list), err)
	}
	taken, err := firsts(tx, list)
	if err != nil {
		return err
	}
	now := tx.Now().UnixMilli()
	values := make([]any, 0, len(list)*s.deliveries.Width)
	for _, d := range list {
		id, err := tx.NewID(octavo.PrefixDelivery)
		if err != nil {
			return err
		}
		var ready *int64
		if key := (laneKey{d.Lane, d.Target}); !taken[key] {
			taken[key], ready = true, &now
		}
		values = append(values, d.Target, id, d.EventID, d.Kind, d.Lane, d.Position, d.Size, 1, octavo.DeliveryPending, ready, 0, now)
	}
	if err := tx.Insert(s.deliveries, values); err != nil {
		return fmt.Errorf("put %d deliveries in line: %w", len(list), err)
	}
	return nil
}

// firsts returns which of the lanes have a first delivery.
func firsts(tx *sqldb.Tx, deliveries []NewDelivery) (map[laneKey]bool, error) {
	lanes := make([]string, len(deliveries))
	for i, d := range deliveries {
		lanes[i] = d.Lane
	}
	slices.Sort(lanes)
	lanes = slices.Compact(lanes)
	taken := map[laneKey]bool{}
	for chunk := range slices.Chunk(lanes, maxLanes) {
		var a sqldb.Args
		err := tx.Query(func(row sqldb.Scanner) error {
			var key laneKey
			err := row.Scan(&key.lane, &key.target)
			taken[key] = true
			return err
		}, `SELECT d.lane, d.target FROM deliveries d WHERE d.ready_at IS NOT NULL AND d.lane IN `+sqldb.List(&a, chunk), a...)
		if err != nil {
			return nil, fmt.Errorf("look up what is first in %d lanes: %w", len(chunk), err)
		}
	}
	return taken, nil
}

// maxLanes is how many lanes one statement looks up.
const maxLanes = 128
