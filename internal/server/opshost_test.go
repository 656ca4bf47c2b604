package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestOperationsKnowTheirHost(t *testing.T) {
	t.Parallel()
	h := ownHost(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), "node1.internal:8081", []string{"octavo", "Metrics.example"})
	for host, want := range map[string]int{
		"127.0.0.1:8081": 200, "10.1.2.3": 200, "[::1]:8081": 200, "[fe80::1]": 200, "localhost": 200, "LOCALHOST:8081": 200, "localhost.": 200, "": 200,
		"node1.internal:8081": 200, "octavo:8081": 200, "metrics.example": 200,
		"evil.example": 421, "evil.example:8081": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "node2.internal:8081": 421,
	} {
		r, w := httptest.NewRequest("GET", "/metrics", nil), httptest.NewRecorder()
		r.Host = host
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("Host %q: have %d, want %d", host, w.Code, want)
		}
	}
}
