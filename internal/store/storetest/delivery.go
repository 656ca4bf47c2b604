package storetest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const giveUp = 5 * 24 * time.Hour

// line puts events of a lane in line for a target, and returns their ids.
func (e *env) line(target, lane string, n int) (events []octavo.ID) {
	e.Helper()
	var list []hookstore.NewDelivery
	for range n {
		e.lined++
		d := hookstore.NewDelivery{
			Target: target, EventID: octavo.ID(fmt.Sprintf("evt_%026d", e.lined)), Kind: octavo.PageUpdated, Lane: lane, Position: int64(e.lined),
		}
		list, events = append(list, d), append(events, d.EventID)
	}
	e.noError(e.write(func(tx *sqldb.Tx) error { return e.st.Hooks.Add(tx, list) }), "put in line")
	return events
}

// claim claims from a target and returns what it got.
func (e *env) claim(target string, lease int64) []hookstore.Delivery {
	e.Helper()
	list, err := e.st.Hooks.Claim(e.ctx, []hookstore.Ask{{Target: target, Limit: 100}}, lease)
	e.noError(err, "claim")
	return list
}

func eventsOf(list []hookstore.Delivery) (events []octavo.ID) {
	for _, d := range list {
		events = append(events, d.EventID)
	}
	slices.Sort(events)
	return events
}

// finish ends deliveries, with a retry an hour later where they failed.
func (e *env) finish(status octavo.DeliveryStatus, list ...hookstore.Delivery) (due bool) {
	e.Helper()
	var outcomes []hookstore.Outcome
	for _, d := range list {
		outcomes = append(outcomes, hookstore.Outcome{Delivery: d, Status: status, EndedAt: e.clock.now(), RetryAfter: time.Hour})
	}
	due, err := e.st.Hooks.Finish(e.ctx, outcomes, giveUp)
	e.noError(err, "finish")
	return due
}

func deliveryOrder(e *env) {
	a, b := e.line("t", "a", 3), e.line("t", "b", 1)
	first := e.claim("t", 1)
	e.equal("first of each lane", eventsOf(first), []octavo.ID{a[0], b[0]})
	e.equal("what else there is", e.claim("t", 3), nil)
	e.equal("due after the end", e.finish(octavo.DeliverySucceeded, first...), true)
	next := e.claim("t", 5)
	e.equal("next", eventsOf(next), a[1:2])
	e.line("t", "a", 1)
	e.equal("what else there is", e.claim("t", 7), nil)
	e.equal("due when it is given back", e.finish(octavo.DeliveryPending, next...), true)
	next = e.claim("t", 9)
	e.equal("what was given back", eventsOf(next), a[1:2])
	e.finish(octavo.DeliveryAbandoned, next...)
	e.equal("behind what was given up", eventsOf(e.claim("t", 11)), a[2:])
}

func deliveryRetry(e *env) {
	events := e.line("t", "a", 2)
	e.equal("due after a failure", e.finish(octavo.DeliveryFailed, e.claim("t", 1)...), false)
	e.clock.move(time.Hour - time.Millisecond)
	e.equal("before its time", e.claim("t", 3), nil)
	due, err := e.st.Hooks.DueTargets(e.ctx, "", 10)
	e.noError(err, "look what is due")
	e.equal("due", due, []hookstore.DueTarget{{Target: "t", At: e.clock.now().Add(time.Millisecond)}})
	e.clock.move(time.Millisecond)
	again := e.claim("t", 5)
	e.equal("again", eventsOf(again), events[:1])
	e.equal("attempt", again[0].Attempt, 2)
	e.finish(octavo.DeliverySucceeded, again...)
	log, _, err := e.st.Hooks.EventDeliveries(e.ctx, events[0], "", 10)
	e.noError(err, "read the log")
	var states []octavo.DeliveryStatus
	for _, d := range log {
		states = append(states, d.Status)
	}
	e.equal("tries", states, []octavo.DeliveryStatus{octavo.DeliveryFailed, octavo.DeliverySucceeded})
	e.equal("next of the lane", eventsOf(e.claim("t", 7)), events[1:])
}

func deliveryLease(e *env) {
	e.line("t", "a", 2)
	first := e.claim("t", 1)
	e.clock.move(hookstore.LeaseTime - time.Millisecond)
	e.equal("while it is leased", e.claim("t", 3), nil)
	e.clock.move(time.Millisecond)
	second := e.claim("t", 5)
	e.equal("when the lease has ended", eventsOf(second), eventsOf(first))
	e.equal("end by who lost it", e.finish(octavo.DeliverySucceeded, first...), false)
	log, _, err := e.st.Hooks.EventDeliveries(e.ctx, first[0].EventID, "", 10)
	e.noError(err, "read the log")
	e.equal("status", log[0].Status, octavo.DeliveryPending)
	freed, err := e.st.Hooks.Free(e.ctx)
	e.noError(err, "free")
	e.equal("freed", freed, int64(1))
	e.finish(octavo.DeliverySucceeded, e.claim("t", 7)...)
	e.equal("left", len(e.claim("t", 9)), 1)
}

func deliveryTargets(e *env) {
	for i := range 25 {
		e.line(fmt.Sprintf("t%02d", i), "a", 2)
	}
	var targets []string
	for after := ""; ; {
		due, err := e.st.Hooks.DueTargets(e.ctx, after, 10)
		e.noError(err, "look what is due")
		for _, d := range due {
			targets, after = append(targets, d.Target), d.Target
			e.equal("due", d.At, e.clock.now())
		}
		if len(due) < 10 {
			break
		}
	}
	e.equal("targets", len(slices.Compact(targets)), 25)
	list, err := e.st.Hooks.Claim(e.ctx, []hookstore.Ask{{Target: "t01", Limit: 5}, {Target: "t24", Limit: 5}, {Target: "none", Limit: 5}}, 1)
	e.noError(err, "claim")
	e.equal("claimed", len(list), 2)
	stuck, err := e.st.Hooks.Stuck(e.ctx, time.Hour)
	e.noError(err, "look for stuck ones")
	e.equal("stuck", len(stuck), 0)
	begun := e.clock.now()
	e.clock.move(time.Hour + hookstore.LeaseTime + time.Millisecond)
	oldest, err := e.st.Hooks.OldestDue(e.ctx)
	e.noError(err, "look since when one is due")
	e.equal("due since", oldest, begun)
	stuck, err = e.st.Hooks.Stuck(e.ctx, time.Hour)
	e.noError(err, "look for stuck ones")
	e.equal("stuck after an hour", len(stuck), 25)
}

// deliveryRace: while some put events in line others end them. None is
// forgotten, and those of a lane are claimed in order.
func deliveryRace(e *env) {
	const lanes, each = 3, 40
	var group sync.WaitGroup
	for lane := range lanes {
		group.Go(func() {
			for i := range each {
				err := e.write(func(tx *sqldb.Tx) error {
					return e.st.Hooks.Add(tx, []hookstore.NewDelivery{{
						Target: "t", EventID: octavo.ID(fmt.Sprintf("evt_%d", lane*1000+i)), Kind: octavo.PageUpdated, Lane: fmt.Sprint(lane), Position: int64(i),
					}})
				})
				if err != nil {
					e.Errorf("put in line: %v", err)
					return
				}
			}
		})
	}
	var mu sync.Mutex
	seen := map[string][]int64{}
	total := 0
	for worker := range 3 {
		group.Go(func() {
			for lease := int64(worker) + 1; ; lease += 10 {
				mu.Lock()
				ended := total == lanes*each
				mu.Unlock()
				if ended {
					return
				}
				list, err := e.st.Hooks.Claim(e.ctx, []hookstore.Ask{{Target: "t", Limit: 2}}, lease)
				if err != nil {
					e.Errorf("claim: %v", err)
					return
				}
				mu.Lock()
				var outcomes []hookstore.Outcome
				for _, d := range list {
					seen[d.Lane] = append(seen[d.Lane], d.Position)
					outcomes = append(outcomes, hookstore.Outcome{Delivery: d, Status: octavo.DeliverySucceeded, EndedAt: e.clock.now()})
				}
				mu.Unlock()
				if _, err := e.st.Hooks.Finish(e.ctx, outcomes, giveUp); err != nil {
					e.Errorf("finish: %v", err)
					return
				}
				mu.Lock()
				total += len(list)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for lane, positions := range seen {
		if len(positions) != each || !slices.IsSorted(positions) {
			e.Errorf("lane %s: have %v, want each of %d in order", lane, positions, each)
		}
	}
}

func deliveryDisables(e *env) {
	gone, fails := e.webhook("https://gone.example"), e.webhook("https://fails.example")
	e.line(string(gone.ID), "a", 1)
	_, err := e.st.Hooks.Finish(e.ctx, []hookstore.Outcome{{
		Delivery: e.claim(string(gone.ID), 1)[0], Status: octavo.DeliveryAbandoned, EndedAt: e.clock.now(), Disable: "It is gone.",
	}}, giveUp)
	e.noError(err, "finish")
	gone, err = e.st.Hooks.Get(e.ctx, gone.ID)
	e.noError(err, "read")
	e.equal("disabled", gone.Disabled, true)
	e.equal("reason", gone.Reason, "It is gone.")

	try := func(status octavo.DeliveryStatus) hookstore.Webhook {
		e.Helper()
		lane := fmt.Sprint(e.lined)
		e.line(string(fails.ID), lane, 1)
		list := e.claim(string(fails.ID), 3)
		e.finish(status, list...)
		w, err := e.st.Hooks.Get(e.ctx, fails.ID)
		e.noError(err, "read")
		return w
	}
	since := e.clock.now()
	e.equal("failing since", try(octavo.DeliveryFailed).FailingSince, since)
	e.clock.move(giveUp - time.Millisecond)
	w := try(octavo.DeliveryFailed)
	e.equal("failing since", w.FailingSince, since)
	e.equal("disabled too early", w.Disabled, false)
	e.equal("failing after a success", try(octavo.DeliverySucceeded).FailingSince.IsZero(), true)
	try(octavo.DeliveryFailed)
	e.clock.move(giveUp)
	w = try(octavo.DeliveryFailed)
	e.equal("disabled", w.Disabled, true)
	w, err = e.st.Hooks.Update(e.ctx, sqldb.Cause{}, w.ID, octavo.WebhookPatch{Disabled: ref(false)})
	e.noError(err, "enable")
	e.equal("forgiven", w.FailingSince.IsZero() && w.Reason == "", true)
}
