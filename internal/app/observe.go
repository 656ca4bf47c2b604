package app

import (
	"context"
	"math"
	"time"

	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store"
)

// scrapeTimeout limits the database reads of a scrape.
const scrapeTimeout = time.Second

// observe registers functions that read the numbers of an installation.
func observe(ctx context.Context, now func() time.Time, m *metrics.Metrics, st *store.Store, quotas *quota.Limiter, read *pages.Service) {
	m.Store(func() metrics.Store { return storeMetrics(ctx, st) })
	total := func(name, help string, of func(quota.Counts) int64) {
		m.Counter(name, help, func() float64 { return float64(of(quotas.Counts())) })
	}
	total("octavo_quota_refused_total", "Requests refused because of their rate limit.", func(c quota.Counts) int64 { return c.Refused })
	total("octavo_quota_leases_total", "Leases of rate limits requested from the database.", func(c quota.Counts) int64 { return c.Leases })
	total("octavo_quota_leased_total", "Requests that those leases allowed.", func(c quota.Counts) int64 { return c.Leased })
	total("octavo_quota_credit_total", "Requests accepted on credit while the database gave no leases.", func(c quota.Counts) int64 { return c.Credit })
	total("octavo_quota_lease_errors_total", "Leases of quotas that failed.", func(c quota.Counts) int64 { return c.Failed })
	cache := func(name, help string, of func(pages.CacheStats) int64) {
		m.Counter(name, help, func() float64 { return float64(of(read.CacheStats())) })
	}
	cache("octavo_page_cache_hits_total", "Pages answered from memory alone.", func(c pages.CacheStats) int64 { return c.Hits })
	cache("octavo_page_cache_checked_total", "Pages answered from memory after the database confirmed that they had not changed.", func(c pages.CacheStats) int64 { return c.Checked })
	cache("octavo_page_cache_misses_total", "Pages read from the database.", func(c pages.CacheStats) int64 { return c.Misses })
	m.Gauge("octavo_page_cache_bytes", "Bytes of the page cache.", func() float64 { return float64(read.CacheStats().Bytes) })
	waiting := func(name, help string, of func(queued, processing int) int) {
		m.Gauge(name, help, func() float64 {
			ctx, cancel := context.WithTimeout(ctx, scrapeTimeout)
			defer cancel()
			n, err := st.Exports.Numbers(ctx)
			if err != nil {
				return math.NaN() // /readyz shows the reason
			}
			return float64(of(n.Queued, n.Processing))
		})
	}
	waiting("octavo_exports_queued", "Exports that are waiting.", func(queued, _ int) int { return queued })
	waiting("octavo_exports_processing", "Exports that are being made, in all processes.", func(_, processing int) int { return processing })
	importing := func(name, help string, of func(queued, running int) int) {
		m.Gauge(name, help, func() float64 {
			ctx, cancel := context.WithTimeout(ctx, scrapeTimeout)
			defer cancel()
			queued, running, err := st.Imports.Numbers(ctx)
			if err != nil {
				return math.NaN() // as above
			}
			return float64(of(queued, running))
		})
	}
	importing("octavo_imports_queued", "Imports that are waiting.", func(queued, _ int) int { return queued })
	importing("octavo_imports_running", "Imports that are running, in all processes.", func(_, running int) int { return running })
	m.Gauge("octavo_deliveries_due_seconds", "How long the oldest waiting delivery has been due, in all processes; 0 if none is waiting.", func() float64 {
		ctx, cancel := context.WithTimeout(ctx, scrapeTimeout)
		defer cancel()
		oldest, err := st.Hooks.OldestDue(ctx)
		switch {
		case err != nil:
			return math.NaN() // /readyz shows the reason
		case oldest.IsZero():
			return 0
		}
		return now().Sub(oldest).Seconds()
	})
	m.Gauge("octavo_quota_windows", "Windows of credentials and addresses that are kept in memory.", func() float64 { return float64(quotas.Counts().Windows) })
}

// storeMetrics translates the numbers of a store.
func storeMetrics(ctx context.Context, st *store.Store) metrics.Store {
	ctx, cancel := context.WithTimeout(ctx, scrapeTimeout)
	defer cancel()
	n, err := st.Numbers(ctx)
	if err != nil {
		n.Position = -1 // absent, which is the signal; /readyz shows the reason
	}
	out := metrics.Store{Errors: n.Errors, Position: n.Position}
	for _, p := range n.Pools {
		out.Pools = append(out.Pools, metrics.Pool{
			Name: p.Name, InUse: p.InUse, Idle: p.Idle, Max: p.MaxOpenConnections, Waits: p.WaitCount, Waited: p.WaitDuration,
		})
	}
	for _, f := range n.Followers {
		if f.Name == "" { // the index of a search, which has its own
			continue
		}
		out.Followers = append(out.Followers, metrics.Follower{Name: f.Name, Position: f.Position, Lag: f.Lag})
	}
	return out
}
