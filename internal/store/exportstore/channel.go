package exportstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Channel is a recipient that is notified of the end of an export.
type Channel struct {
	ExportID octavo.ID
	Number   int
	Kind     octavo.ChannelKind
	Address  string
	Status   octavo.DeliveryStatus
	Attempt  int // number of attempts made
	Lease    int64
	Error    string // of the last failed attempt, unless a later one succeeded
	Answered bool   // whether the receiver of a webhook responded
}

// exportLane is the lane of a delivery to a webhook of an export, which has
// no other deliveries.
func exportLane(id octavo.ID, number int) string { return string(id) + "/" + strconv.Itoa(number) }

// OfLane returns the export and channel number of a delivery's lane; ok is
// false for other lanes.
func OfLane(lane string) (id octavo.ID, number int, ok bool) {
	before, after, found := strings.Cut(lane, "/")
	number, err := strconv.Atoi(after)
	return octavo.ID(before), number, found && err == nil && octavo.ID(before).Is(octavo.PrefixExport)
}

const channelColumns = `c.export_id, c.number, c.kind, c.address, c.status, c.attempt, c.lease, c.error`

func scanChannel(row sqldb.Scanner) (c Channel, err error) {
	err = row.Scan(&c.ExportID, &c.Number, &c.Kind, &c.Address, &c.Status, &c.Attempt, &c.Lease, &c.Error)
	return c, err
}

// tell queues the notifications of the end of an export.
func (s *Exports) tell(tx *sqldb.Tx, id, event octavo.ID, kind octavo.EventType) error {
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), scanChannel, `SELECT `+channelColumns+` FROM export_channels c WHERE c.export_id = $1 ORDER BY c.number`, id)
	if err != nil {
		return fmt.Errorf("read the channels of export %s: %w", id, err)
	}
	var deliveries []hookstore.NewDelivery
	for _, c := range list {
		if c.Kind == octavo.ChannelWebhook {
			deliveries = append(deliveries, hookstore.NewDelivery{Target: hookstore.CallbackTarget(c.Address), EventID: event, Kind: kind, Lane: exportLane(id, c.Number)})
			continue
		}
		if _, err := tx.Exec(`UPDATE export_channels SET ready_at = $3 WHERE export_id = $1 AND number = $2`, id, c.Number, tx.Now().UnixMilli()); err != nil {
			return fmt.Errorf("put the message of export %s in line: %w", id, err)
		}
	}
	return s.hooks.Add(tx, deliveries)
}

// Address returns the address of an export's delivery; found is false if the
// export is gone.
func (s *Exports) Address(ctx context.Context, id octavo.ID, number int) (address string, found bool, err error) {
	found, err = s.read.Row(ctx, []any{&address}, `SELECT c.address FROM export_channels c WHERE c.export_id = $1 AND c.number = $2`, id, number)
	if err != nil {
		return "", false, fmt.Errorf("look up channel %d of export %s: %w", number, id, err)
	}
	return address, found, nil
}

// Channels returns the recipients of the exports' notifications, with the
// results. At most 1,000 ids.
func (s *Exports) Channels(ctx context.Context, ids []octavo.ID) (map[octavo.ID][]Channel, error) {
	var a sqldb.Args
	channels := map[octavo.ID][]Channel{}
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		c, err := scanChannel(row)
		channels[c.ExportID] = append(channels[c.ExportID], c)
		return err
	}, `SELECT `+channelColumns+` FROM export_channels c WHERE c.export_id IN `+sqldb.List(&a, ids)+` ORDER BY c.export_id, c.number`, a...)
	if err != nil {
		return nil, fmt.Errorf("read the channels of %d exports: %w", len(ids), err)
	}
	a = nil
	// The newest attempt of a delivery has its present result.
	err = s.read.Query(ctx, func(row sqldb.Scanner) error {
		var lane string
		var status octavo.DeliveryStatus
		var attempt int
		var reason string
		var answer int
		if err := row.Scan(&lane, &status, &attempt, &reason, &answer); err != nil {
			return err
		}
		id, number, ok := OfLane(lane)
		if list := channels[id]; ok && number < len(list) {
			c := &list[number]
			c.Status, c.Attempt = status, attempt
			if reason != "" || status == octavo.DeliverySucceeded {
				c.Error, c.Answered = reason, answer != 0
			}
			if status == octavo.DeliveryPending {
				c.Attempt--
			}
		}
		return nil
	}, `SELECT d.lane, d.status, d.attempt, d.error, d.response_status FROM exports x JOIN deliveries d ON d.event_id = x.event_id
		WHERE x.event_id <> '' AND x.id IN `+sqldb.List(&a, ids)+` AND d.lane LIKE '%/%' ORDER BY d.id`, a...)
	if err != nil {
		return nil, fmt.Errorf("read the deliveries of %d exports: %w", len(ids), err)
	}
	return channels, nil
}
