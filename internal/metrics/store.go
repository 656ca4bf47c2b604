package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Store has the numbers of a store.
type Store struct {
	Pools     []Pool
	Errors    int64 // statements that failed
	Position  int64 // of the newest change; -1 if unknown
	Followers []Follower
}

// Pool describes a pool of database connections.
type Pool struct {
	Name             string
	InUse, Idle, Max int
	Waits            int64 // for a free connection
	Waited           time.Duration
}

// Follower describes a follower of the change log.
type Follower struct {
	Name          string
	Position, Lag int64
}

// Store registers a function that is called at each scrape.
func (m *Metrics) Store(read func() Store) { m.registry.MustRegister(newStoreCollector(read)) }

// storeCollector is a prometheus.Collector of what read returns.
type storeCollector struct {
	read func() Store

	connections, most, waits, waited, errors *prometheus.Desc
	position, followerPosition, lag          *prometheus.Desc
}

func newStoreCollector(read func() Store) *storeCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &storeCollector{
		read:             read,
		connections:      desc("octavo_store_connections", "Open connections to the database, by pool and state.", "pool", "state"),
		most:             desc("octavo_store_connections_max", "Connections to the database that a pool may open.", "pool"),
		waits:            desc("octavo_store_connection_waits_total", "Times that none of a pool's connections was free.", "pool"),
		waited:           desc("octavo_store_connection_wait_seconds_total", "Time waited for a free connection of a pool.", "pool"),
		errors:           desc("octavo_store_statement_errors_total", "Statements that failed, but for conflicts and those that were given up."),
		position:         desc("octavo_changes_position", "Position of the newest change in the change log."),
		followerPosition: desc("octavo_changes_follower_position", "Position up to which a follower of the change log has handled changes.", "follower"),
		lag:              desc("octavo_changes_follower_lag", "Positions that a follower of the change log has yet to handle.", "follower"),
	}
}

func (c *storeCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.connections, c.most, c.waits, c.waited, c.errors, c.position, c.followerPosition, c.lag} {
		out <- d
	}
}

func (c *storeCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	s := c.read()
	for _, p := range s.Pools {
		gauge(c.connections, float64(p.InUse), p.Name, "in_use")
		gauge(c.connections, float64(p.Idle), p.Name, "idle")
		gauge(c.most, float64(p.Max), p.Name)
		counter(c.waits, float64(p.Waits), p.Name)
		counter(c.waited, p.Waited.Seconds(), p.Name)
	}
	counter(c.errors, float64(s.Errors))
	if s.Position >= 0 {
		gauge(c.position, float64(s.Position))
	}
	for _, f := range s.Followers {
		gauge(c.followerPosition, float64(f.Position), f.Name)
		gauge(c.lag, float64(f.Lag), f.Name)
	}
}
