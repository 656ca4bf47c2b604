package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type searches struct {
	queries  *prometheus.CounterVec
	duration prometheus.Histogram
	regions  *prometheus.GaugeVec
}

func newSearches(r promauto.Factory) searches {
	return searches{
		queries: r.NewCounterVec(prometheus.CounterOpts{
			Name: "octavo_search_queries_total", Help: "Searches, by whether they found something, nothing, or failed.",
		}, []string{"result"}),
		duration: r.NewHistogram(prometheus.HistogramOpts{
			Name: "octavo_search_duration_seconds", Help: "Duration of a search, before its results are checked against the database.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}),
		regions: r.NewGaugeVec(prometheus.GaugeOpts{
			Name: "octavo_search_region", Help: "Always 1; the label is a region that the process searches for.",
		}, []string{"region"}),
	}
}

// SearchRegion records that the process searches for a region.
func (m *Metrics) SearchRegion(region string) { m.searches.regions.WithLabelValues(region).Set(1) }

// Search counts a search with its duration, the number of pages found, and whether it
// failed.
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
