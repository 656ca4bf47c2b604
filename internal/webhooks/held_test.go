package webhooks

import (
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestHeld: what is claimed anew while it is under way is not sent for it, in
// whatever order the claim and the outcome come, and what has no end is sent again.
func TestHeld(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_800_000_000, 0)
	lease := func(n int64) []store.Delivery { return []store.Delivery{{ID: "dlv_1", Lease: n}} }
	outcome := func(n int64, status octavo.DeliveryStatus) []store.Outcome {
		return []store.Outcome{{Delivery: store.Delivery{ID: "dlv_1", Lease: n}, Status: status}}
	}
	begin := func() *held {
		h := newHeld()
		h.claiming()
		if fresh, again, _ := h.claim(lease(1), start); len(fresh) != 1 || len(again) != 0 {
			t.Fatalf("the first claim: %v, %v", fresh, again)
		}
		return h
	}
	check := func(what string, h *held, at time.Time, wantFresh, wantAgain, wantForgotten int) []store.Outcome {
		fresh, again, forgotten := h.claim(lease(2), at)
		if len(fresh) != wantFresh || len(again) != wantAgain || forgotten != wantForgotten {
			t.Errorf("%s: have %d, %d, %d; want %d, %d, %d", what, len(fresh), len(again), forgotten, wantFresh, wantAgain, wantForgotten)
		}
		return again
	}

	h := begin()
	h.claiming()
	check("claimed anew", h, start.Add(time.Minute), 0, 0, 0)
	ended := outcome(1, octavo.DeliverySucceeded)
	if again := h.end(ended); len(again) != 1 {
		t.Errorf("an outcome by the former lease: have %v, want it once more", again)
	}
	h.renew(ended)
	if again := h.end(ended); len(again) != 0 || len(h.leases) != 0 {
		t.Errorf("by the lease of now: have %v, %v", again, h.leases)
	}

	h = begin()
	h.claiming()
	if again := h.end(outcome(1, octavo.DeliverySucceeded)); len(again) != 0 {
		t.Errorf("the outcome is recorded before the claim is known: have %v", again)
	}
	again := check("ended while it was claimed", h, start, 0, 1, 0)
	if len(again) == 1 && again[0].Delivery.Lease != 2 {
		t.Errorf("it is ended by the lease %d, want that of the claim", again[0].Delivery.Lease)
	}
	if more := h.end(again); len(more) != 0 || len(h.leases) != 0 {
		t.Errorf("then: have %v, %v", more, h.leases)
	}

	h = begin()
	h.claiming()
	h.end(outcome(1, octavo.DeliveryPending))
	check("given back while it was claimed", h, start, 1, 0, 0)

	h = begin()
	h.claiming()
	check("forgotten", h, start.Add(heldFor+time.Second), 1, 0, 1)
}
