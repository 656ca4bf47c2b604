package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/config"
)

// TestDrain: after the stop signal a server still answers for a while, and closes
// connections with its responses.
func TestDrain(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	l, err := listen(t.Context(), &config.Options{Server: config.Server{Addr: "127.0.0.1:0"}}, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const drain = time.Second
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- l.serve(ctx, serving{
			api: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }), // the client looks
			log: log, drain: drain, timeout: time.Minute, ready: func() { close(ready) },
		})
	}()
	<-ready
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	ask := func() (closes bool) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.url(), nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close() //nolint:errcheck // it is read to its end
		if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "ok" {
			t.Errorf("have %q, %v, want ok", text, err)
		}
		return resp.Close
	}
	if ask() {
		t.Error("the connection is closed before the stop")
	}
	start := time.Now()
	stop()
	for _, connection := range []string{"a kept connection", "a new connection"} {
		if !ask() {
			t.Errorf("%s is kept after the stop", connection)
		}
	}
	if err := <-ended; err != nil || time.Since(start) < drain {
		t.Errorf("ended after %s with %v, want %s at least", time.Since(start), err, drain)
	}
}

// TestConnectionsEnd: whatever a client does not do ends its connection in time,
// on both addresses: to wait for that takes minutes, which the tests of faults do
// when they are asked to.
func TestConnectionsEnd(t *testing.T) {
	s := newServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	for what, c := range map[string]struct{ have, most time.Duration }{
		"a header that does not come": {s.ReadHeaderTimeout, 10 * time.Second}, "a body that does not come": {s.ReadTimeout, time.Minute},
		"an answer that nobody reads": {s.WriteTimeout, 2 * time.Minute}, "a connection that is idle": {s.IdleTimeout, 2 * time.Minute},
	} {
		if c.have <= 0 || c.have > c.most {
			t.Errorf("%s is waited for for %s, want at most %s", what, c.have, c.most)
		}
	}
	if s.MaxHeaderBytes <= 0 || s.MaxHeaderBytes > 64<<10 {
		t.Errorf("a header may have %d bytes", s.MaxHeaderBytes)
	}
}
