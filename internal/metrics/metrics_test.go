package metrics

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestServeMetrics(t *testing.T) {
	m := New("v1.2.3")
	m.Request("getPage", 200, 3*time.Millisecond, 1000)
	m.Request("getPage", 200, time.Millisecond, 10)
	m.Gauge("octavo_test_gauge", "x", func() float64 { return 7 })
	m.Counter("octavo_test_total", "x", func() float64 { return 9 })
	m.Commit(3, 2*time.Millisecond)
	m.Delivery("succeeded", 3*time.Millisecond, 40*time.Millisecond)
	m.Delivery("failed", 3*time.Millisecond, -1)
	m.Search(2*time.Millisecond, 3, false)
	m.Search(time.Millisecond, 0, false)
	m.Search(time.Second, 0, true)
	m.SearchRegion("eu")
	m.Store(func() Store {
		return Store{
			Pools:  []Pool{{Name: "read", InUse: 2, Idle: 1, Max: 8, Waits: 5, Waited: 1500 * time.Millisecond}},
			Errors: 4, Position: 12, Followers: []Follower{{Name: "search", Position: 10, Lag: 2}},
		}
	})
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`octavo_http_requests_total{operation="getPage",status="200"} 2`,
		`octavo_http_request_duration_seconds_bucket{operation="getPage",le="0.0025"} 1`,
		`octavo_http_response_size_bytes_sum{operation="getPage"} 1010`,
		`octavo_build_info{version="v1.2.3"} 1`, "octavo_test_gauge 7",
		`octavo_store_commit_duration_seconds_bucket{le="0.0025"} 1`, "octavo_store_commit_writes_sum 3",
		`octavo_delivery_attempts_total{status="failed"} 1`, `octavo_delivery_duration_seconds_bucket{le="0.005"} 2`,
		"octavo_delivery_delay_seconds_count 1", `octavo_delivery_delay_seconds_bucket{le="0.05"} 1`,
		`octavo_store_connections{pool="read",state="in_use"} 2`, `octavo_store_connections{pool="read",state="idle"} 1`,
		`octavo_store_connections_max{pool="read"} 8`, `octavo_store_connection_waits_total{pool="read"} 5`,
		`octavo_store_connection_wait_seconds_total{pool="read"} 1.5`, "octavo_store_statement_errors_total 4",
		`octavo_search_queries_total{result="empty"} 1`, `octavo_search_queries_total{result="failed"} 1`, `octavo_search_duration_seconds_bucket{le="0.0025"} 2`, `octavo_search_region{region="eu"} 1`,
		"octavo_changes_position 12", `octavo_changes_follower_position{follower="search"} 10`, `octavo_changes_follower_lag{follower="search"} 2`,
		"octavo_test_total 9", "go_goroutines ",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("have no line %s", want)
		}
	}
}

// TestUnknownPosition: an unknown number is not exported.
func TestUnknownPosition(t *testing.T) {
	m := New("x")
	m.Store(func() Store { return Store{Position: -1} })
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 || strings.Contains(w.Body.String(), "\noctavo_changes_position") {
		t.Errorf("have %d %s, want no position", w.Code, w.Body)
	}
}

func BenchmarkCommit(b *testing.B) {
	m := New("x")
	b.ReportAllocs()
	for b.Loop() {
		m.Commit(8, time.Millisecond)
	}
}

func BenchmarkRequest(b *testing.B) {
	m := New("x")
	b.ReportAllocs()
	for b.Loop() {
		m.Request("getPage", 200, time.Millisecond, 1000)
	}
}
