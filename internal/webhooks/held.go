package webhooks

import (
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// held are the deliveries that this process has claimed and not ended, and the
// leases that it has them by. When the clock is set forward their leases have
// ended, and this process claims them anew: that keeps them, and nothing is sent
// for it.
type held struct {
	mu     sync.Mutex
	leases map[octavo.ID]int64
}

func newHeld() *held { return &held{leases: map[octavo.ID]int64{}} }

// claim notes what was claimed, and returns what this process did not have.
func (h *held) claim(list []store.Delivery) (fresh []store.Delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range list {
		if _, had := h.leases[d.ID]; !had {
			fresh = append(fresh, d)
		}
		h.leases[d.ID] = d.Lease
	}
	return fresh
}

// renew gives outcomes the leases that their deliveries are held by.
func (h *held) renew(batch []store.Outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range batch {
		d := &batch[i].Delivery
		if lease, had := h.leases[d.ID]; had {
			d.Lease = lease
		}
	}
}

// end forgets what has ended by the lease of its outcome, and returns what was
// claimed anew meanwhile, which is to be ended once more.
func (h *held) end(batch []store.Outcome) (again []store.Outcome) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range batch {
		if lease, had := h.leases[o.Delivery.ID]; had && lease != o.Delivery.Lease {
			again = append(again, o)
			continue
		}
		delete(h.leases, o.Delivery.ID)
	}
	return again
}
