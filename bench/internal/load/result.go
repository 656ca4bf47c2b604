package load

import (
	"errors"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// What histograms tell apart: 1 µs to 100 s, in three digits.
const (
	shortest, longest = 1, 100_000_000 // µs
	digits            = 3
)

// Latency is the distribution of latencies, in microseconds.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  int64   `json:"p50"`
	P90  int64   `json:"p90"`
	P99  int64   `json:"p99"`
	P999 int64   `json:"p999"`
	Max  int64   `json:"max"`
}

// Result is what a group found.
type Result struct {
	Group       string           `json:"group"`
	Connections int              `json:"connections"`
	Rate        float64          `json:"rate,omitempty"` // requests due per second; absent in a closed loop
	Seconds     float64          `json:"seconds"`
	Requests    int64            `json:"requests"` // answered with 2xx
	Errors      int64            `json:"errors"`
	Unsent      int64            `json:"unsent,omitempty"` // due in an open loop and never sent
	Kinds       map[string]int64 `json:"errorKinds,omitempty"`
	Throughput  float64          `json:"throughput"` // answered with 2xx per second
	Bytes       float64          `json:"bytesPerRequest"`
	Latency     Latency          `json:"latencyMicros"` // of all: answered, failed and unsent
}

// recorder counts for one connection.
type recorder struct {
	latency             *hdrhistogram.Histogram
	ok, errors, skipped int64
	bytes               int64
	kinds               map[string]int64
}

func newRecorder() *recorder {
	return &recorder{latency: hdrhistogram.New(shortest, longest, digits), kinds: map[string]int64{}}
}

// add counts one request.
func (r *recorder) add(status int, size int64, err error, took time.Duration) {
	r.record(took)
	switch {
	case err != nil:
		r.errors++
		r.kinds[kindOf(err)]++
	case status < 200 || status > 299:
		r.errors++
		r.kinds[strconv.Itoa(status)]++
	default:
		r.ok++
		r.bytes += size
	}
}

// unsent counts a request that was due and not sent before the run ended.
func (r *recorder) unsent(waited time.Duration) {
	r.skipped++
	r.record(waited)
}

func (r *recorder) record(d time.Duration) {
	_ = r.latency.RecordValue(min(max(d.Microseconds(), shortest), longest)) // within its bounds it cannot fail
}

// kindOf names an error without the addresses in it.
func kindOf(err error) string {
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "connection closed"
	case errors.Is(err, errAnswer):
		return err.Error()
	}
	return "connection failed"
}

// merge adds up what the connections of a group counted.
func merge(g Group, duration time.Duration, parts []*recorder) Result {
	all := newRecorder()
	for _, p := range parts {
		all.latency.Merge(p.latency)
		all.ok += p.ok
		all.errors += p.errors
		all.skipped += p.skipped
		all.bytes += p.bytes
		for kind, n := range p.kinds {
			all.kinds[kind] += n
		}
	}
	h := all.latency
	result := Result{
		Group: g.Name, Connections: g.Connections, Rate: g.Rate, Seconds: duration.Seconds(),
		Requests: all.ok, Errors: all.errors, Unsent: all.skipped, Kinds: all.kinds,
		Throughput: float64(all.ok) / duration.Seconds(),
		Latency: Latency{
			Mean: h.Mean(), P50: h.ValueAtQuantile(50), P90: h.ValueAtQuantile(90),
			P99: h.ValueAtQuantile(99), P999: h.ValueAtQuantile(99.9), Max: h.Max(),
		},
	}
	if all.ok > 0 {
		result.Bytes = float64(all.bytes) / float64(all.ok)
	}
	return result
}
