package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// searches counts what is searched.
type searches struct {
	queries  *prometheus.CounterVec
	duration prometheus.Histogram
	regions  *prometheus.GaugeVec
}

func newSearches(r prometheus.Registerer) searches {
	s := searches{
		queries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "octavo_search_queries_total", Help: "Searches, by whether they found something, nothing, or failed.",
		}, []string{"result"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "octavo_search_duration_seconds", Help: "Duration of a search, before its results are checked against the database.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}),
		regions: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "octavo_search_region", Help: "Always 1; the label is a region that the process searches for.",
		}, []string{"region"}),
	}
	r.MustRegister(s.queries, s.duration, s.regions)
	return s
}

// SearchRegion notes that the process searches for a region.
func (m *Metrics) SearchRegion(region string) { m.searches.regions.WithLabelValues(region).Set(1) }

// Search counts a search: how long it took, how many pages it found, and
// whether it failed.
func (m *Metrics) Search(took time.Duration, found int, failed bool) {
	result := "found"
	switch {
	case failed:
		result = "failed"
	case found == 0:
		result = "empty"
	}
	m.searches.queries.WithLabelValues(result).Inc()
	m.searches.duration.Observe(took.Seconds())
}
