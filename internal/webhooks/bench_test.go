package webhooks_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BenchmarkDeliveries sends one event after the other to one quick receiver,
// from the change log to the delivery log.
func BenchmarkDeliveries(b *testing.B) {
	for _, endpoints := range []int{1, 20} {
		b.Run(fmt.Sprint(endpoints), func(b *testing.B) {
			r := newRig(b, octavotest.Options{})
			r.clock.live = true
			v := &counter{}
			v.serve(b)
			for i := range endpoints {
				r.endpoint(fmt.Sprintf("%s/%d", v.URL, i))
			}
			for left := (b.N + endpoints - 1) / endpoints; left > 0; left -= 200 {
				r.noError(r.server.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
					for range min(left, 200) {
						r.slugs++
						if _, err := r.server.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
							Title: "T", Slug: fmt.Sprint("p-", r.slugs), Content: strings.Repeat("A page as pages are. ", 100), Status: octavo.Published,
						}}); err != nil {
							return err
						}
					}
					return nil
				}), "create pages")
			}
			b.ResetTimer()
			stop := r.run(r.hooks)
			eventually(b, func() bool { return v.n.Load() >= int64(b.N) }, func() any { return v.n.Load() })
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.Sys)/(1<<20), "MB")
			stop()
		})
	}
}

// BenchmarkArrival measures, with nothing else to do, the time from the commit
// of a publication to its arrival.
func BenchmarkArrival(b *testing.B) {
	r := newRig(b, octavotest.Options{})
	r.clock.live = true
	v := &counter{arrived: make(chan time.Time, 1)}
	v.serve(b)
	r.endpoint(v.URL)
	r.run(r.hooks)
	var took []time.Duration
	for b.Loop() {
		r.publish()
		committed := time.Now()
		took = append(took, (<-v.arrived).Sub(committed))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
