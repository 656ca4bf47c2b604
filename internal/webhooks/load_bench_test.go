package webhooks_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
)

// percentile returns the time that so many of a hundred do not exceed, in
// milliseconds.
func percentile(took []time.Duration, n int) float64 {
	slices.Sort(took)
	return float64(took[(len(took)-1)*n/100].Microseconds()) / 1000
}

// BenchmarkHangingEndpoints measures how late a publication is at each of 900
// endpoints, while 100 more are quick and while they hang. The ratio of the two
// 99th percentiles is to be 1.
func BenchmarkHangingEndpoints(b *testing.B) {
	const quick, others, publications = 900, 100, 20
	late := func(hanging bool) []time.Duration {
		r := newRig(b, octavotest.Options{})
		r.clock.live = true
		var published atomic.Int64 // when, in ns
		var mu sync.Mutex
		var took []time.Duration
		var arrived atomic.Int64
		v := newReceiver(b, nil)
		v.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
			at := time.Now()
			_, _ = io.Copy(io.Discard, hr.Body)
			if strings.HasPrefix(hr.URL.Path, "/other") {
				if hanging {
					<-hr.Context().Done()
				}
				return
			}
			mu.Lock()
			took = append(took, at.Sub(time.Unix(0, published.Load())))
			mu.Unlock()
			arrived.Add(1)
		})
		for i := range quick + others {
			path := fmt.Sprint("/quick/", i)
			if i%10 == 0 {
				path = fmt.Sprint("/other/", i)
			}
			r.endpoint(v.URL + path)
		}
		stop := r.run(r.hooks)
		for i := range publications {
			published.Store(time.Now().UnixNano())
			r.publish()
			want := int64((i + 1) * quick)
			eventually(b, func() bool { return arrived.Load() >= want }, func() any { return arrived.Load() })
		}
		v.CloseClientConnections()
		stop()
		mu.Lock()
		defer mu.Unlock()
		return took
	}
	var without, with []time.Duration
	for b.Loop() {
		without, with = append(without, late(false)...), append(with, late(true)...)
	}
	b.ReportMetric(percentile(without, 50), "p50-ms-without")
	b.ReportMetric(percentile(with, 50), "p50-ms-with")
	b.ReportMetric(percentile(without, 99), "p99-ms-without")
	b.ReportMetric(percentile(with, 99), "p99-ms-with")
	b.ReportMetric(percentile(with, 99)/percentile(without, 99), "p99-ratio")
}

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
		r.noError(st.Write(ctx, store.Cause{}, func(tx *store.Tx) error {
			for range min(100, events-made) {
				r.slugs++
				if _, err := tx.CreatePage(store.NewPage{PageCreate: octavo.PageCreate{
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
		log, err := st.Changes(ctx, last, 20)
		r.noError(err, "read the change log")
		if len(log) == 0 {
			break
		}
		var planned []store.NewDelivery
		for _, c := range log {
			if last = c.Position; c.Kind != octavo.PagePublished {
				continue
			}
			for _, target := range hooks {
				planned = append(planned, store.NewDelivery{
					Target: target, EventID: c.EventID, Kind: c.Kind, Lane: string(c.Page), Position: c.Position, Size: int64(len(c.Payload)),
				})
			}
		}
		r.noError(st.Write(ctx, store.Cause{}, func(tx *store.Tx) error { return tx.AddDeliveries(planned) }), "put in line")
	}
	r.noError(st.MoveFollower(ctx, "webhooks", last), "move the follower")
}

// BenchmarkBacklog sends from a backlog of 10,000 deliveries and from one of a
// million. The ratios of what the second takes to what the first takes, of
// memory and of time for a delivery, are to be 1.
func BenchmarkBacklog(b *testing.B) {
	const targets, sent, parts = 100, 5000, 5
	drain := func(events int) (memory float64, took time.Duration) {
		r := newRig(b, octavotest.Options{})
		r.clock.live = true
		v := &counter{}
		v.serve(b)
		r.backlog(v.URL, targets, events)
		runtime.GC()
		stop := r.run(r.hooks)
		begun := time.Now()
		for part := 1; part <= parts; part++ {
			eventually(b, func() bool { return v.n.Load() >= int64(part*sent/parts) }, func() any { return v.n.Load() })
			took = time.Since(begun)
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			memory = max(memory, float64(m.HeapInuse+m.StackInuse)/(1<<20))
		}
		stop()
		return memory, took
	}
	for b.Loop() {
		small, quick := drain(100)
		large, slow := drain(10_000)
		b.ReportMetric(small, "MiB-of-10k")
		b.ReportMetric(large, "MiB-of-1M")
		b.ReportMetric(large/small, "memory-ratio")
		b.ReportMetric(sent/slow.Seconds(), "deliveries/s-of-1M")
		b.ReportMetric(float64(slow)/float64(quick), "time-ratio")
	}
}

// BenchmarkBesideWrites measures 300 page writes a second, alone and beside the
// 500 deliveries a second that they cause. The ratio of the 99th percentiles is
// to be at most 2. A write that could not begin when it was due is late by that.
func BenchmarkBesideWrites(b *testing.B) {
	const rate, each, endpoints, spell, workers = 300, 6, 10, 5 * time.Second, 32
	write := func(r *rig) []time.Duration {
		const total = int(rate * spell / time.Second)
		took := make([]time.Duration, total)
		due := make(chan int, total)
		var group sync.WaitGroup
		begun := time.Now()
		base := r.slugs
		r.slugs += total
		for range workers {
			group.Go(func() {
				for i := range due {
					status := octavo.Draft
					if i%each == 0 {
						status = octavo.Published
					}
					err := r.server.Store.Write(b.Context(), store.Cause{}, func(tx *store.Tx) error {
						_, err := tx.CreatePage(store.NewPage{PageCreate: octavo.PageCreate{
							Title: "T", Slug: fmt.Sprint("p-", base+i), Content: strings.Repeat("A page as pages are. ", 100), Status: status,
						}})
						return err
					})
					if err != nil {
						b.Error(err)
					}
					took[i] = time.Since(begun.Add(time.Duration(i) * time.Second / rate))
				}
			})
		}
		for i := range total {
			time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / rate)))
			due <- i
		}
		close(due)
		group.Wait()
		return took
	}
	var alone, beside []time.Duration
	var arrived, seconds float64
	for b.Loop() {
		for _, deliver := range []bool{false, true, true, false} {
			r := newRig(b, octavotest.Options{})
			r.clock.live = true
			if !deliver {
				alone = append(alone, write(r)...)
				continue
			}
			v := &counter{}
			v.serve(b)
			for i := range endpoints {
				r.endpoint(fmt.Sprintf("%s/%d", v.URL, i))
			}
			stop := r.run(r.hooks)
			begun := time.Now()
			beside = append(beside, write(r)...)
			want := int64(rate*spell/time.Second) / each * endpoints
			eventually(b, func() bool { return v.n.Load() >= want }, func() any { return v.n.Load() })
			arrived, seconds = arrived+float64(want), seconds+time.Since(begun).Seconds()
			stop()
		}
	}
	b.ReportMetric(arrived/seconds, "deliveries/s")
	b.ReportMetric(percentile(alone, 50), "p50-ms-alone")
	b.ReportMetric(percentile(beside, 50), "p50-ms-beside")
	b.ReportMetric(percentile(alone, 99), "p99-ms-alone")
	b.ReportMetric(percentile(beside, 99), "p99-ms-beside")
	b.ReportMetric(percentile(beside, 99)/percentile(alone, 99), "p99-ratio")
}
