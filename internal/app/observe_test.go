package app_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
)

// TestMetricsOfAnInstallation holds which metrics a server has, and that they
// tell what happened.
func TestMetricsOfAnInstallation(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	ids := env.IDs()
	m := metrics.New("test")
	options := app.StoreOptions(env, ids, "")
	options.Committed = m.Commit
	st, err := store.OpenSQLite(ctx, filepath.Join(t.TempDir(), "octavo.db"), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	credentials, err := app.OpenCredentials(ctx, env, ids, st, "", "")
	if err != nil {
		t.Fatal(err)
	}
	api, err := app.Handler(ctx, env, ids, st, credentials, app.Options{Addresses: app.Addresses{Public: "http://127.0.0.1", Auth: "http://127.0.0.1"}, Versions: []string{"v1"}, Regions: []string{"us"}, RateLimit: 1, Metrics: m})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/pages", nil))
	}
	follow(t, st, "webhooks")
	follow(t, st, "") // the index of a search has metrics of its own
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`octavo_http_requests_total{operation="listPages",status="401"} 1`,
		`octavo_http_requests_total{operation="listPages",status="429"} 2`,
		"octavo_quota_refused_total 2", "octavo_quota_leases_total 0", "octavo_quota_leased_total 0",
		"octavo_quota_credit_total 0", "octavo_quota_lease_errors_total 0", "octavo_quota_windows 1",
		`octavo_store_connections{pool="read",state="in_use"} `, `octavo_store_connections{pool="write",state="idle"} `,
		`octavo_store_connections_max{pool="write"} 1`, `octavo_store_connection_waits_total{pool="read"} `,
		"octavo_deliveries_due_seconds 0", "octavo_store_statement_errors_total 0", "octavo_changes_position 0",
		`octavo_changes_follower_lag{follower="webhooks"} 0`,
		"octavo_page_cache_hits_total 0", "octavo_page_cache_misses_total 0", "octavo_page_cache_bytes 0",
		"octavo_store_commit_duration_seconds_count ", "octavo_store_commit_writes_bucket{le=\"1\"} ",
	} {
		if !strings.Contains(w.Body.String(), "\n"+want) {
			t.Errorf("have no line %s in\n%s", want, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), `follower=""`) {
		t.Errorf("a follower without a name is told of in\n%s", w.Body)
	}
}

// follow follows the change log until the test ends. It returns once that is
// seen.
func follow(t *testing.T, st *store.Store, name string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	t.Cleanup(running.Wait)
	t.Cleanup(stop)
	running.Go(func() {
		_ = st.Log.NewFollower(changelog.FollowerOptions{Name: name, Handle: func(context.Context, []changelog.Change) error { return nil }}).Run(ctx)
	})
	for {
		n, err := st.Numbers(ctx)
		must(t, err)
		if slices.ContainsFunc(n.Followers, func(f changelog.FollowerNumbers) bool { return f.Name == name }) {
			return
		}
		runtime.Gosched()
	}
}
