package exports_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
)

// together takes messages when as many have come as are awaited.
type together struct{ all sync.WaitGroup }

func (m *together) Send(ctx context.Context, _ mail.Message) error {
	m.all.Done()
	done := make(chan struct{})
	go func() { m.all.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestSlowMailServer shows that messages which were claimed together are sent
// at once: one after the other, the last would begin when its lease is over.
func TestSlowMailServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	box := &together{}
	box.all.Add(4)
	r.Mailer = box
	var channels []octavo.ExportChannel
	for i := range 4 {
		channels = append(channels, octavo.ExportChannel{Kind: octavo.ChannelEmail, Email: fmt.Sprintf("a%d@example.com", i)})
	}
	e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{Channels: channels}})
	r.run(r.Service)
	exporttest.Until(r, func() bool {
		e = r.await(e.ID)
		for _, d := range e.Deliveries {
			if d.Status != octavo.DeliverySucceeded {
				return false
			}
		}
		return true
	})
}

// TestBlobStoreFull shows that an export is retried with backoff, and finally fails with a
// reason that its owner sees.
func TestBlobStoreFull(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *exporttest.Clock) {
		r.page(exporttest.Published("a", "a"))
		full := &failing{Store: r.Blobs, err: octavo.Errorf(octavo.StorageFull, "There is no space left.")}
		full.left.Store(100)
		r.Service.Blobs = full
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		for i, pause := range []time.Duration{5 * time.Second, 20 * time.Second, 80 * time.Second, 320 * time.Second} {
			stop := r.run(exports.New(r.Options))
			var x exportstore.Export
			exporttest.Until(r, func() bool {
				var err error
				x, err = r.Store.Exports.Get(context.Background(), e.ID)
				exporttest.Must(r, err)
				return x.Attempt == i+1 && x.Lease == 0
			})
			stop()
			if wait := x.ReadyAt.Sub(clock.Now()); x.Status.Ended() || wait > pause || wait < pause-4*time.Second {
				t.Errorf("try %d: have it %s, due in %s, want it tried again after %s", i+1, x.Status, wait, pause)
			}
			clock.Forward(pause)
		}
		r.run(exports.New(r.Options))
		e = r.await(e.ID)
		if e.Status != octavo.ExportFailed || e.Error == nil || e.Error.Type != "/problems/storage-full" || r.results() != 0 {
			t.Errorf("have %s for %+v and %d results, want it failed since there is no space", e.Status, e.Error, r.results())
		}
	})
}
