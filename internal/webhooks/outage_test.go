package webhooks_test

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// line carries connections to an address, unless it is cut.
type line struct {
	net.Listener
	to    string
	group sync.WaitGroup
	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

func newLine(t *testing.T, to string) *line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &line{Listener: l, to: to}
	n.group.Go(n.accept)
	t.Cleanup(func() {
		_ = n.Close()
		n.cut(true)
		n.group.Wait()
	})
	return n
}

func (n *line) accept() {
	for {
		from, err := n.Accept()
		if err != nil {
			return
		}
		n.mu.Lock()
		down := n.down
		n.mu.Unlock()
		to, err := net.Dial("tcp", n.to)
		if down || err != nil {
			_ = from.Close()
			if err == nil {
				_ = to.Close()
			}
			continue
		}
		n.mu.Lock()
		n.conns = append(n.conns, from, to)
		n.mu.Unlock()
		for _, ends := range [][2]net.Conn{{from, to}, {to, from}} {
			n.group.Go(func() {
				_, _ = io.Copy(ends[0], ends[1])
				_ = ends[0].Close()
				_ = ends[1].Close()
			})
		}
	}
}

// cut ends all connections and, while it is down, has none begin.
func (n *line) cut(down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = down
	for _, conn := range n.conns {
		_ = conn.Close()
	}
	n.conns = nil
}

// said takes a log and tells when it says that something was not recorded.
type said chan struct{}

func (s said) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("was not recorded")) {
		select {
		case s <- struct{}{}:
		default:
		}
	}
	return len(p), nil
}

// TestDatabaseGoneWhileSending: what was sent while the database was away is
// recorded when it is back, and not sent again, although the leases ended
// meanwhile.
func TestDatabaseGoneWhileSending(t *testing.T) {
	address, err := url.Parse(testenv.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	n := newLine(t, address.Host)
	address.Host = n.Addr().String()
	r := newRig(t, octavotest.Options{PostgresURL: address.String()})
	const pages = 8
	arrived, answer := make(chan struct{}, 10*pages), make(chan struct{})
	v := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-answer
		w.WriteHeader(http.StatusNoContent)
	})
	var hooks []hookstore.Webhook
	for range pages {
		w, _ := r.endpoint(v.URL)
		hooks = append(hooks, w)
	}
	r.hooks.Timeout = 15 * time.Second
	tried := make(chan struct{}, 10*pages)
	r.hooks.Observe = func(octavo.DeliveryStatus, time.Duration, time.Duration) { tried <- struct{}{} }
	missed := make(said, 1)
	r.hooks.Log = slog.New(slog.NewTextHandler(missed, nil))
	r.run(r.hooks)
	r.publish()
	for range pages {
		<-arrived
	}
	n.cut(true)
	close(answer)
	<-missed
	for range pages { // no try lasts as long as a lease
		<-tried
	}
	r.clock.move(2 * hookstore.LeaseTime)
	n.cut(false)
	r.hooks.Poke()
	for _, w := range hooks {
		eventually(r, func() bool {
			list, _, err := r.hooks.Deliveries(t.Context(), w.ID, "", 10)
			return err == nil && len(list) == 1 && list[0].Status == octavo.DeliverySucceeded
		}, func() any { return w.ID })
	}
	if have := len(v.all()); have != pages {
		t.Errorf("%d requests arrived, want %d", have, pages)
	}
}
