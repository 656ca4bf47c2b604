package storetest

import (
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How long jobs wait at most in these tests.
var (
	deliveryWaits = sqldb.Waits{Lease: hookstore.LeaseTime, Retry: []time.Duration{0, 0, time.Hour}}
	exportWaits   = []time.Duration{0, time.Hour}
	messageWaits  = sqldb.Waits{Lease: time.Minute, Retry: []time.Duration{0, time.Hour}}
)

// setBack is how far the clock goes back in these tests: further than any wait.
const setBack = -25 * time.Hour

// deliveryAhead shows that what was put in line, claimed or failed by a clock
// that was ahead is claimed at once when that is right again, and what waits for
// its next try is not.
func deliveryAhead(e *env) {
	heal := func(want int64) {
		e.Helper()
		healed, err := e.st.Hooks.Heal(e.ctx, deliveryWaits)
		e.noError(err, "heal")
		e.equal("healed", healed, want)
	}
	failed := e.line("t", "failed", 1)
	e.finish(octavo.DeliveryFailed, e.claim("t", 1)...) // for an hour
	held := e.line("t", "held", 1)
	e.equal("claimed", eventsOf(e.claim("t", 3)), held)
	fresh := e.line("t", "new", 2)
	heal(0) // the clock is right
	e.clock.move(setBack)
	e.equal("due before it is healed", e.claim("t", 5), nil)
	heal(3)
	heal(0)
	e.equal("due", eventsOf(e.claim("t", 7)), []octavo.ID{failed[0], held[0], fresh[0]})
	e.clock.move(hookstore.LeaseTime)
	again := e.claim("t", 9)
	e.equal("due when the leases end", len(again), 3)
	e.finish(octavo.DeliveryFailed, again...) // for an hour
	e.clock.move(30 * time.Minute)
	heal(0)
	e.equal("due within its wait", eventsOf(e.claim("t", 11)), nil)
	e.clock.move(setBack / 25) // so that they are due in an hour and a half
	heal(3)
	e.equal("due beyond its wait", len(e.claim("t", 13)), 3)
}

// exportAhead is deliveryAhead of exports.
func exportAhead(e *env) {
	somebody := func(id string) octavo.ID { return e.export(octavo.Actor{ID: id}, exportstore.NewExport{}).ID }
	held, failed := somebody("usr_held"), somebody("usr_failed")
	e.claimExport(1, held)
	e.claimExport(3, failed)
	e.noError(e.st.Exports.Retry(e.ctx, failed, 3, time.Hour), "put back")
	e.claimExport(5, "") // each waits as long as it may
	fresh := somebody("usr_fresh")
	e.clock.move(setBack)
	e.claimExport(7, held)
	e.claimExport(9, failed)
	e.claimExport(11, fresh)
	e.claimExport(13, "")
	e.noError(e.st.Exports.Retry(e.ctx, failed, 9, time.Hour), "put back")
	e.clock.move(exportstore.LeaseTime - time.Millisecond)
	e.claimExport(15, "")
	e.clock.move(time.Millisecond)
	e.claimExport(17, held)
	e.claimExport(19, fresh)
	e.claimExport(21, "")
}

// messageAhead is deliveryAhead of messages about exports.
func messageAhead(e *env) {
	told := octavo.ExportDelivery{Channels: []octavo.ExportChannel{{Kind: octavo.ChannelEmail, Email: "a@example.com"}, {Kind: octavo.ChannelEmail, Email: "b@example.com"}}}
	e.finishExport(e.claimExport(1, e.export(ann, exportstore.NewExport{Request: octavo.ExportRequest{Delivery: told}}).ID), nil)
	claim := func(lease int64, want int) (list []exportstore.Channel) {
		e.Helper()
		list, err := e.st.Exports.ClaimMessages(e.ctx, lease, messageWaits, 10)
		e.noError(err, "claim messages")
		e.equal("claimed", len(list), want)
		return list
	}
	again := exportstore.MessageOutcome{Channel: claim(3, 2)[0], Status: octavo.DeliveryPending, RetryAfter: time.Hour}
	e.noError(e.st.Exports.FinishMessage(e.ctx, again), "put back")
	claim(5, 0)
	e.clock.move(setBack)
	claim(7, 2)
	e.clock.move(messageWaits.Lease - time.Millisecond)
	claim(9, 0)
	e.clock.move(time.Millisecond)
	claim(11, 2)
}
