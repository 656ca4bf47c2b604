package webhooks

import (
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// heldFor is how long a process holds a delivery at most, by the machine's clock:
// far longer than a lease and a try. What it holds for longer was forgotten, and
// is sent again.
const heldFor = 5 * store.LeaseTime

// held are the deliveries that this process has claimed and not ended, and the
// leases that it has them by. When the clock is set forward their leases have
// ended, and this process claims them anew: that keeps them, and nothing is sent
// for it.
type held struct {
	mu     sync.Mutex
	leases map[octavo.ID]holding
	late   map[octavo.ID]store.Outcome // what has ended while a claim was made; nil without one
}

// holding is one of them.
type holding struct {
	lease int64
	since time.Time // by the machine's clock
}

func newHeld() *held { return &held{leases: map[octavo.ID]holding{}} }

// claiming says that a claim is about to be made, whose result goes to claim.
func (h *held) claiming() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.late = map[octavo.ID]store.Outcome{}
}

// claim notes what was claimed, and returns what this process did not have, and
// the outcomes that were recorded in vain since the claim came before: they are to
// be recorded once more. forgotten is how many of the former it had for too long.
func (h *held) claim(list []store.Delivery, machine time.Time) (fresh []store.Delivery, again []store.Outcome, forgotten int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range list {
		have, had := h.leases[d.ID]
		if o, ended := h.late[d.ID]; ended && o.Status != octavo.DeliveryPending {
			o.Delivery.Lease = d.Lease
			again = append(again, o)
			have, had = holding{since: machine}, true
		}
		if had && machine.Sub(have.since) > heldFor {
			had = false
			forgotten++
		}
		if !had {
			fresh = append(fresh, d)
			have.since = machine
		}
		have.lease = d.Lease
		h.leases[d.ID] = have
	}
	h.late = nil
	return fresh, again, forgotten
}

// renew gives outcomes the leases that their deliveries are held by.
func (h *held) renew(batch []store.Outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range batch {
		d := &batch[i].Delivery
		if have, had := h.leases[d.ID]; had {
			d.Lease = have.lease
		}
	}
}

// end forgets what has ended by the lease of its outcome, and returns what was
// claimed anew meanwhile, which is to be ended once more.
func (h *held) end(batch []store.Outcome) (again []store.Outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range batch {
		if have, had := h.leases[o.Delivery.ID]; had && have.lease != o.Delivery.Lease {
			again = append(again, o)
			continue
		}
		delete(h.leases, o.Delivery.ID)
		if h.late != nil {
			h.late[o.Delivery.ID] = o
		}
	}
	return again
}
