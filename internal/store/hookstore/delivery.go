package hookstore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Delivery is one try to send an event to a target. Those of one target and
// lane are made one after the other, by position; a try that failed is
// followed by the next one before anything else of its lane. A zero time says
// never.
type Delivery struct {
	ID             octavo.ID
	Target         string // the id of a webhook, or a CallbackTarget
	EventID        octavo.ID
	Kind           octavo.EventType
	Lane           string // what is sent in order: a page, say
	Position       int64
	Size           int64 // of the event's data, in bytes
	Attempt        int   // counts from 1
	Status         octavo.DeliveryStatus
	ReadyAt        time.Time // when it is due; zero while another one of its lane is first
	Lease          int64     // of who makes the try just now; 0 for nobody
	CreatedAt      time.Time
	EndedAt        time.Time
	ResponseStatus int
	Response       string // the beginning of the answer's body
	Error          string
}

// Webhook returns the endpoint that is the target; false for a callback.
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

// newDeliveries inserts the first tries of deliveries.
func newDeliveries() sqldb.Inserter {
	return sqldb.NewInserter("deliveries", "target, id, event_id, kind, lane, position, size, attempt, status, ready_at, lease, created_at", "")
}

// laneKey is what deliveries are in order within.
type laneKey struct{ lane, target string }

// Add puts events in line, in the order of the list. The first of a
// lane is due at once, the others when those before them are done.
func (s *Hooks) Add(tx *sqldb.Tx, list []NewDelivery) error {
	if len(list) == 0 {
		return nil
	}
	// Whoever ends the first of a lane looks for what comes behind it.
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
