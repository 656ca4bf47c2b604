package webhooks_test

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// TestDeliverEveryEvent delivers every event of the change log, no others, and those of
// a page in order, whatever the receiver does and however often senders stop.
func TestDeliverEveryEvent(t *testing.T) {
	onBoth(t, func(r *rig) {
		const pages, changes = 6, 20
		const seed = 7
		chance := &luck{r: rand.New(rand.NewPCG(seed, seed))}
		var mu sync.Mutex
		var taken []octavo.ID // events that were answered with success, in order
		v := newReceiver(r, nil)
		tries := map[octavo.ID]int{}
		v.behave(func(w http.ResponseWriter, hr *http.Request) {
			id := octavo.ID(hr.Header.Get("Webhook-Id"))
			mu.Lock()
			tries[id]++
			fault := chance.below(6)
			if tries[id] > 5 {
				fault = 5 // none is to be given up
			}
			mu.Unlock()
			switch fault {
			case 0:
				w.WriteHeader(http.StatusInternalServerError)
				return
			case 1:
				panic(http.ErrAbortHandler)
			case 2:
				time.Sleep(5 * time.Millisecond) // being slow is what it is for
			}
			mu.Lock()
			defer mu.Unlock()
			taken = append(taken, id)
		})
		types := []octavo.EventType{octavo.PageCreated, octavo.PagePublished, octavo.PageUnpublished, octavo.PageUpdated, octavo.PageDeleted}
		w, _ := r.endpoint(v.URL, types...)
		services := []*webhooks.Service{r.hooks, r.second()}
		senders := []func(){r.run(services[0]), r.run(services[1])}
		var group sync.WaitGroup
		for range pages {
			p := r.create(octavo.PageCreate{}, sqldb.Cause{})
			group.Go(func() {
				for i := range changes {
					r.set(p.ID, []octavo.PageStatus{octavo.Published, octavo.Draft}[i%2])
				}
			})
		}
		for range 5 { // while they write and fail, senders end and others begin
			i := chance.below(2)
			senders[i]()
			r.clock.move(6 * time.Second)
			services[i] = r.service(egress.Options{})
			senders[i] = r.run(services[i])
		}
		group.Wait()
		eventually(r, func() bool {
			list := r.log(w.ID)
			arrived, events := 0, map[octavo.ID]bool{}
			for _, d := range list {
				events[d.EventID] = true
				if d.Status == octavo.DeliverySucceeded {
					arrived++
				}
				if d.Status == octavo.DeliveryAbandoned {
					r.Fatalf("%+v was given up", d)
				}
			}
			if len(events) == pages*(1+changes) {
				r.passTime(list)
				for _, s := range services {
					s.Poke()
				}
			}
			return arrived >= pages*(1+changes)
		}, func() any { return len(r.log(w.ID)) })

		log, err := r.server.Store.Log.Changes(r.Context(), 0, 10_000)
		r.noError(err, "read the change log")
		of := func(page octavo.ID) (ids []octavo.ID) {
			for _, c := range log {
				if c.Page == page && slices.Contains(types, c.Kind) {
					ids = append(ids, c.EventID)
				}
			}
			return ids
		}
		mu.Lock()
		defer mu.Unlock()
		first := map[octavo.ID]int{} // when an event arrived first
		for i, id := range taken {
			if _, again := first[id]; !again {
				first[id] = i
			}
		}
		known := 0
		for _, c := range log {
			if c.Kind != octavo.PageCreated {
				continue
			}
			last := -1
			for _, id := range of(c.Page) {
				at, arrived := first[id]
				if !arrived || at < last {
					r.Errorf("event %s of page %s: arrived %v, as number %d behind %d", id, c.Page, arrived, at, last)
				}
				last = at
				known++
			}
		}
		if known != len(first) {
			r.Errorf("%d events arrived of the %d in the log", len(first), known)
		}
	})
}

// passTime moves the clock to the next try of a log, unless one is due or under
// way: on a busy machine days would pass between two tries, and five without
// success disable an endpoint.
func (r *rig) passTime(list []hookstore.LoggedDelivery) {
	now := r.clock.now()
	var next time.Time
	for _, d := range list {
		switch {
		case !d.EndedAt.IsZero() || d.ReadyAt.IsZero(): // over, or waiting for another
		case d.Lease != 0 || !d.ReadyAt.After(now):
			return
		case next.IsZero() || d.ReadyAt.Before(next):
			next = d.ReadyAt
		}
	}
	if !next.IsZero() {
		r.clock.move(next.Sub(now))
	}
}

// luck is chance for many goroutines.
type luck struct {
	mu sync.Mutex
	r  *rand.Rand
}

func (l *luck) below(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.r.IntN(n)
}
