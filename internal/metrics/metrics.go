// Package metrics counts what a process does, for Prometheus. It owns the names and
// labels of the metrics, which follow the conventions of Prometheus, and serves them.
// Other packages decide what is counted. No label contains an identifier of a page or a
// person, so their number is limited.
package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics of one process. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	answered atomic.Uint64 // requests
	answers  sync.Map      // by answerKey
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	size     *prometheus.HistogramVec
	commits  prometheus.Histogram
	writes   prometheus.Histogram

	deliveries deliveries
	searches   searches
	exports    exportMetrics
	imports    *prometheus.HistogramVec
}

// New returns the metrics of a process that runs this version of Octavo.
func New(version string) *Metrics {
	registry := prometheus.NewRegistry()
	auto := promauto.With(registry)
	m := &Metrics{
		registry: registry,
		requests: auto.NewCounterVec(prometheus.CounterOpts{
			Name: "octavo_http_requests_total", Help: "Requests answered, by operation and status.",
		}, []string{"operation", "status"}),
		duration: auto.NewHistogramVec(prometheus.HistogramOpts{
			Name: "octavo_http_request_duration_seconds", Help: "Time from the request's header to the end of its answer.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation"}),
		size: auto.NewHistogramVec(prometheus.HistogramOpts{
			Name: "octavo_http_response_size_bytes", Help: "Bytes of the answer's body, as sent.",
			Buckets: prometheus.ExponentialBuckets(256, 4, 8),
		}, []string{"operation"}),
		commits: auto.NewHistogram(prometheus.HistogramOpts{
			Name: "octavo_store_commit_duration_seconds", Help: "Time from the end of a transaction's statements until it is on disk.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		writes: auto.NewHistogram(prometheus.HistogramOpts{
			Name: "octavo_store_commit_writes", Help: "Writes that shared a commit.", Buckets: prometheus.ExponentialBuckets(1, 2, 9),
		}),
		deliveries: newDeliveries(auto),
		searches:   newSearches(auto),
		exports:    newExports(auto),
		imports: auto.NewHistogramVec(prometheus.HistogramOpts{
			Name: "octavo_import_duration_seconds", Help: "Time that an import took since it was last begun, by how it ended.",
			Buckets: prometheus.ExponentialBuckets(.05, 4, 10),
		}, []string{"status"}),
	}
	auto.NewGauge(prometheus.GaugeOpts{
		Name: "octavo_build_info", Help: "Always 1; the label is the version.", ConstLabels: prometheus.Labels{"version": version},
	}).Set(1)
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request counts a finished request. operation is the operationId, or a fixed word for
// other requests.
func (m *Metrics) Request(operation string, status int, took time.Duration, bytes int64) {
	m.answered.Add(1)
	key := answerKey{operation, status}
	found, ok := m.answers.Load(key)
	if !ok {
		found, _ = m.answers.LoadOrStore(key, answers{
			m.requests.WithLabelValues(operation, strconv.Itoa(status)), m.duration.WithLabelValues(operation), m.size.WithLabelValues(operation),
		})
	}
	a := found.(answers)
	a.count.Inc()
	a.duration.Observe(took.Seconds())
	a.size.Observe(float64(bytes))
}

// answerKey has the labels of responses; answers caches their metrics. Without this cache,
// looking up labels would be most of the cost.
type answerKey struct {
	operation string
	status    int
}

type answers struct {
	count          prometheus.Counter
	duration, size prometheus.Observer
}

// Commit counts a commit of the store and the writes that shared it.
func (m *Metrics) Commit(writes int, took time.Duration) {
	m.commits.Observe(took.Seconds())
	m.writes.Observe(float64(writes))
}

// Answered returns how many requests were counted so far.
func (m *Metrics) Answered() uint64 { return m.answered.Load() }

// Import counts a finished import.
func (m *Metrics) Import(status string, took time.Duration) {
	m.imports.WithLabelValues(status).Observe(took.Seconds())
}

// Gauge adds a gauge that is read at each scrape.
func (m *Metrics) Gauge(name, help string, value func() float64) {
	promauto.With(m.registry).NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}

// Counter adds a counter that is read at each scrape; it must never decrease.
func (m *Metrics) Counter(name, help string, value func() float64) {
	promauto.With(m.registry).NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value)
}

// Handler serves the metrics in the text format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
