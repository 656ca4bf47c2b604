package webhooks_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// backlog puts so many events in line for so many endpoints, as the follower
// would.
func (r *rig) backlog(address string, targets, events int) {
	r.Helper()
	var hooks []string
	for range targets {
		w, _ := r.endpoint(address)
		hooks = append(hooks, string(w.ID))
	}
	ctx, st := context.Background(), r.server.Store
	for made := 0; made < events; made += 100 {
		r.noError(st.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for range min(100, events-made) {
				r.slugs++
				if _, err := st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
					Title: "T", Slug: fmt.Sprint("p-", r.slugs), Content: "Content", Status: octavo.Published,
				}}); err != nil {
					return err
				}
			}
			return nil
		}), "create pages")
	}
	last := int64(0)
	for {
		log, err := st.Log.Changes(ctx, last, 20)
		r.noError(err, "read the change log")
		if len(log) == 0 {
			break
		}
		var planned []hookstore.NewDelivery
		for _, c := range log {
			if last = c.Position; c.Kind != octavo.PagePublished {
				continue
			}
			for _, target := range hooks {
				planned = append(planned, hookstore.NewDelivery{
					Target: target, EventID: c.EventID, Kind: c.Kind, Lane: string(c.Page), Position: c.Position, Size: int64(len(c.Payload)),
				})
			}
		}
		r.noError(st.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return st.Hooks.Add(tx, planned) }), "put in line")
	}
	r.noError(st.Log.MoveFollower(ctx, "webhooks", last), "move the follower")
}

// BenchmarkBacklog sends 5,000 deliveries from a backlog, and tells how fast and
// with how much memory at most: of Go's heap and stacks, and resident, which
// holds what SQLite has outside of the heap too. All of that is to be the same
// for a million deliveries as for ten thousand. Receiver and sender are in one
// process.
func BenchmarkBacklog(b *testing.B) {
	const targets, sent, looks = 100, 5000, 50
	for _, size := range []struct {
		name   string
		events int
	}{{"10k", 100}, {"100k", 1000}, {"1M", 10_000}} {
		b.Run(size.name, func(b *testing.B) {
			events, sent := size.events, sent
			if testing.Short() {
				events, sent = max(1, events/100), 100
			}
			var heap, resident float64
			var took time.Duration
			runs := 0
			for b.Loop() {
				r := newRig(b, octavotest.Options{})
				r.clock.live = true
				v := &counter{}
				v.serve(b)
				r.backlog(v.URL, targets, events)
				debug.FreeOSMemory()
				forgetPeak(b)
				begun := time.Now()
				stop := r.run(r.hooks)
				for look := 1; look <= looks; look++ {
					eventually(b, func() bool { return v.n.Load() >= int64(look*sent/looks) }, func() any { return v.n.Load() })
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					heap = max(heap, float64(m.HeapInuse+m.StackInuse)/(1<<20))
				}
				took += time.Since(begun)
				resident = max(resident, peak(b))
				stop()
				runs++
			}
			b.ReportMetric(heap, "MiB-heap")
			b.ReportMetric(resident, "MiB-resident")
			b.ReportMetric(float64(runs*sent)/took.Seconds(), "deliveries/s")
		})
	}
}

// forgetPeak has the kernel begin anew to note the highest resident memory of
// this process, see proc_pid_clear_refs(5).
func forgetPeak(b *testing.B) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Fatal(err)
	}
}

// peak returns the highest resident memory since forgetPeak, in MiB.
func peak(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, text, _ := bytes.Cut(status, []byte("VmHWM:"))
	var kB float64
	if _, err := fmt.Sscanf(string(text), "%g kB", &kB); err != nil {
		b.Fatal(err)
	}
	return kB / 1024
}
