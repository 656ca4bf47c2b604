package webhooks_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// TestOrder: the events of a page arrive in order, whatever fails, and no page
// waits for another.
func TestOrder(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, nil)
		w, _ := r.endpoint(v.URL, octavo.PageCreated, octavo.PageUpdated, octavo.PagePublished, octavo.PageUnpublished)
		stuck, free := r.create(octavo.PageCreate{}, sqldb.Cause{}), r.create(octavo.PageCreate{}, sqldb.Cause{})
		v.behave(func(w http.ResponseWriter, hr *http.Request) {
			if body, err := io.ReadAll(hr.Body); err != nil || strings.Contains(string(body), string(stuck.ID)) {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		r.run(r.hooks)
		for _, id := range []octavo.ID{stuck.ID, free.ID} {
			for range 3 {
				r.set(id, octavo.Published)
				r.set(id, octavo.Draft)
			}
		}
		of := func(id octavo.ID) (types []octavo.EventType) {
			for _, g := range v.all() {
				if strings.Contains(string(g.event.Data), string(id)) {
					types = append(types, g.event.Type)
				}
			}
			return types
		}
		want := []octavo.EventType{octavo.PageCreated}
		for range 3 {
			want = append(want, octavo.PagePublished, octavo.PageUnpublished)
		}
		eventually(r, func() bool { return len(of(free.ID)) == len(want) && len(of(stuck.ID)) > 0 }, func() any { return v.all() })
		if have := of(free.ID); !slices.Equal(have, want) {
			r.Errorf("have %v, want %v", have, want)
		}
		if have := of(stuck.ID); !slices.Equal(have, want[:1]) {
			r.Errorf("have %v of the page whose first event fails, want that one alone", have)
		}
		v.behave(nil)
		r.clock.move(6 * time.Second)
		r.hooks.Poke()
		eventually(r, func() bool { return len(of(stuck.ID)) == len(want)+1 }, func() any { return r.log(w.ID) })
		if have := of(stuck.ID)[1:]; !slices.Equal(have, want) {
			r.Errorf("have %v, want %v", have, want)
		}
	})
}

// TestHangingEndpoints: 30 of 300 endpoints hang. The others get each event before the
// first attempt that hangs is given up.
func TestHangingEndpoints(t *testing.T) {
	r := newRig(t, optionsSQLite())
	var gaveUp atomic.Int64
	v := newReceiver(t, func(w http.ResponseWriter, hr *http.Request) {
		if strings.HasPrefix(hr.URL.Path, "/hang") {
			<-hr.Context().Done()
			gaveUp.Add(1)
		}
	})
	const all, hanging = 300, 30
	for i := range all {
		path := "/quick"
		if i < hanging {
			path = "/hang"
		}
		r.endpoint(fmt.Sprintf("%s%s/%d", v.URL, path, i))
	}
	r.hooks.Timeout = webhooks.DefaultTimeout
	r.run(r.hooks)
	for range 3 {
		before := len(v.all())
		r.publish()
		v.wait(r, before+all-hanging)
	}
	if n := gaveUp.Load(); n > 0 {
		t.Errorf("%d quick endpoints waited until %d attempts that hang were given up", all-hanging, n)
	}
}

// TestTwoProcesses share the work: each event is sent once.
func TestTwoProcesses(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, nil)
		const endpoints, events = 4, 60
		for range endpoints {
			r.endpoint(v.URL)
		}
		r.run(r.hooks)
		r.run(r.second())
		var group sync.WaitGroup
		pages := make([]octavo.Page, 4)
		for i := range pages {
			pages[i] = r.create(octavo.PageCreate{}, sqldb.Cause{})
		}
		for _, p := range pages {
			group.Go(func() {
				for range events / len(pages) {
					r.set(p.ID, octavo.Published)
					r.set(p.ID, octavo.Draft)
				}
			})
		}
		group.Wait()
		got := v.wait(r, endpoints*events)
		times := map[octavo.ID]int{}
		for _, g := range got {
			times[g.event.ID]++
		}
		if len(times) != events || len(got) != endpoints*events {
			r.Errorf("have %d events in %d requests, want %d in %d", len(times), len(got), events, endpoints*events)
		}
		for id, n := range times {
			if n != endpoints {
				r.Errorf("event %s arrived %d times, want %d", id, n, endpoints)
			}
		}
	})
}

// TestClockBackwards: what happens after the clock went back is sent at once.
func TestClockBackwards(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, nil)
		w, _ := r.endpoint(v.URL)
		r.run(r.hooks)
		r.publish()
		r.ended(w.ID, 1)
		r.clock.move(-25 * time.Hour)
		p := r.publish()
		r.set(p.ID, octavo.Draft)
		r.set(p.ID, octavo.Published)
		got := v.wait(r, 3)
		for i, g := range got {
			if i > 0 && !strings.Contains(string(g.event.Data), string(p.ID)) {
				r.Errorf("have %s", g.body)
			}
		}
		r.until(w.ID, func(list []hookstore.LoggedDelivery) bool {
			return len(list) == 3 && !slices.ContainsFunc(list, func(d hookstore.LoggedDelivery) bool { return d.Status != octavo.DeliverySucceeded })
		})
	})
}

// TestClockBackwardsDuringRetry checks that deliveries become due if they would
// otherwise wait for too long.
func TestClockBackwardsDuringRetry(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		w, _ := r.endpoint(v.URL)
		stop := r.run(r.hooks)
		r.publish()
		r.until(w.ID, func(list []hookstore.LoggedDelivery) bool { return len(list) == 2 })
		stop()
		r.clock.move(-25 * time.Hour)
		v.behave(nil)
		r.run(r.hooks)
		if d := r.ended(w.ID, 2)[1]; d.Status != octavo.DeliverySucceeded {
			r.Errorf("have %+v, want it sent", d)
		}
	})
}
