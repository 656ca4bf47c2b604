package egress_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/egress"
)

// swallower carries connections to an address. What has begun before swallow
// is called then carries nothing any more, and says so to nobody.
type swallower struct {
	net.Listener
	to    string
	group sync.WaitGroup
	mu    sync.Mutex
	stop  chan struct{} // of the connections that have begun
	conns []net.Conn
}

func newSwallower(t *testing.T, to string) *swallower {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &swallower{Listener: l, to: to, stop: make(chan struct{})}
	s.group.Go(s.accept)
	t.Cleanup(func() {
		_ = s.Close()
		s.swallow()
		s.mu.Lock()
		for _, conn := range s.conns {
			_ = conn.Close()
		}
		s.mu.Unlock()
		s.group.Wait()
	})
	return s
}

func (s *swallower) accept() {
	for {
		from, err := s.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", s.to)
		if err != nil {
			_ = from.Close()
			continue
		}
		s.mu.Lock()
		s.conns = append(s.conns, from, to)
		stop := s.stop
		s.mu.Unlock()
		s.group.Go(func() { carry(to, from, stop) })
		s.group.Go(func() { carry(from, to, stop) })
	}
}

func carry(to io.Writer, from io.Reader, stop <-chan struct{}) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		select {
		case <-stop: // read on, so that the sender believes it arrives
		default:
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
	}
}

func (s *swallower) swallow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.stop)
	s.stop = make(chan struct{})
}

// TestDeadConnections: a connection of HTTP/2 that carries nothing any more,
// as when a receiver's address moves to another machine, is given up although
// there is always a request on it.
func TestDeadConnections(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	s := newSwallower(t, server.Listener.Addr().String())
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	c := client(t, egress.Options{Timeout: 200 * time.Millisecond, TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}})
	url := "https://" + s.Addr().String()
	until := time.Now().Add(10 * time.Second)
	answered := func() bool {
		body, err := get(t, c, url)
		return err == nil && strings.HasPrefix(body, "HTTP/2")
	}
	for !answered() {
		if time.Now().After(until) {
			t.Fatal("no answer to begin with")
		}
	}
	s.swallow()
	until = time.Now().Add(10 * time.Second)
	for !answered() {
		if time.Now().After(until) {
			t.Fatal("a dead connection is used for 10 seconds, each request running into its timeout")
		}
	}
}
