package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func newImports(r prometheus.Registerer) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "octavo_import_duration_seconds", Help: "Time that an import took since it was last begun, by how it ended.",
		Buckets: prometheus.ExponentialBuckets(.05, 4, 10),
	}, []string{"status"})
	r.MustRegister(h)
	return h
}

// Import counts an import that has ended.
func (m *Metrics) Import(status string, took time.Duration) {
	m.imports.WithLabelValues(status).Observe(took.Seconds())
}
