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
	"github.com/octavo-docs/octavo/internal/store"
)

// TestWhatArrivesIsTheLog: whatever the receiver does, and however often the
// senders stop, every event of the change log arrives, none that is not in it,
// and those of a page in its order.
func TestWhatArrivesIsTheLog(t *testing.T) {
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
		senders := []func(){r.run(r.hooks), r.run(r.second())}
		var group sync.WaitGroup
		for range pages {
			p := r.create(octavo.PageCreate{}, store.Cause{})
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
			senders[i] = r.run(r.service(egress.Options{}))
		}
		group.Wait()
		eventually(r, func() bool {
			r.clock.move(time.Hour)
			r.hooks.Poke()
			list := r.log(w.ID)
			arrived := 0
			for _, d := range list {
				if d.Status == octavo.DeliverySucceeded {
					arrived++
				}
				if d.Status == octavo.DeliveryAbandoned {
					r.Fatalf("%+v was given up", d)
				}
			}
			return arrived >= pages*(1+changes)
		}, func() any { return len(r.log(w.ID)) })

		log, err := r.server.Store.Changes(r.Context(), 0, 10_000)
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
