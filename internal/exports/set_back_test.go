package exports_test

import (
	"context"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestExportsWhileTheClockGoesBack shows that what a dead process has held is
// begun anew when its lease would have ended, and a failed try made up for, by a
// clock that was set back by hours.
func TestExportsWhileTheClockGoesBack(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *movable) {
		r.page(published("a", "a"))
		bob := ann
		bob.Actor = octavo.Actor{ID: "usr_bob", Name: "Bob"}
		held := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		failed := r.create(bob, octavo.ExportRequest{Scope: octavo.ExportPublished})
		for lease, want := range []octavo.ID{held.ID, failed.ID} {
			x, found, err := r.Store.ClaimExport(t.Context(), int64(lease+1), "blob")
			must(t, err)
			if !found || x.ID != want {
				t.Fatalf("claimed: have %s, want %s", x.ID, want)
			}
		}
		must(t, r.Store.RetryExport(t.Context(), failed.ID, 2, 5*time.Second))
		r.run(r.Service)
		clock.forward(-5 * time.Hour)
		r.until(func() bool {
			for id, most := range map[octavo.ID]time.Duration{held.ID: store.ExportLease, failed.ID: 5 * time.Second} {
				x, err := r.Store.Export(context.Background(), id)
				must(t, err)
				if x.ReadyAt.Sub(clock.now()) > most {
					return false
				}
			}
			return true
		})
		clock.forward(store.ExportLease)
		for _, e := range []octavo.Export{held, failed} {
			r.until(func() bool {
				x, err := r.Store.Export(context.Background(), e.ID)
				must(t, err)
				return x.Status == octavo.ExportReady
			})
		}
	})
}

// TestClockSetForwardBeginsNothingTwice shows that a worker does not claim what
// it makes itself when the clock was set forward, which ends its lease.
func TestClockSetForwardBeginsNothingTwice(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *movable) {
		r.Machine = time.Now
		g := r.gate()
		bob := ann
		bob.Actor = octavo.Actor{ID: "usr_bob", Name: "Bob"}
		first := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		r.run(r.Service)
		<-g.begun
		clock.forward(time.Hour)
		second := r.create(bob, octavo.ExportRequest{Scope: octavo.ExportPublished}) // has the worker look
		<-g.begun
		g.pass <- nil
		g.pass <- nil
		for _, id := range []octavo.ID{first.ID, second.ID} {
			r.until(func() bool {
				x, err := r.Store.Export(context.Background(), id)
				must(t, err)
				if x.Attempt > 1 {
					t.Fatalf("export %s was begun %d times", id, x.Attempt)
				}
				return x.Status == octavo.ExportReady
			})
		}
	})
}
