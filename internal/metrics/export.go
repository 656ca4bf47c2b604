package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type exportMetrics struct {
	duration *prometheus.HistogramVec
	size     *prometheus.HistogramVec
	messages *prometheus.CounterVec
	notices  *prometheus.CounterVec // of proposals
}

func newExports(r promauto.Factory) exportMetrics {
	return exportMetrics{
		duration: r.NewHistogramVec(prometheus.HistogramOpts{
			Name: "octavo_export_duration_seconds", Help: "Time that making an export took, by its format and how it ended.",
			Buckets: prometheus.ExponentialBuckets(.01, 4, 10),
		}, []string{"format", "status"}),
		size: r.NewHistogramVec(prometheus.HistogramOpts{
			Name: "octavo_export_size_bytes", Help: "Bytes of the result of an export.", Buckets: prometheus.ExponentialBuckets(1024, 8, 8),
		}, []string{"format"}),
		messages: r.NewCounterVec(prometheus.CounterOpts{
			Name: "octavo_export_messages_total", Help: "Tries to send a message about an export by email, by how they ended.",
		}, []string{"status"}),
		notices: r.NewCounterVec(prometheus.CounterOpts{
			Name: "octavo_notification_messages_total", Help: "Tries to mail a person notifications of proposals, by how they ended.",
		}, []string{"status"}),
	}
}

// Export counts a finished export.
func (m *Metrics) Export(format, status string, took time.Duration, size int64) {
	m.exports.duration.WithLabelValues(format, status).Observe(took.Seconds())
	if size > 0 {
		m.exports.size.WithLabelValues(format).Observe(float64(size))
	}
}

// ExportMessage counts an attempt to mail the end of an export.
func (m *Metrics) ExportMessage(status string) { m.exports.messages.WithLabelValues(status).Inc() }

// NotificationMessage counts an attempt to mail notifications.
func (m *Metrics) NotificationMessage(status string) { m.exports.notices.WithLabelValues(status).Inc() }
