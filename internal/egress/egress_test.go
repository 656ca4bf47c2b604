package egress_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/egress"
)

// names is a resolver whose answers are written down: the n-th lookup of a name
// has the n-th answer, the last one for ever.
type names struct {
	mu      sync.Mutex
	answers map[string][][]string
	lookups int
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lookups++
	list := n.answers[host]
	if len(list) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(list) > 1 {
		n.answers[host] = list[1:]
	}
	var addrs []netip.Addr
	for _, text := range list[0] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

// serve starts a server on 127.0.0.1 and returns its port.
func serve(t *testing.T, h http.HandlerFunc) (port string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// client makes a client that may reach 127.0.0.1 alone.
func client(t *testing.T, o egress.Options) *http.Client {
	t.Helper()
	o.Allow = append(o.Allow, netip.MustParsePrefix("127.0.0.1/32"))
	if o.Resolver == nil {
		o.Resolver = &names{}
	}
	c := egress.New(o)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// get returns the body of an answer.
func get(t *testing.T, c *http.Client, url string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func TestRefusedAddresses(t *testing.T) {
	t.Parallel()
	port := serve(t, hello)
	c := egress.New(egress.Options{Resolver: &names{answers: map[string][][]string{
		"localhost": {{"127.0.0.1", "::1"}}, "mapped.example": {{"::ffff:127.0.0.1"}}, "metadata.example": {{"169.254.169.254"}},
	}}})
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
		"mapped.example", "metadata.example", "0.0.0.0", "[::]", "10.1.2.3", "[fe80::1]",
	} {
		_, err := get(t, c, "http://"+host+":"+port)
		var refused *egress.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "--allow-private-destinations") {
			t.Errorf("%s: have %v, want it refused", host, err)
		}
	}
	// Forms that only some programs take for an address are names here.
	for _, host := range []string{"0177.0.0.1", "2130706433", "0x7f000001", "127.1"} {
		if body, err := get(t, c, "http://"+host+":"+port); err == nil {
			t.Errorf("%s: have %q, want an error", host, body)
		}
	}
}

func TestAllowedNetworks(t *testing.T) {
	t.Parallel()
	port := serve(t, hello)
	c := client(t, egress.Options{Resolver: &names{answers: map[string][][]string{
		"a.example": {{"127.0.0.1"}}, "mixed.example": {{"10.0.0.1", "127.0.0.1"}}, "mapped.example": {{"::ffff:127.0.0.1"}},
	}}})
	for _, host := range []string{"127.0.0.1", "a.example", "mixed.example", "mapped.example", "[::ffff:127.0.0.1]"} {
		if body, err := get(t, c, "http://"+host+":"+port); err != nil || body != "hello" {
			t.Errorf("%s: have %q, %v, want hello", host, body, err)
		}
	}
	if _, err := get(t, c, "http://127.0.0.2:"+port); err == nil {
		t.Error("127.0.0.2: have no error, want it refused: only 127.0.0.1 is allowed")
	}
}

// TestRebinding: a name is looked up once for each connection, and what it
// leads to then is what is dialled, whatever it says a moment later.
func TestRebinding(t *testing.T) {
	t.Parallel()
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		hello(w, r)
	})
	resolver := &names{answers: map[string][][]string{"rebind.example": {{"127.0.0.1"}, {"127.0.0.2"}, {"169.254.169.254"}}}}
	c := client(t, egress.Options{Resolver: resolver})
	for lookups, want := range []string{"", "127.0.0.2", "169.254.169.254"} {
		_, err := get(t, c, "http://rebind.example:"+port)
		var refused *egress.RefusedError
		if want == "" && err != nil || want != "" && (!errors.As(err, &refused) || refused.Addr.String() != want) {
			t.Errorf("request %d: have %v, want refused %q", lookups+1, err, want)
		}
		if resolver.lookups != lookups+1 {
			t.Errorf("request %d: have %d lookups, want one for each", lookups+1, resolver.lookups)
		}
	}
}

// TestNoProxy: what the environment says of proxies is for others, since a
// proxy would reach what is refused here.
func TestNoProxy(t *testing.T) {
	proxied := false
	proxy := "http://127.0.0.1:" + serve(t, func(http.ResponseWriter, *http.Request) { proxied = true })
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, proxy)
	}
	t.Setenv("NO_PROXY", "")
	c := client(t, egress.Options{Resolver: &names{answers: map[string][][]string{"receiver.example": {{"127.0.0.1"}}}}})
	if have, err := get(t, c, "http://receiver.example:"+serve(t, hello)); have != "hello" || err != nil || proxied {
		t.Errorf("have %q, %v, through the proxy: %v", have, err, proxied)
	}
}

func TestNoRedirects(t *testing.T) {
	t.Parallel()
	asked := 0
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "http://127.0.0.1:"+r.Host[strings.LastIndexByte(r.Host, ':')+1:]+"/again", http.StatusFound)
	})
	c := client(t, egress.Options{})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port, strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusFound || asked != 1 {
		t.Errorf("have %d after %d requests, want the 302 itself after one", resp.StatusCode, asked)
	}
}

func TestResponseLimit(t *testing.T) {
	t.Parallel()
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body := strings.Repeat("x", 1000)
		switch r.URL.Path {
		case "/more":
			body += "x"
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, body); err != nil {
					return
				}
			}
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			zw := gzip.NewWriter(w)
			_, _ = zw.Write(make([]byte, 1<<20))
			_ = zw.Close()
			return
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 100_000))
		}
		_, _ = io.WriteString(w, body)
	})
	c := client(t, egress.Options{MaxResponse: 1000})
	if body, err := get(t, c, "http://127.0.0.1:"+port+"/"); err != nil || len(body) != 1000 {
		t.Errorf("1,000 bytes: have %d, %v", len(body), err)
	}
	for _, path := range []string{"/more", "/endless", "/packed"} {
		if body, err := get(t, c, "http://127.0.0.1:"+port+path); !errors.Is(err, egress.ErrTooLarge) || len(body) > 1000 {
			t.Errorf("%s: have %d bytes, %v, want at most 1,000 and ErrTooLarge", path, len(body), err)
		}
	}
	if _, err := get(t, c, "http://127.0.0.1:"+port+"/header"); err == nil {
		t.Error("a header of 100,000 bytes: have no error")
	}
}

// TestSlowAnswersEnd: neither a server that says nothing nor one that says it
// byte by byte holds a client for longer than its time.
func TestSlowAnswersEnd(t *testing.T) {
	t.Parallel()
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/drip" {
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	})
	c := client(t, egress.Options{Timeout: 50 * time.Millisecond})
	for _, path := range []string{"/silent", "/drip"} {
		_, err := get(t, c, "http://127.0.0.1:"+port+path)
		var timeout net.Error
		if !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("%s: have %v, want a timeout", path, err)
		}
	}
}

func TestSchemesAndCertificates(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(hello))
	t.Cleanup(s.Close)
	if _, err := get(t, client(t, egress.Options{}), s.URL); err == nil {
		t.Error("a certificate of nobody: have no error")
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	c := client(t, egress.Options{TLS: &tls.Config{RootCAs: roots}})
	if body, err := get(t, c, s.URL); err != nil || body != "hello" {
		t.Errorf("a known certificate: have %q, %v", body, err)
	}
	for _, url := range []string{"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"} {
		if body, err := get(t, c, url); err == nil {
			t.Errorf("%s: have %q, want an error", url, body)
		}
	}
}

// TestPorts: where ports are listed, others are not reached.
func TestPorts(t *testing.T) {
	port := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "reached") })
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a port that is not listed was reached") })
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, egress.Options{Ports: []uint16{uint16(number)}})
	if body, err := get(t, c, "http://127.0.0.1:"+port); body != "reached" || err != nil {
		t.Errorf("have %q %v, want it reached", body, err)
	}
	if _, err := get(t, c, "http://127.0.0.1:"+other); err == nil || !strings.Contains(err.Error(), "--destination-ports") {
		t.Errorf("have error %v, want one that names the option", err)
	}
}
