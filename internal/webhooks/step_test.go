package webhooks_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// TestClockSetForwardSendsNothingTwice: a try that is under way when the clock
// is set forward, which ends its lease, is made once and recorded.
func TestClockSetForwardSendsNothingTwice(t *testing.T) {
	onBoth(t, func(r *rig) {
		answer := make(chan struct{})
		v := newReceiver(r, func(w http.ResponseWriter, _ *http.Request) {
			<-answer
			w.WriteHeader(http.StatusNoContent)
		})
		w, _ := r.endpoint(v.URL)
		r.hooks.Timeout, r.hooks.Machine = webhooks.DefaultTimeout, time.Now
		r.run(r.hooks)
		r.publish()
		v.wait(r, 1)
		lease := r.log(w.ID)[0].Lease
		r.clock.move(5 * time.Hour)
		r.hooks.Poke()
		r.until(w.ID, func(list []store.LoggedDelivery) bool { return list[0].Lease != lease })
		close(answer)
		list := r.ended(w.ID, 1)
		if len(list) != 1 || list[0].Status != octavo.DeliverySucceeded || len(v.all()) != 1 {
			r.Errorf("have %d requests and the log %+v, want one that has succeeded", len(v.all()), list)
		}
	})
}

// TestClockGoesBackWhileSending: what has failed waits for its pause after the
// clock went back, and what had become due before then for nothing, as the
// sender sees by a clock that differs from that of the machine.
func TestClockGoesBackWhileSending(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		w, _ := r.endpoint(v.URL)
		r.hooks.Machine = time.Now
		r.run(r.hooks)
		r.publish()
		r.ended(w.ID, 1)
		r.clock.move(-5 * time.Hour)
		r.hooks.Poke()
		r.until(w.ID, func(list []store.LoggedDelivery) bool { return list[1].ReadyAt.Sub(r.clock.now()) <= 6*time.Second })
		v.behave(nil)
		r.clock.move(6 * time.Second)
		r.hooks.Poke()
		r.ended(w.ID, 2)
	})
}

// TestTriesAreMeasuredByTheMachine: a clock that is set while a try is under way
// does not make it long.
func TestTriesAreMeasuredByTheMachine(t *testing.T) {
	r := newRig(t, octavotest.Options{})
	v := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		r.clock.move(10 * time.Hour)
		w.WriteHeader(http.StatusNoContent)
	})
	r.endpoint(v.URL)
	took := make(chan time.Duration, 1)
	r.hooks.Machine = time.Now
	r.hooks.Observe = func(_ octavo.DeliveryStatus, d, _ time.Duration) { took <- d }
	r.run(r.hooks)
	r.publish()
	if have := <-took; have < 0 || have > patience {
		t.Errorf("have a try of %s", have)
	}
}

// TestAFailureWaitsByTheClockOfTheStore: how long is told by the try, from when
// by the store, whose clock may have become another one meanwhile.
func TestAFailureWaitsByTheClockOfTheStore(t *testing.T) {
	r := newRig(t, octavotest.Options{})
	v := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	w, _ := r.endpoint(v.URL)
	r.hooks.Now = func() time.Time { return r.clock.now().Add(5 * time.Hour) }
	r.run(r.hooks)
	r.publish()
	list := r.until(w.ID, func(list []store.LoggedDelivery) bool { return len(list) == 2 })
	if wait := list[1].ReadyAt.Sub(r.clock.now()); wait < 5*time.Second || wait > 6*time.Second {
		t.Errorf("the next try waits for %s, want 5 seconds and a little", wait)
	}
}
