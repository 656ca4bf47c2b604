package storetest

import (
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// waits are how long deliveries wait at most in these tests.
var waits = store.Waits{Lease: store.LeaseTime, Retry: []time.Duration{0, 0, time.Hour}}

// deliverySetBack shows that after the clock went back what was put in line
// while it was ahead waits for as long as it was to wait then.
func deliverySetBack(e *env) {
	e.line("t", "waits", 1)
	e.finish(octavo.DeliveryFailed, e.claim("t", 1)...) // for an hour
	e.line("t", "held", 1)
	held := e.claim("t", 3)
	e.line("t", "new", 2)
	before, err := e.st.SetBackDeliveries(e.ctx, waits)
	e.noError(err, "set back")
	e.equal("set back although the clock is right", before, int64(0))
	e.clock.move(-time.Second)
	before, err = e.st.SetBackDeliveries(e.ctx, waits)
	e.noError(err, "set back")
	e.equal("set back although it differs by little", before, int64(0))
	e.clock.move(time.Second)
	e.clock.move(-25 * time.Hour)
	for _, want := range []int64{3, 0} {
		moved, err := e.st.SetBackDeliveries(e.ctx, waits)
		e.noError(err, "set back")
		e.equal("set back", moved, want)
	}
	first := e.claim("t", 5)
	e.equal("what was due", first[0].Lane, "new")
	e.finish(octavo.DeliverySucceeded, first...)
	e.finish(octavo.DeliverySucceeded, e.claim("t", 7)...)
	e.clock.move(store.LeaseTime)
	again := e.claim("t", 9)
	e.equal("when its lease ends", eventsOf(again), eventsOf(held))
	e.finish(octavo.DeliverySucceeded, again...)
	e.clock.move(time.Hour - store.LeaseTime - time.Millisecond)
	e.equal("before its time", e.claim("t", 11), nil)
	e.clock.move(time.Millisecond)
	e.equal("at its time", e.claim("t", 13)[0].Lane, "waits")
}

// deliveryMadeDueAhead shows that after the clock went back nothing waits longer
// than it may of what was in line before and became due while it was ahead.
func deliveryMadeDueAhead(e *env) {
	failed := e.line("t", "failed", 1)
	e.finish(octavo.DeliveryFailed, e.claim("t", 1)...)
	a, given, freed := e.line("t", "a", 2), e.line("t", "given", 1), e.line("t", "freed", 1)
	before := e.claim("t", 3)
	e.equal("claimed before", len(before), 3)
	e.clock.move(5 * time.Hour)
	e.finish(octavo.DeliverySucceeded, before[0]) // has the next of its lane due
	e.finish(octavo.DeliveryPending, before[1])
	_, err := e.st.FreeDeliveries(e.ctx)
	e.noError(err, "free")
	ahead := e.claim("t", 5)
	e.equal("due while it was ahead", eventsOf(ahead), []octavo.ID{failed[0], a[1], given[0], freed[0]})
	e.finish(octavo.DeliveryPending, ahead...)
	e.clock.move(-5 * time.Hour)
	e.equal("due when it went back", e.claim("t", 7), nil)
	putOff := func(want ...store.Backlog) {
		e.Helper()
		have, err := e.st.PutOffDeliveries(e.ctx, waits, time.Minute)
		e.noError(err, "look what was put off")
		e.equal("put off", have, want)
	}
	putOff(store.Backlog{Target: "t", Due: e.clock.now().Add(5 * time.Hour)})
	for _, want := range []int64{4, 0} {
		moved, err := e.st.SetBackDeliveries(e.ctx, waits)
		e.noError(err, "set back")
		e.equal("set back", moved, want)
	}
	putOff()
	first := e.claim("t", 9)
	e.equal("due then", eventsOf(first), []octavo.ID{a[1], given[0], freed[0]})
	e.finish(octavo.DeliverySucceeded, first...)
	e.clock.move(time.Hour - time.Millisecond)
	e.equal("before what failed may be due", e.claim("t", 11), nil)
	e.clock.move(time.Millisecond)
	e.equal("when it is due at the latest", eventsOf(e.claim("t", 13)), failed)
}

// deliveryGivenBackAhead shows that what was claimed before the clock was set
// ahead, and given back while it was, is due when it goes back.
func deliveryGivenBackAhead(e *env) {
	failed := e.line("t", "failed", 1)
	e.finish(octavo.DeliveryFailed, e.claim("t", 1)...)
	e.clock.move(time.Hour)
	again := e.claim("t", 3)
	e.clock.move(5 * time.Hour)
	e.equal("due at once", e.finish(octavo.DeliveryPending, again...), true)
	e.clock.move(-5 * time.Hour)
	e.equal("due", eventsOf(e.claim("t", 5)), failed)
}

// deliveryAfterFailover shows that a try that failed waits for its pause by the
// clock that it is claimed by, whatever that told when the try was made.
func deliveryAfterFailover(e *env) {
	e.line("t", "a", 1)
	o := store.Outcome{Delivery: e.claim("t", 1)[0], Status: octavo.DeliveryFailed, EndedAt: e.clock.now(), RetryAfter: time.Minute}
	e.clock.move(-5 * time.Hour)
	_, err := e.st.FinishDeliveries(e.ctx, []store.Outcome{o}, giveUp)
	e.noError(err, "finish")
	e.clock.move(time.Minute - time.Millisecond)
	e.equal("before its time", e.claim("t", 3), nil)
	e.clock.move(time.Millisecond)
	e.equal("at its time", len(e.claim("t", 5)), 1)
}
