package webhooks_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
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

// BenchmarkBesideWrites measures 300 page writes a second, alone and beside the
// 500 deliveries a second that they cause. The ratio of the 99th percentiles is
// to be at most 2. A write that could not begin when it was due is late by that.
// Percentiles are of spells of 1,500 writes, of which each has one alone and one
// beside, and what is told is the spell in the middle: a disk that holds its
// breath for 50 ms is in the 99th percentile of the spell that it meets.
func BenchmarkBesideWrites(b *testing.B) {
	const rate, each, endpoints, spell, workers, rounds = 300, 6, 10, 5 * time.Second, 32, 7
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
					err := r.server.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
						_, err := r.server.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
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
	without := func() []time.Duration {
		r := newRig(b, octavotest.Options{})
		r.clock.live = true
		return write(r)
	}
	var arrived, seconds float64
	with := func() []time.Duration {
		r := newRig(b, octavotest.Options{})
		r.clock.live = true
		v := &counter{}
		v.serve(b)
		for i := range endpoints {
			r.endpoint(fmt.Sprintf("%s/%d", v.URL, i))
		}
		stop := r.run(r.hooks)
		defer stop()
		begun := time.Now()
		took := write(r)
		want := int64(rate*spell/time.Second) / each * endpoints
		eventually(b, func() bool { return v.n.Load() >= want }, func() any { return v.n.Load() })
		arrived, seconds = arrived+float64(want), seconds+time.Since(begun).Seconds()
		return took
	}
	var middle, tail [2][]float64 // of spells: alone, beside
	var ratio []float64
	for b.Loop() {
		for i := range rounds {
			var took [2][]time.Duration
			if i%2 == 0 { // which of both comes first must not matter
				took[0] = without()
			}
			took[1] = with()
			if i%2 == 1 {
				took[0] = without()
			}
			for j := range took {
				middle[j] = append(middle[j], percentile(took[j], 50))
				tail[j] = append(tail[j], percentile(took[j], 99))
			}
			ratio = append(ratio, percentile(took[1], 99)/percentile(took[0], 99))
		}
	}
	b.ReportMetric(arrived/seconds, "deliveries/s")
	b.ReportMetric(median(middle[0]), "p50-ms-alone")
	b.ReportMetric(median(middle[1]), "p50-ms-beside")
	b.ReportMetric(median(tail[0]), "p99-ms-alone")
	b.ReportMetric(median(tail[1]), "p99-ms-beside")
	b.ReportMetric(slices.Max(tail[0]), "worst-p99-ms-alone")
	b.ReportMetric(slices.Max(tail[1]), "worst-p99-ms-beside")
	b.ReportMetric(median(ratio), "p99-ratio")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
