package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// deliveries counts webhook deliveries and callbacks.
type deliveries struct {
	tries    *prometheus.CounterVec
	duration prometheus.Histogram
	delay    prometheus.Histogram
}

func newDeliveries(r promauto.Factory) deliveries {
	return deliveries{
		tries: r.NewCounterVec(prometheus.CounterOpts{
			Name: "octavo_delivery_attempts_total", Help: "Attempts to deliver an event, by outcome.",
		}, []string{"status"}),
		duration: r.NewHistogram(prometheus.HistogramOpts{
			Name: "octavo_delivery_duration_seconds", Help: "Time that a try took.",
			Buckets: []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 15},
		}),
		delay: r.NewHistogram(prometheus.HistogramOpts{
			Name: "octavo_delivery_delay_seconds", Help: "Time from an event to its arrival.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 5, 30, 300, 3600, 86400, 432000},
		}),
	}
}

// Delivery counts an attempt to deliver an event. late is the time from the event to its
// delivery, negative if it failed.
func (m *Metrics) Delivery(status string, took, late time.Duration) {
	m.deliveries.tries.WithLabelValues(status).Inc()
	m.deliveries.duration.Observe(took.Seconds())
	if late >= 0 {
		m.deliveries.delay.Observe(late.Seconds())
	}
}
