package metrics

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestMetricsAreServed(t *testing.T) {
	m := New("v1.2.3")
	m.Request("getPage", 200, 3*time.Millisecond, 1000)
	m.Request("getPage", 200, time.Millisecond, 10)
	m.Gauge("octavo_test_gauge", "x", func() float64 { return 7 })
	m.Counter("octavo_test_total", "x", func() float64 { return 9 })
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`octavo_http_requests_total{operation="getPage",status="200"} 2`,
		`octavo_http_request_duration_seconds_bucket{operation="getPage",le="0.0025"} 1`,
		`octavo_http_response_size_bytes_sum{operation="getPage"} 1010`,
		`octavo_build_info{version="v1.2.3"} 1`, "octavo_test_gauge 7", "octavo_test_total 9", "go_goroutines ",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("have no line %s", want)
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	m := New("x")
	b.ReportAllocs()
	for b.Loop() {
		m.Request("getPage", 200, time.Millisecond, 1000)
	}
}
