package storetest

import (
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// exportSetBack shows that after the clock went back nothing waits for the time
// that it had told: what is leased waits for a lease, what failed for as long as
// it may, and what is new not at all.
func exportSetBack(e *env) {
	exports := store.Waits{Lease: store.ExportLease, Retry: []time.Duration{0, 5 * time.Minute, 20 * time.Minute}}
	messages := store.Waits{Lease: time.Minute, Retry: []time.Duration{0, time.Hour}}
	setBack := func(want int64) {
		e.Helper()
		moved, err := e.st.SetBackExports(e.ctx, exports, messages)
		e.noError(err, "set back")
		e.equal("set back", moved, want)
	}
	mails := func(n int, lease int64) (list []store.ExportChannel) {
		e.Helper()
		list, err := e.st.ClaimMessages(e.ctx, lease, messages.Lease, 10)
		e.noError(err, "claim messages")
		e.equal("messages claimed", len(list), n)
		return list
	}
	somebody := func(id string) octavo.Actor { return octavo.Actor{ID: id} }
	told := octavo.ExportDelivery{Channels: []octavo.ExportChannel{{Kind: octavo.ChannelEmail, Email: "a@example.com"}, {Kind: octavo.ChannelEmail, Email: "b@example.com"}}}

	e.finishExport(e.claimExport(1, e.export(ann, store.NewExport{Request: octavo.ExportRequest{Delivery: told}}).ID), nil)
	list := mails(2, 3)
	e.noError(e.st.FinishMessage(e.ctx, store.MessageOutcome{Channel: list[0], Status: octavo.DeliveryPending, RetryAfter: time.Hour}), "put back")
	held := e.export(somebody("usr_held"), store.NewExport{})
	e.claimExport(5, held.ID)
	once := e.export(somebody("usr_once"), store.NewExport{})
	e.claimExport(7, once.ID)
	e.noError(e.st.RetryExport(e.ctx, once.ID, 7, 5*time.Minute), "put back")
	fresh := e.export(somebody("usr_fresh"), store.NewExport{})
	setBack(0) // the clock is right

	e.clock.move(-25 * time.Hour)
	e.claimExport(9, "")
	setBack(5)
	setBack(0)
	e.claimExport(11, fresh.ID)
	e.claimExport(13, "")
	again := e.export(somebody("usr_held"), store.NewExport{})
	e.claimExport(15, "") // its subject has one under way
	mails(0, 17)

	e.clock.move(store.ExportLease)
	e.claimExport(19, held.ID)
	e.noError(e.st.RetryExport(e.ctx, held.ID, 19, 20*time.Minute), "put back")
	e.finishExport(e.claimExport(21, fresh.ID), nil)
	e.finishExport(e.claimExport(23, again.ID), nil)
	e.clock.move(time.Minute - store.ExportLease)
	e.equal("whose lease has ended", mails(1, 25)[0].Number, list[1].Number)
	e.clock.move(4*time.Minute - time.Millisecond)
	e.claimExport(27, "")
	e.clock.move(time.Millisecond)
	e.finishExport(e.claimExport(29, once.ID), nil)

	e.clock.move(-time.Hour)
	setBack(3)
	e.clock.move(20*time.Minute - time.Millisecond)
	e.claimExport(31, "")
	e.clock.move(time.Millisecond)
	e.claimExport(33, held.ID)
	e.clock.move(40*time.Minute - time.Millisecond)
	mails(1, 35) // whose lease has ended once more
	e.clock.move(time.Millisecond)
	mails(1, 37)
}

// exportBusy shows that whoever claims passes over the subjects of what it works
// on, though the clock was set forward and their leases have ended.
func exportBusy(e *env) {
	mine := e.export(octavo.Actor{ID: "usr_mine"}, store.NewExport{})
	e.export(octavo.Actor{ID: "usr_mine"}, store.NewExport{})
	e.claimExport(1, mine.ID)
	e.clock.move(5 * time.Hour)
	_, found, err := e.st.ClaimExport(e.ctx, 3, "blob", "usr_mine", "usr_two", "usr_three")
	e.noError(err, "claim")
	e.equal("claimed of a subject that is busy", found, false)
	other := e.export(octavo.Actor{ID: "usr_other"}, store.NewExport{})
	x, _, err := e.st.ClaimExport(e.ctx, 5, "blob", "usr_mine")
	e.noError(err, "claim")
	e.equal("claimed", x.ID, other.ID)
	held, err := e.st.BeatExport(e.ctx, mine.ID, 1, 0)
	e.noError(err, "beat")
	e.equal("held", held, true)
}

// messageAfterFailover shows that a message that was not sent waits for its
// pause by the clock that it is claimed by, whatever that told when it was tried.
func messageAfterFailover(e *env) {
	told := octavo.ExportDelivery{Channels: []octavo.ExportChannel{{Kind: octavo.ChannelEmail, Email: "a@example.com"}}}
	e.finishExport(e.claimExport(1, e.export(ann, store.NewExport{Request: octavo.ExportRequest{Delivery: told}}).ID), nil)
	claim := func(lease int64, want int) (list []store.ExportChannel) {
		e.Helper()
		list, err := e.st.ClaimMessages(e.ctx, lease, time.Minute, 10)
		e.noError(err, "claim messages")
		e.equal("claimed", len(list), want)
		return list
	}
	o := store.MessageOutcome{Channel: claim(3, 1)[0], Status: octavo.DeliveryPending, RetryAfter: time.Hour}
	e.clock.move(-5 * time.Hour)
	e.noError(e.st.FinishMessage(e.ctx, o), "put back")
	e.clock.move(time.Hour - time.Millisecond)
	claim(5, 0)
	e.clock.move(time.Millisecond)
	claim(7, 1)
}
