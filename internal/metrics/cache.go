package metrics

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// Cache counts for one cache. Each method is one atomic addition. A nil Cache
// counts nothing, so who has no metrics needs no other code.
type Cache struct{ hits, misses, bytes, entries atomic.Int64 }

// Cache returns the counters of the cache of that name, which must be new.
func (m *Metrics) Cache(name string) *Cache {
	c := &Cache{}
	labels := prometheus.Labels{"cache": name}
	read := func(n *atomic.Int64) func() float64 { return func() float64 { return float64(n.Load()) } }
	m.registry.MustRegister(
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "octavo_cache_hits_total", Help: "What was found in a cache.", ConstLabels: labels,
		}, read(&c.hits)),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "octavo_cache_misses_total", Help: "What was looked for in a cache and not found.", ConstLabels: labels,
		}, read(&c.misses)),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "octavo_cache_bytes", Help: "Bytes that a cache holds.", ConstLabels: labels,
		}, read(&c.bytes)),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "octavo_cache_entries", Help: "Entries that a cache holds.", ConstLabels: labels,
		}, read(&c.entries)),
	)
	return c
}

// Hit counts that something was found.
func (c *Cache) Hit() {
	if c != nil {
		c.hits.Add(1)
	}
}

// Miss counts that something was not found.
func (c *Cache) Miss() {
	if c != nil {
		c.misses.Add(1)
	}
}

// Grow notes entries and bytes that came; negative numbers are of what went.
func (c *Cache) Grow(entries, bytes int) {
	if c != nil {
		c.entries.Add(int64(entries))
		c.bytes.Add(int64(bytes))
	}
}
